// work: a model becomes two rows, its forward pass, and its value with the gradients of all
// floating-point inputs (from a cotangent, or from 1 where the value is one number).
#pragma once

#include "arrays.hpp"
#include "contest.hpp"

namespace bench {

/// Others that do what a work does, with its arrays `A`: column and run.
template <class A> struct others {
  using runs = std::vector<std::pair<std::string, std::function<void(A&)>>>;
  runs forward{}, value_grad{};
};

/// An output of rank 0 is a number.
template <class View> auto& written(View& v) {
  if constexpr (View::rank == 0) return *v.data;
  else return v;
}

inline pm::options options() { return {.threads = threads()}; }

template <class Signature, std::size_t Wanted = all> struct work;
template <class Out, class... In, std::size_t Wanted> struct work<Out(In...), Wanted> {
  using arrays = bench::arrays<Out(In...), Wanted>;
  std::string name, variant{};
  shape out{};
  std::vector<shape> in;
  others<arrays> beside{};
  std::function<void(arrays&)> prepare{};  // other inputs than waves
  std::size_t measured = 0;                // the input whose extents are in the name
  double flops = 0;                        // of the forward pass

  /// Rows NAME/PASS/DTYPE/EXTENTS/VARIANT.
  template <class Model> void add(Model model) const {
    add_forward(model);
    add_value_grad(model);
  }
  template <class Model> void add_forward(Model) const {
    bench::add(job("forward"), variant, [w = *this] {
      const auto a = w.memory();
      auto c = w.race(a, forward<Model>(a), w.beside.forward, false);
      c.flops = w.flops;
      return c;
    });
  }
  /// With grad_over_value, the time over that of the forward pass.
  template <class Model> void add_value_grad(Model) const {
    bench::add(job("value_grad"), variant, [w = *this] {
      const auto a = w.memory();
      auto c = w.race(a, value_grad<Model>(a), w.beside.value_grad, true);
      c.rivals.push_back({"grad_over_value", forward<Model>(a), false});
      return c;
    });
  }

 private:
  std::string job(const std::string& pass) const {
    const bool f64 = sizeof(element_of<Out>) == 8;
    return name + "/" + pass + (f64 ? "/f64/" : "/f32/") + text_of(in[measured]);
  }

  std::shared_ptr<arrays> memory() const {
    auto a = std::make_shared<arrays>(out, in);
    if (prepare) prepare(*a);
    return a;
  }

  template <class Model> static runner forward(const std::shared_ptr<arrays>& a) {
    return
        [a,
         call = pm::compile<In...>(Model{}, options()).into(written(a->out)).with(a->workspace)] {
          std::apply(call, a->in);
        };
  }

  template <class Model> static runner value_grad(const std::shared_ptr<arrays>& a) {
    return with_each_of<arrays::wanted>([&]<int... W>() -> runner {
      if constexpr (declared<Out>::rank == 0)
        return [a, call = pm::compile<In...>(pm::value_and_grad<W...>(Model{}), options())
                              .into(written(a->out), std::get<W>(a->gradient)...)
                              .with(a->workspace)] { std::apply(call, a->in); };
      else
        return [a, call = pm::compile<In..., Out>(pm::vjp<W...>(Model{}), options())
                              .into(a->out, std::get<W>(a->gradient)...)
                              .with(a->workspace)] {
          std::apply([&](const auto&... x) { call(x..., a->cotangent); }, a->in);
        };
    });
  }

  contest race(const std::shared_ptr<arrays>& a, runner ours,
               const typename others<arrays>::runs& runs, bool with_gradient) const {
    contest c;
    c.ours = std::move(ours);
    for (const auto& [column, f] : runs) c.rivals.push_back({column, [a, go = f] { go(*a); }});
    c.bytes = a->bytes(with_gradient);
    c.results = [a, with_gradient] { return a->results(with_gradient); };
    return c;
  }
};

}  // namespace bench
