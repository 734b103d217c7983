// blocked_matmul: matrix products from register tiles, in blocks that stay in the caches.
#pragma once

#include <primal/cpu/matrix_product.hpp>
#include <primal/cpu/pack.hpp>
#include <primal/cpu/product_tile.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace primal::cpu {

/// Summands of a block. 12 rows of a, 12 KB in float, stay in the first-level cache.
template <class T> inline constexpr std::int64_t block_inner = 1024 / sizeof(T);

/// Columns of a block. The packed block of b, 256 KB, stays in the second-level cache.
template <class T> inline constexpr std::int64_t block_columns = 256;

namespace core {

/// The best number of parts of at most `most` for n, all but equal: their size, a multiple of `unit`.
constexpr std::int64_t even_part(std::int64_t n, std::int64_t most, std::int64_t unit) {
  const std::int64_t parts = std::max<std::int64_t>(1, (n + most - 1) / most);
  return ((n + parts - 1) / parts + unit - 1) / unit * unit;
}

/// A block of b.
template <class T> struct right_block {
  panels<T> whole;
  panels<T> rest;  ///< the last panel, narrower than tile_columns
};

template <int Rows, class T>
[[gnu::noinline]] void multiply_tile_row(const tile_row<T>& row, const right_block<T>& b,
                                         std::int64_t columns) {
  constexpr std::int64_t width = tile_columns<T>;
  std::int64_t j = 0;
  panels<T> panel = b.whole;
  for (; j + width <= columns; j += width, panel.first += panel.from_panel)
    multiply_tile<Rows, tile_registers>(row, panel, j, width);
  if (columns - j > lane_count<T>) multiply_tile<Rows, tile_registers>(row, b.rest, j, columns - j);
  else if (columns > j) multiply_tile<Rows, 1>(row, b.rest, j, columns - j);
}

/// Calls f with the number of rows, a constant, of the next row of tiles. Two tiles of middling height
/// are faster than a high and a low one.
template <class F> PRIMAL_INLINE std::int64_t with_tile_rows(std::int64_t left, F f) {
  constexpr int middle = tile_rows > 8 ? 8 : 4;
  const auto take = [&](auto rows) PRIMAL_LAMBDA_INLINE {
    f(rows);
    return std::int64_t{rows};
  };
  if (left >= tile_rows && left != 2 * middle)
    return take(std::integral_constant<int, tile_rows>{});
  if (left >= middle) return take(std::integral_constant<int, middle>{});
  if constexpr (middle > 4)
    if (left >= 4) return take(std::integral_constant<int, 4>{});
  if (left >= 2) return take(std::integral_constant<int, 2>{});
  return take(std::integral_constant<int, 1>{});
}

/// One block of b times all rows of a.
template <class T> void multiply_block(const matrix_product<T>& p, T* scratch) {
  constexpr std::int64_t width = tile_columns<T>;
  const bool packs_right =
      p.b_column != 1 ||
      (p.rows > 8 * tile_rows && p.inner * p.b_inner > 65536 / std::int64_t{sizeof(T)});
  const std::int64_t whole = p.columns / width * width;
  right_block<T> b{{p.b, width, p.b_inner}, {p.b + whole, width, p.b_inner}};
  const auto packed = [&](std::int64_t j, std::int64_t columns) {
    pack<width>(vectors_of<T>{p.b + j * p.b_column, p.b_column, p.b_inner, columns, p.inner},
                scratch);
    const T* panel = scratch;
    scratch += width * p.inner;
    return panel;
  };
  if (packs_right) {
    b.whole = {scratch, width * p.inner, width};
    for (std::int64_t j = 0; j < whole; j += width) packed(j, width);
  }
  if (whole < p.columns && (packs_right || !loads_partial_registers))
    b.rest = {packed(whole, p.columns - whole), 0, width};

  const bool packs_left =
      p.a_inner != 1 && p.columns > 4 * width && p.a_inner > 2048 / std::int64_t{sizeof(T)};
  for (std::int64_t i = 0; i < p.rows;) {
    i += with_tile_rows(p.rows - i, [&](auto rows) PRIMAL_LAMBDA_INLINE {
      tile_row<T> row{p.a + i * p.a_row, p.a_row, p.a_inner,    p.inner,
                      p.c + i * p.c_row, p.c_row, p.accumulates};
      if (packs_left) {
        pack<rows>(vectors_of<T>{row.a, p.a_row, p.a_inner, rows, p.inner}, scratch);
        row.a = scratch;
        row.a_row = 1;
        row.a_inner = rows;
      }
      multiply_tile_row<rows>(row, b, p.columns);
    });
  }
}

/// Block after block.
template <class T> void multiply_in_blocks(const matrix_product<T>& p, T* scratch) {
  const std::int64_t columns = even_part(p.columns, block_columns<T>, tile_columns<T>);
  const std::int64_t inner = even_part(p.inner, block_inner<T>, 1);
  for (std::int64_t j = 0; j < p.columns; j += columns)
    for (std::int64_t k = 0; k < p.inner; k += inner) {
      auto part =
          p.block(0, p.rows, j, std::min(columns, p.columns - j), k, std::min(inner, p.inner - k));
      part.accumulates = p.accumulates || k > 0;
      multiply_block(part, scratch);
    }
}

/// Whether c fills so few lanes of its registers that it pays to calculate its transpose. The costs
/// are cycles for each summand of a product: of registers multiplied, and of elements transposed.
template <class T> constexpr bool is_narrow(const matrix_product<T>& p) {
  if (p.columns > tile_columns<T> || p.rows < tile_columns<T>) return false;
  const auto registers = [](std::int64_t n) { return (n + lane_count<T> - 1) / lane_count<T>; };
  const std::int64_t plain = p.rows * registers(p.columns);
  const std::int64_t transposed = p.columns * registers(p.rows);
  const std::int64_t packing = p.a_row == 1 ? 0 : p.rows * (sizeof(T) == 4 ? 3 : 7) / 8;
  const std::int64_t result = p.rows * p.columns * 3 / (4 * p.inner);
  return transposed + packing + result < plain;
}

/// c = a * b by way of the transpose of c.
template <class T> void multiply_narrow(const matrix_product<T>& p, T* scratch) {
  T* const transposed = scratch;
  scratch += p.columns * block_columns<T>;
  for (std::int64_t i = 0; i < p.rows; i += block_columns<T>) {
    const std::int64_t rows = std::min(block_columns<T>, p.rows - i);
    multiply_in_blocks(matrix_product<T>{p.b, p.a + i * p.a_row, transposed, p.columns, rows,
                                         p.inner, p.b_column, p.b_inner, p.a_inner, p.a_row, rows},
                       scratch);
    transpose(transposed, rows, p.columns, rows, p.c + i * p.c_row, p.c_row);
  }
}

}  // namespace core

/// c = a * b, or c += a * b.
template <std::floating_point T> void multiply_blocked(const matrix_product<T>& p, T* scratch) {
  if (!p.accumulates && core::is_narrow(p)) core::multiply_narrow(p, scratch);
  else core::multiply_in_blocks(p, scratch);
}

/// The elements of scratch memory that multiply_blocked needs: a packed block of b, a packed row of
/// tiles of a, and the transposed result of a narrow product.
template <std::floating_point T>
constexpr std::int64_t blocked_scratch(std::int64_t rows, std::int64_t columns,
                                       std::int64_t inner) {
  const bool narrow = columns <= tile_columns<T>;
  const std::int64_t wide = core::even_part(narrow ? std::max(rows, columns) : columns,
                                            block_columns<T>, tile_columns<T>);
  const std::int64_t panels = std::min(inner, block_inner<T>) * (wide + tile_rows);
  return panels + (narrow ? columns * block_columns<T> : 0);
}

}  // namespace primal::cpu
