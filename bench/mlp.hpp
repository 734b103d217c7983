// mlp: a classifier with one hidden layer, its loss, a step of its training, and its matrix products alone.
#pragma once

#include "library.hpp"

namespace mlp {

namespace pm = primal;

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct parameters {
  BOOST_HANA_DEFINE_STRUCT(parameters, (linear<A>, first), (linear<A>, second));
};
inline constexpr auto loss = [](auto p, auto x, auto labels) {
  const auto h = pm::gelu(pm::matmul(x, p.first.w) + p.first.b);
  return pm::cross_entropy(pm::matmul(h, p.second.w) + p.second.b, labels);
};
inline constexpr auto step = [](auto p, auto m, auto v, auto t, auto x, auto labels) {
  auto [value, g] = pm::value_and_grad<0>(loss)(p, x, labels);
  auto [p2, m2, v2] = pm::adam(p, g, m, v, t, {.learning_rate = 1e-3});
  return std::tuple(value, p2, m2, v2);
};
/// What the gradient multiplies: two products forward, three backward.
inline constexpr auto products = [](auto x, auto w1, auto h, auto w2, auto dz, auto dh) {
  return std::tuple(pm::matmul(x, w1), pm::matmul(h, w2), pm::matmul(pm::transpose(h), dz),
                    pm::matmul(dz, pm::transpose(w2)), pm::matmul(pm::transpose(x), dh));
};

}  // namespace mlp
