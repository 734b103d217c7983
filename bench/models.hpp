// models: the works over rows that several programs time.
#pragma once

#include "library.hpp"

namespace bench::models {

namespace pm = primal;

inline constexpr auto layer_norm = [](auto x, auto scale, auto bias) {
  return pm::layer_norm(x, scale, bias);
};
inline constexpr auto rms_norm = [](auto x, auto scale) {
  return pm::rms_norm(x, scale, {.epsilon = 1e-5});
};
inline constexpr auto softmax = [](auto x) { return pm::softmax(x); };
inline constexpr auto log_softmax = [](auto x) { return pm::log_softmax(x); };
inline constexpr auto gelu = [](auto x) { return pm::gelu(x); };
inline constexpr auto gelu_tanh = [](auto x) {
  return pm::gelu(x, {.approximate = pm::approximation::tanh});
};
inline constexpr auto silu = [](auto x) { return pm::silu(x); };
inline constexpr auto cross_entropy = [](auto x, auto labels) {
  return pm::cross_entropy(x, labels);
};
inline constexpr auto norm_gelu = [](auto x, auto bias) {
  return pm::layer_norm(pm::gelu(x + bias));
};

}  // namespace bench::models
