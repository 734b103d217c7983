// The model of the examples `digits` and `explain`: a classifier, its loss, and one step of its training.
#pragma once

#include <primal/primal.hpp>

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

/// Arrays in the places of the parameters.
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;
using parameters = mlp<f32>;

constexpr std::size_t pixels = 64, hidden = 128, classes = 10, batch = 64;

/// The step as a function of arrays: one batch is 64 images.
inline constexpr auto train_step =
    pm::compile<parameters, parameters, parameters, int, pm::array<float, batch, pixels>,
                pm::array<std::int32_t, batch>>(step);
