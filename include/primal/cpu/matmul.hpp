// matmul: products of two matrices on the CPU.
#pragma once

#include <primal/cpu/blas.hpp>
#include <primal/cpu/blocked_matmul.hpp>
#include <primal/cpu/half_matmul.hpp>
#include <primal/cpu/integer_matmul.hpp>
#include <primal/cpu/threads.hpp>
#include <primal/cpu/vector_product.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace primal::cpu {

/// The alignment, in bytes, that multiply gives its scratch memory by skipping the first few.
inline constexpr std::size_t scratch_alignment = 64;

/// The bytes of scratch memory that multiply<T> needs for a product of these extents, of any
/// alignment. At most 0.32 MB for float and double, 1.1 MB for 16-bit floats.
template <class T>
constexpr std::size_t multiply_scratch_bytes(std::int64_t rows, std::int64_t columns,
                                             std::int64_t inner) {
  std::size_t bytes = 0;
  if constexpr (std::integral<T>)
    bytes = static_cast<std::size_t>(integer_scratch(columns, inner)) * sizeof(T);
  else if constexpr (half_precision<T>)
    bytes = static_cast<std::size_t>(half_scratch(rows, columns, inner)) * sizeof(float);
  else bytes = static_cast<std::size_t>(blocked_scratch<T>(rows, columns, inner)) * sizeof(T);
  return bytes + scratch_alignment;
}

/// c = a * b by primal's own loops. The result depends on the operands alone.
template <class T> void multiply_without_blas(const matrix_product<T>& p, std::byte* scratch) {
  if (p.rows <= 0 || p.columns <= 0) return;
  if (p.inner <= 0) {
    if (p.accumulates) return;
    for (std::int64_t i = 0; i < p.rows; ++i) std::fill_n(p.c + i * p.c_row, p.columns, T());
    return;
  }
  const auto misaligned = reinterpret_cast<std::uintptr_t>(scratch) % scratch_alignment;
  if (misaligned != 0) scratch += scratch_alignment - misaligned;
  if constexpr (std::integral<T>) {
    multiply_integers(p, reinterpret_cast<T*>(scratch));
  } else if constexpr (half_precision<T>) {
    multiply_half(p, reinterpret_cast<float*>(scratch));
  } else {
    if (p.rows == 1 || p.columns == 1) multiply_vector(p);
    else multiply_blocked(p, reinterpret_cast<T*>(scratch));
  }
}

/// Whether a CBLAS library takes a product.
template <class T> bool goes_to_blas([[maybe_unused]] const matrix_product<T>& p) {
#if defined(PRIMAL_USE_CBLAS)
  if constexpr (std::floating_point<T>)
    return p.rows > 0 && p.columns > 0 && p.inner > 0 && prefers_blas(p);
#endif
  return false;
}

/// c = a * b, or c += a * b. Any extent may be 0; a sum of no products is 0. float16 and bfloat16 are
/// summed in float and rounded once, integers wrap, bool is combined with `or`. One axis of a and of b
/// should be dense; other strides work, slowly.
template <class T> void multiply(const matrix_product<T>& p, std::byte* scratch) {
#if defined(PRIMAL_USE_CBLAS)
  if constexpr (std::floating_point<T>)
    if (goes_to_blas(p) && multiply_by_blas(p)) return;
#endif
  multiply_without_blas(p, scratch);
}

/// Products so narrow need scratch memory that depends on the rows; but not a matrix times a vector that lies along its
/// rows.
template <class T> constexpr bool has_rows_to_share(const matrix_product<T>& p) {
  if (std::floating_point<T> && p.columns == 1) return p.a_inner == 1;
  if constexpr (std::integral<T>) return true;
  else if constexpr (half_precision<T>) return p.columns > tile_columns<float>;
  else return p.columns > tile_columns<T>;
}

/// Thread t of n calculates some rows of c. Each has the bits that it has in the whole product: primal's own loops
/// add up an element in one order, whatever rows are beside it, and a CBLAS library gets a product whole.
template <class T>
void multiply_share(const matrix_product<T>& p, int t, int n, std::byte* scratch) {
  constexpr std::int64_t unit = 16;  // rows of whole tiles
  const std::int64_t units = p.rows / unit;
  if (n == 1 || units < n || !has_rows_to_share(p) || goes_to_blas(p)) {
    if (t == 0) multiply(p, scratch);
    return;
  }
  const auto first = unit * share_begin(units, t, n);
  const auto last = t + 1 == n ? p.rows : unit * share_begin(units, t + 1, n);
  multiply_without_blas(p.block(first, last - first, 0, p.columns, 0, p.inner), scratch);
}

}  // namespace primal::cpu
