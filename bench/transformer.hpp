// transformer: the model of the example, and its matrix products alone.
#pragma once

#include "../examples/transformer.hpp"

namespace transformer {

/// What a product and its gradients multiply, to compare with.
inline constexpr auto swapped = [](auto x) {
  return x.rank() == 2 ? pm::transpose(x) : pm::transpose(x, {0, 2, 1});
};
inline constexpr auto product = [](auto x, auto w, auto dy) {
  return std::tuple(pm::matmul(x, w), pm::matmul(swapped(x), dy), pm::matmul(dy, swapped(w)));
};

}  // namespace transformer
