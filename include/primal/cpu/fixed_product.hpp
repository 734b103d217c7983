// fixed_product: products of small matrices whose extents are known, as straight code without a call but its own.
#pragma once

#include <primal/cpu/blas.hpp>
#include <primal/cpu/matrix_product.hpp>
#include <primal/cpu/product_tile.hpp>
#include <primal/cpu/transpose.hpp>

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

namespace primal::cpu {

/// Extents and strides of a matrix_product.
struct product_shape {
  std::int64_t rows, columns, inner;
  std::int64_t a_row, a_inner, b_inner, b_column, c_row;
  bool accumulates;
};

/// Is a product small enough that what is around its tiles would take as long as they do?
constexpr bool is_small(const product_shape& s) {
  constexpr std::int64_t most = 64;
#if defined(PRIMAL_USE_CBLAS)  // registers narrower than those of the library
  if (s.rows * s.columns * s.inner >= blas_volume<float>) return false;
#endif
  return std::min({s.rows, s.columns, s.inner}) > 0 &&
         std::max({s.rows, s.columns, s.inner}) <= most &&
         (s.b_column == 1 || s.b_inner == 1 || s.columns == 1);
}

namespace core {

/// The smallest registers that hold a row of so many columns, or whole ones. (Masked whole registers are slower, and
/// also touch what lies behind a row: a load has to wait for what was stored there.)
template <class T, std::int64_t Columns> struct register_of_columns {
  static constexpr std::size_t least = 16 / sizeof(T),
                               wanted = std::bit_ceil(static_cast<std::size_t>(Columns)),
                               count = wanted < least ? least : wanted;
  using sized = std::conditional_t<(count < lane_count<T>), xsimd::make_sized_batch<T, count>,
                                   std::type_identity<void>>;
  using type =
      std::conditional_t<std::is_void_v<typename sized::type>, lanes<T>, typename sized::type>;
};

template <class T, product_shape S> struct fixed_product {
  using V = typename register_of_columns<T, S.columns>::type;
  static constexpr int lane_count = lane_access<V>::count;
  static constexpr std::int64_t width = tile_registers * lane_count;
  /// Two tiles of middling height are faster than a high and a low one.
  static constexpr std::int64_t row_parts = (S.rows + tile_rows - 1) / tile_rows;
  static constexpr std::int64_t tile_height = (S.rows + row_parts - 1) / row_parts;
  static constexpr bool turns = S.b_column != 1 && S.columns > 1;
  static constexpr bool packs = turns || (!loads_partial_registers && S.columns % lane_count != 0);
  /// Rows shorter than the shortest register are put together in it: what is stored in pieces cannot be loaded whole
  /// at once. (The product of 2 x 2 with its gradients: 4.4 ns instead of 14.)
  static constexpr bool gathers = turns && S.columns < lane_count && lane_count <= 4;
  static constexpr std::int64_t packed_row = (S.columns + lane_count - 1) / lane_count * lane_count;

  static PRIMAL_INLINE void multiply(const T* a, const T* b, T* c) {
    if constexpr (packs) {
      alignas(64) T packed[S.inner * packed_row];
      if constexpr (gathers) gather_rows(b, packed, std::make_integer_sequence<int, lane_count>{});
      else if constexpr (turns) transpose(b, S.b_column, S.columns, S.inner, packed, packed_row);
      else
        for (std::int64_t k = 0; k < S.inner; ++k)
          for (std::int64_t j = 0; j < S.columns; ++j)
            packed[k * packed_row + j] = b[k * S.b_inner + j];
      rows_from<0>(a, packed, packed_row, c);
    } else {
      rows_from<0>(a, b, S.b_inner, c);
    }
  }

 private:
  template <int... J>
  static PRIMAL_INLINE void gather_rows(const T* b, T* packed, std::integer_sequence<int, J...>) {
    for (std::int64_t k = 0; k < S.inner; ++k)
      lane_access<V>::store(packed + k * packed_row,
                            V{(J < S.columns ? b[J * S.b_column + k * S.b_inner] : T(0))...});
  }
  template <std::int64_t I>
  static PRIMAL_INLINE void rows_from(const T* a, const T* b, std::int64_t b_row, T* c) {
    constexpr std::int64_t height = std::min(tile_height, S.rows - I);
    if constexpr (height > 0) {
      const tile_row<T> row{a + I * S.a_row, S.a_row, S.a_inner,    S.inner,
                            c + I * S.c_row, S.c_row, S.accumulates};
      columns_from<static_cast<int>(height), 0>(row, b, b_row);
      rows_from<I + height>(a, b, b_row, c);
    }
  }
  template <int Height, std::int64_t J>
  static PRIMAL_INLINE void columns_from(const tile_row<T>& row, const T* b, std::int64_t b_row) {
    constexpr std::int64_t columns = std::min(width, S.columns - J);
    if constexpr (columns > 0) {
      constexpr int registers = columns > lane_count ? tile_registers : 1;
      tile<Height, registers, V>(row, panels<T>{b + J, 0, b_row}, J, columns);
      columns_from<Height, J + columns>(row, b, b_row);
    }
  }
};

template <class T, product_shape S>
[[gnu::noinline]] void multiply_apart(const T* a, const T* b, T* c) {
  fixed_product<T, S>::multiply(a, b, c);
}
}  // namespace core

/// c = a * b or c += a * b. (Inline where a call would take as long as the product.)
template <class T, product_shape S>
PRIMAL_INLINE void multiply_fixed(const T* a, const T* b, T* c) {
  if constexpr (S.rows * S.columns * S.inner <= 64) core::fixed_product<T, S>::multiply(a, b, c);
  else core::multiply_apart<T, S>(a, b, c);
}

}  // namespace primal::cpu
