// integer_matmul: products of integer matrices, which wrap, and of bool matrices.
#pragma once

#include <primal/cpu/matrix_product.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>

namespace primal::cpu {

namespace core {

inline constexpr std::int64_t integer_block = 64;

/// c + a * b modulo two to the number of bits; of bool, c or (a and b).
template <std::integral T> PRIMAL_INLINE T multiply_add(T a, T b, T c) {
  if constexpr (std::is_same_v<T, bool>) {
    return c || (a && b);
  } else {
    // Smaller unsigned types would be promoted to int, which overflows with undefined behaviour.
    using word =
        std::conditional_t<(sizeof(T) > sizeof(unsigned)), std::make_unsigned_t<T>, unsigned>;
    return static_cast<T>(static_cast<word>(c) + static_cast<word>(a) * static_cast<word>(b));
  }
}

}  // namespace core

/// The elements of scratch memory that multiply_integers needs: a block of b.
constexpr std::int64_t integer_scratch(std::int64_t columns, std::int64_t inner) {
  return std::min(columns, core::integer_block) * std::min(inner, core::integer_block);
}

/// c = a * b, summed in T.
template <std::integral T> void multiply_integers(const matrix_product<T>& p, T* scratch) {
  for (std::int64_t i = 0; i < p.rows; ++i) std::fill_n(p.c + i * p.c_row, p.columns, T(0));
  for (std::int64_t first = 0; first < p.columns; first += core::integer_block)
    for (std::int64_t begin = 0; begin < p.inner; begin += core::integer_block) {
      const auto part = p.block(0, p.rows, first, std::min(core::integer_block, p.columns - first),
                                begin, std::min(core::integer_block, p.inner - begin));
      const T* b = part.b;
      std::int64_t b_row = p.b_inner;
      if (p.b_column != 1) {
        for (std::int64_t j = 0; j < part.columns; ++j)
          for (std::int64_t k = 0; k < part.inner; ++k)
            scratch[k * part.columns + j] = b[k * p.b_inner + j * p.b_column];
        b = scratch;
        b_row = part.columns;
      }
      for (std::int64_t i = 0; i < p.rows; ++i)
        for (std::int64_t k = 0; k < part.inner; ++k) {
          const T left = part.a[i * p.a_row + k * p.a_inner];
          const T* right = b + k * b_row;
          T* sums = part.c + i * p.c_row;
          for (std::int64_t j = 0; j < part.columns; ++j)
            sums[j] = core::multiply_add(left, right[j], sums[j]);
        }
    }
}

}  // namespace primal::cpu
