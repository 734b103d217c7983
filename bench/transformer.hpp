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

/// Runs all products of a block: four layers, two that are wide, and those of the attention. `product_of(x, w)` gives
/// something that runs `product` on arrays of these extents.
template <class Extent, class Product>
auto products_of_block(Extent batch, Extent length, Extent width, const Product& product_of) {
  using matrix = std::array<Extent, 2>;
  using matrices = std::array<Extent, 3>;
  const Extent rows = batch * length, wide = 4 * width, all_heads = batch * heads,
               head = width / heads;
  return
      [square = product_of(matrix{rows, width}, matrix{width, width}),
       up = product_of(matrix{rows, width}, matrix{width, wide}),
       down = product_of(matrix{rows, wide}, matrix{wide, width}),
       scores = product_of(matrices{all_heads, length, head}, matrices{all_heads, head, length}),
       mixed = product_of(matrices{all_heads, length, length}, matrices{all_heads, length, head})] {
        for (int i = 0; i < 4; ++i) square();
        up();
        down();
        scores();
        mixed();
      };
}

}  // namespace transformer
