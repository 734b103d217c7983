// half_matmul: products of float16 and bfloat16 matrices, summed in float.
#pragma once

#include <primal/core/half.hpp>
#include <primal/cpu/blocked_matmul.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace primal::cpu {

template <class T>
concept half_precision = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

namespace core {

/// Extents of the blocks that are converted to float: 256 KB each.
inline constexpr std::int64_t half_block = 256;

template <half_precision T> void to_floats(const T* from, std::int64_t count, float* to) {
  std::int64_t i = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, float16>)
    for (; i + 8 <= count; i += 8)
      _mm256_storeu_ps(
          to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
#endif
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <half_precision T> void from_floats(const float* from, std::int64_t count, T* to) {
  std::int64_t i = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, float16>)
    for (; i + 8 <= count; i += 8)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
#endif
  for (; i < count; ++i) to[i] = static_cast<T>(from[i]);
}

/// A matrix in float, dense along the axis along which it was dense before.
struct float_block {
  const float* first;
  std::int64_t from_row, from_column;

  template <half_precision T>
  float_block(const T* from, std::int64_t row, std::int64_t column, std::int64_t rows,
              std::int64_t columns, float* to)
      : first(to) {
    if (column == 1) {
      from_row = columns;
      from_column = 1;
      for (std::int64_t i = 0; i < rows; ++i) to_floats(from + i * row, columns, to + i * columns);
    } else {
      from_row = 1;
      from_column = rows;
      for (std::int64_t j = 0; j < columns; ++j) {
        if (row == 1) to_floats(from + j * column, rows, to + j * rows);
        else
          for (std::int64_t i = 0; i < rows; ++i)
            to[j * rows + i] = static_cast<float>(from[i * row + j * column]);
      }
    }
  }
};

}  // namespace core

/// c = a * b, in blocks converted to float and rounded once at the end.
template <half_precision T> void multiply_half(const matrix_product<T>& p, float* scratch) {
  constexpr std::int64_t most = core::half_block;
  const std::int64_t rows = std::min(p.rows, most);
  const std::int64_t columns = std::min(p.columns, most);
  const std::int64_t inner = std::min(p.inner, most);
  float* const a = scratch;
  float* const b = a + rows * inner;
  float* const c = b + inner * columns;
  float* const panels = c + rows * columns;
  for (std::int64_t i = 0; i < p.rows; i += most)
    for (std::int64_t j = 0; j < p.columns; j += most) {
      const std::int64_t m = std::min(most, p.rows - i);
      const std::int64_t n = std::min(most, p.columns - j);
      for (std::int64_t k = 0; k < p.inner; k += most) {
        const auto part = p.block(i, m, j, n, k, std::min(most, p.inner - k));
        const core::float_block left(part.a, p.a_row, p.a_inner, m, part.inner, a);
        const core::float_block right(part.b, p.b_inner, p.b_column, part.inner, n, b);
        multiply_blocked(
            matrix_product<float>{left.first, right.first, c, m, n, part.inner, left.from_row,
                                  left.from_column, right.from_row, right.from_column, n, k > 0},
            panels);
      }
      for (std::int64_t r = 0; r < m; ++r)
        core::from_floats(c + r * n, n, p.c + (i + r) * p.c_row + j);
    }
}

/// The floats of scratch memory that multiply_half needs.
constexpr std::int64_t half_scratch(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  const std::int64_t m = std::min(rows, core::half_block);
  const std::int64_t n = std::min(columns, core::half_block);
  const std::int64_t k = std::min(inner, core::half_block);
  return m * k + k * n + m * n + blocked_scratch<float>(m, n, k);
}

}  // namespace primal::cpu
