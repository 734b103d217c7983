// Multiplication and addition in one: what a sum with a product as an operand becomes in a kernel.
#pragma once

#include <primal/core/math.hpp>
#include <primal/op/facets.hpp>
#include <primal/op/info.hpp>

namespace primal {

/// x * y + z, rounded once.
struct multiply_add_op : elementwise<multiply_add_op> {
  static constexpr op_name name{"multiply_add"};
  template <class T> PRIMAL_HD static constexpr T apply(T x, T y, T z) {
    return math::fma(x, y, z);
  }
};

/// x * y - z, rounded once.
struct multiply_subtract_op : elementwise<multiply_subtract_op> {
  static constexpr op_name name{"multiply_subtract"};
  template <class T> PRIMAL_HD static constexpr T apply(T x, T y, T z) {
    return math::fms(x, y, z);
  }
};

/// z - x * y, rounded once.
struct subtract_product_op : elementwise<subtract_product_op> {
  static constexpr op_name name{"subtract_product"};
  template <class T> PRIMAL_HD static constexpr T apply(T x, T y, T z) {
    return math::fnma(x, y, z);
  }
};

}  // namespace primal
