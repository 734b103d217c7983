// matrix_product: what is multiplied with what, and where the result goes.
#pragma once

#include <primal/core/config.hpp>

#include <cstdint>

namespace primal::cpu {

/// c = a * b, or c += a * b; c[i, j] = sum over k of a[i, k] * b[k, j]. Strides count elements. Columns of c are 1
/// apart; a and b are read as they lie, transposed or not. c overlaps neither a nor b.
template <class T> struct matrix_product {
  const T* a;
  const T* b;
  T* c;
  std::int64_t rows, columns, inner;
  std::int64_t a_row, a_inner, b_inner, b_column, c_row;
  bool accumulates = false;  ///< adds to c; of float and double alone

  /// The part with these rows, columns and summands.
  PRIMAL_INLINE constexpr matrix_product block(std::int64_t row, std::int64_t row_count,
                                               std::int64_t column, std::int64_t column_count,
                                               std::int64_t summand,
                                               std::int64_t summand_count) const {
    matrix_product part = *this;
    part.a += row * a_row + summand * a_inner;
    part.b += summand * b_inner + column * b_column;
    part.c += row * c_row + column;
    part.rows = row_count;
    part.columns = column_count;
    part.inner = summand_count;
    return part;
  }
};

}  // namespace primal::cpu
