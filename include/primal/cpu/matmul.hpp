// matmul: products of two matrices on the CPU.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/core/math.hpp>

#include <cstddef>
#include <cstdint>

namespace primal::cpu {

/// c = a * b. Columns of c are 1 apart; a and b are read as they lie, transposed or not.
template <class T>
struct matrix_product {
  const T* a;
  const T* b;
  T* c;
  std::int64_t rows, columns, inner;
  std::int64_t a_row, a_inner, b_inner, b_column, c_row;
};

/// The bytes that multiply<T> needs for a product of these extents; no alignment is asked of them.
template <class T>
constexpr std::size_t multiply_scratch_bytes(std::int64_t, std::int64_t, std::int64_t) {
  return 0;
}

/// c = a * b, overwriting c, which overlaps neither a nor b.
template <class T>
void multiply(const matrix_product<T>& p, std::byte*) {
  using sum_type = element_of<compute_dtype(dtype_of<T>)>;
  for (std::int64_t i = 0; i < p.rows; ++i)
    for (std::int64_t j = 0; j < p.columns; ++j) {
      sum_type sum(0);
      for (std::int64_t k = 0; k < p.inner; ++k)
        sum = math_of<sum_type>::fma(static_cast<sum_type>(p.a[i * p.a_row + k * p.a_inner]),
                                     static_cast<sum_type>(p.b[k * p.b_inner + j * p.b_column]), sum);
      p.c[i * p.c_row + j] = static_cast<T>(sum);
    }
}

}  // namespace primal::cpu
