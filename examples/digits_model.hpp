// digits_model: what the examples `digits` and `explain` compile: a classifier, its loss, and one step of its training.
#pragma once

#if defined(__CUDACC__)
#include <primal/cuda.hpp>
#else
#include <primal/primal.hpp>
#endif

namespace pm = primal;

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<A>, first), (linear<A>, second));
};

inline constexpr auto apply = [](auto layer, auto x) { return pm::matmul(x, layer.w) + layer.b; };

inline constexpr auto logits = [](auto p, auto x) {
  return apply(p.second, pm::gelu(pm::layer_norm(apply(p.first, x))));
};

inline constexpr auto predict = [](auto p, auto x) {
  return pm::argmax(logits(p, x), {.axis = 1});
};

inline constexpr auto loss = [](auto p, auto x, auto labels) {
  return pm::cross_entropy(logits(p, x), labels);
};

/// One step of Adam. `m` and `v` are its moments, `t` counts the steps from 1.
inline constexpr auto step = [](auto p, auto m, auto v, auto t, auto x, auto labels) {
  auto [value, gradient] = pm::value_and_grad(loss)(p, x, labels);
  auto [p2, m2, v2] = pm::adam(p, gradient, m, v, t, {.learning_rate = 1e-2});
  return std::tuple(value, p2, m2, v2);
};

constexpr std::size_t pixels = 64, hidden = 128, classes = 10, batch = 64;
