// Compiled kernels against the interpreter.
#pragma once

#include <primal/interpret/interpret.hpp>
#include <primal/primal.hpp>
#include <support/catch.hpp>

#include <random>

namespace primal::test {

/// Numbers that are the same in every run; about `near`.
template <class T, std::size_t Rank>
xt::xtensor<T, Rank> sample(std::array<std::size_t, Rank> shape, unsigned seed, double low = -2,
                            double high = 2) {
  auto x = xt::xtensor<T, Rank>::from_shape(shape);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(low, high);
  for (auto& e : x) e = static_cast<T>(number(random));
  return x;
}

template <class Leaf> dense to_dense(const Leaf& leaf) {
  dense d;
  if constexpr (std::is_arithmetic_v<Leaf>) {
    d.dtype = dtype_of<Leaf>;
    d.values.push_back(static_cast<double>(leaf));
  } else {
    d.dtype = dtype_of<typename Leaf::value_type>;
    for (auto e : leaf.shape()) d.extents.push_back(static_cast<std::int64_t>(e));
    for (auto e : leaf) {
      if constexpr (is_half(dtype_of<decltype(e)>))
        d.values.push_back(static_cast<double>(static_cast<float>(e)));
      else d.values.push_back(static_cast<double>(e));
    }
  }
  return d;
}

/// The largest |a - b| - rtol |b|, with a NaN on one side only counted as infinite.
inline double distance(const dense& a, const dense& b, double rtol) {
  if (a.extents != b.extents) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double x = a.values[i], y = b.values[i];
    if (std::isnan(x) && std::isnan(y)) continue;
    if (x == y) continue;
    const double d = std::fabs(x - y) - rtol * std::fabs(y);
    if (!(d <= worst)) worst = std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
  }
  return worst;
}

template <class Types, class F, class... X>
void check_compiled(const F& f, double tolerance, const X&... x) {
  using model = typename Types::template model<F, X...>;
  const std::vector<dense> inputs{to_dense(x)...};
  const auto expected = interpret(model::run(), inputs);
  const auto got = Types::call(f, x...);
  std::vector<dense> results;
  for_each_leaf(got, [&](const auto& leaf) { results.push_back(to_dense(leaf)); });
  REQUIRE(results.size() == expected.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    CAPTURE(i);
    CHECK(results[i].extents == expected[i].extents);
    CHECK(distance(results[i], expected[i], tolerance) <= tolerance);
  }
}

/// The gradients of layer_norm, of all that it takes.
inline constexpr auto slopes_of_layer_norm = [](auto x, auto scale, auto bias, auto dy) {
  return vjp<0, 1, 2>([](auto p, auto q, auto r) {
    return layer_norm(p, q, r, {.epsilon = 1e-2});
  })(x, scale, bias, dy);
};

/// Extents from the call.
struct dynamic_extents {
  template <class F, class... X> using model = recorded_model<F, X...>;
  template <class F, class... X> static auto call(const F& f, const X&... x) {
    return pm_compile(f)(x...);
  }
  template <class F> static auto pm_compile(const F& f) { return primal::compile(f); }
};

/// The compiled model gives what the interpreter gives, to a relative and absolute tolerance.
template <class F, class... X>
void same_as_interpreter(const F& f, double tolerance, const X&... x) {
  check_compiled<dynamic_extents>(f, tolerance, x...);
}

/// The sums of an array of rank 3 over every set of its axes.
inline constexpr auto sums_over_axes = [](auto a) {
  return std::tuple(sum(a), sum(a, {.axes = 0}), sum(a, {.axes = 1}), sum(a, {.axes = 2}),
                    sum(a, {.axes = {0, 1}}), sum(a, {.axes = {0, 2}, .keepdims = true}),
                    sum(a, {.axes = {1, 2}}));
};

}  // namespace primal::test
