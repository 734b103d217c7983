// work: a model over rows becomes checks on small arrays and rows of a table, forward or with the gradients of
// all its floating-point inputs.
#pragma once

#include "device.hpp"

#include "../arrays.hpp"

namespace bench::on_cuda {

/// The extents of the arrays of a work, for n rows of this length.
struct shapes {
  shape out;
  std::vector<shape> in;
};
using shapes_of = shapes (*)(std::int64_t n, std::int64_t length);

template <class Declared> struct on_device;
template <class T, auto... E> struct on_device<pm::array<T, E...>> {
  static constexpr std::size_t rank = sizeof...(E);
  using type = pm::device_array<T, rank>;

  static type make(const shape& s, double size, std::int64_t classes) {
    std::array<std::int64_t, rank> extents{};
    std::copy(s.begin(), s.end(), extents.begin());
    return size > 0 ? filled<T>(extents, size, 0, classes) : type(extents);
  }
};

template <class Signature> class work;
template <class Out, class... In> class work<Out(In...)> {
  static constexpr auto wanted = arrays<Out(In...)>::wanted;

 public:
  work(std::string name, shapes_of extents) : name_(std::move(name)), extents_(extents) {}

  /// Rows of these lengths, in arrays of `elements` elements.
  template <class Model>
  void forward(Model, const std::vector<std::int64_t>& lengths, std::int64_t elements) const {
    const auto prepare = [](const std::shared_ptr<memory>& m) {
      return [m, call = forward_call<Model>()](auto f) {
        f(call.with(m->workspace).into(m->out), m->in);
      };
    };
    add(prepare, "forward", false, lengths, elements);
    add_check(name_ + " forward", [w = *this] {
      return w.differs([](const memory& m) {
        return std::apply(
            [](const auto&... x) {
              return pm::testing::differs_on_device<In...>(Model{}, stream(), tolerance, x...);
            },
            m.in);
      });
    });
  }
  template <class Model>
  void value_grad(Model, const std::vector<std::int64_t>& lengths, std::int64_t elements) const {
    with_each_of<wanted>([&]<int... W> {
      const auto prepare = [](const std::shared_ptr<memory>& m) {
        return [m, call = gradient_call<Model, W...>()](auto f) {
          f(call.with(m->workspace).into(m->out, std::get<W>(m->gradient)...), m->with_cotangent());
        };
      };
      add(prepare, "value_grad", true, lengths, elements);
      add_check(name_ + " value and gradient", [w = *this] {
        return w.differs([](const memory& m) {
          return std::apply([](const auto&... x) { return compared<Model, W...>(x...); },
                            m.with_cotangent());
        });
      });
    });
  }

 private:
  static constexpr double tolerance = 1e-4;
  std::string name_;
  shapes_of extents_;

  /// The arrays of one row of the table. Gradients have places where there are any.
  struct memory {
    typename on_device<Out>::type out, cotangent;
    std::tuple<typename on_device<In>::type...> in, gradient;
    pm::cuda_workspace workspace{stream()};

    memory(const shapes& s, bool with_gradient) : out(on_device<Out>::make(s.out, 0, 1)) {
      if (with_gradient) cotangent = on_device<Out>::make(s.out, 1, 1);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((std::get<I>(in) = on_device<In>::make(s.in[I], 2 - 0.5 * I, s.in[0].back())), ...);
        if (with_gradient) ((std::get<I>(gradient) = on_device<In>::make(s.in[I], 0, 1)), ...);
      }(std::index_sequence_for<In...>{});
    }
    /// References to what a gradient reads.
    auto with_cotangent() const {
      return std::apply(
          [&](const auto&... x) {
            if constexpr (declared<Out>::rank == 0) return std::tie(x...);
            else return std::tie(x..., cotangent);
          },
          in);
    }
    double bytes(bool with_gradient) const {
      const auto of = [](const auto& x) {
        return static_cast<double>(x.size() * sizeof(*x.data()));
      };
      double all = of(out) * (with_gradient && declared<Out>::rank > 0 ? 2 : 1);
      std::apply([&](const auto&... x) { all += (of(x) + ...); }, in);
      if (with_gradient)
        with_each_of<wanted>([&]<int... W> { all += (of(std::get<W>(gradient)) + ...); });
      return all;
    }
  };

  template <class Model> static auto forward_call() {
    return pm::compile<In...>(Model{}, options());
  }
  template <class Model, int... W> static auto gradient_call() {
    if constexpr (declared<Out>::rank == 0)
      return pm::compile<In...>(pm::value_and_grad<W...>(Model{}), options());
    else return pm::compile<In..., Out>(pm::vjp<W...>(Model{}), options());
  }
  template <class Model, int... W, class... X> static std::string compared(const X&... x) {
    if constexpr (declared<Out>::rank == 0)
      return pm::testing::differs_on_device<In...>(pm::value_and_grad<W...>(Model{}), stream(),
                                                   tolerance, x...);
    else
      return pm::testing::differs_on_device<In..., Out>(pm::vjp<W...>(Model{}), stream(), tolerance,
                                                        x...);
  }

  template <class Prepare>
  void add(const Prepare& prepare, const std::string& pass, bool with_gradient,
           const std::vector<std::int64_t>& lengths, std::int64_t elements) const {
    for (const auto length : lengths) {
      const auto s = extents_(elements / length, length);
      bench::add(name_ + "/" + pass + "/f32/" + text_of(s.in[0]), "", [s, prepare, with_gradient] {
        const auto m = std::make_shared<memory>(s, with_gradient);
        auto c = new_contest();
        c.ours = [run = prepare(m)] {
          run([](const auto& call, const auto& in) { std::apply(call, in); });
        };
        c.bytes = m->bytes(with_gradient);
        return c;
      });
    }
  }

  /// Rows that fill no warp, one block, several, and more than shared memory holds; few and many.
  template <class F> std::string differs(const F& f) const {
    constexpr std::pair<std::int64_t, std::int64_t> sizes[] = {{7, 3},    {5, 256},    {3, 1000},
                                                               {2, 8192}, {2, 40'000}, {1500, 64}};
    for (const auto& [n, length] : sizes)
      if (const auto text = f(memory(extents_(n, length), true)); !text.empty())
        return std::to_string(n) + " rows of " + std::to_string(length) + ": " + text;
    return {};
  }
};

}  // namespace bench::on_cuda
