// product_tile: the part of a matrix product whose sums fit in the registers.
#pragma once

#include <primal/cpu/partial.hpp>

#include <cstdint>
#include <utility>

namespace primal::cpu {

template <class T> using lanes = xsimd::batch<T>;
template <class T> inline constexpr int lane_count = static_cast<int>(lanes<T>::size);

/// Rows of the largest tile, which is two registers wide. Its sums, two registers of b and one
/// element of a must fit in the 16 registers of SSE and AVX, or the 32 of AVX-512 and AArch64.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int tile_rows = 12;
#else
inline constexpr int tile_rows = 6;
#endif
inline constexpr int tile_registers = 2;

/// Columns of the largest tile.
template <class T> inline constexpr std::int64_t tile_columns = tile_registers * lane_count<T>;

/// Whether a masked load of the first lanes of a register costs no more than a whole one.
inline constexpr bool loads_partial_registers = sizeof(lanes<float>) == 64;

/// What the tiles of one row of tiles have in common.
template <class T> struct tile_row {
  const T* a;
  std::int64_t a_row, a_inner;
  std::int64_t inner;
  T* c;
  std::int64_t c_row;
  bool accumulates;  ///< adds to c
};

/// f(0), f(1), ... f(Count - 1), where f(int) is inlined, so that it sees constants. A loop with an unroll pragma
/// keeps an array that it indexes in memory at -O2 with g++ 12.
template <class F, int... I> PRIMAL_INLINE void unrolled(F f, std::integer_sequence<int, I...>) {
  (f(I), ...);
}
template <int Count, class F> PRIMAL_INLINE void unrolled(F f) {
  unrolled(f, std::make_integer_sequence<int, Count>{});
}

/// Panels of b, each tile_columns wide: packed, or as they lie.
template <class T> struct panels {
  const T* first;
  std::int64_t from_panel, from_row;
};

/// c[0 .. Rows, column .. column + columns] = a * b or += a * b, at most Registers registers wide.
/// Unless loads_partial_registers, b can be read to the end of the last register. V is the type of a register.
template <int Rows, int Registers, class V, class T>
PRIMAL_INLINE void tile(const tile_row<T>& row, const panels<T>& right, std::int64_t column,
                        std::int64_t columns) {
  constexpr int count = lane_access<V>::count;
  const bool whole = columns == Registers * count;
  const int last = static_cast<int>(columns) - (Registers - 1) * count;

  // One row after another. (A loop in a loop costs three times the instantiations.)
  constexpr int all = Rows * Registers;
  V sums[all];
  unrolled<all>([&](int n) PRIMAL_LAMBDA_INLINE { sums[n] = V(T(0)); });

  // The result would be far away when the sums are complete, unless they are short.
  if (row.inner > 8)
    for (int i = 0; i < Rows; ++i)
      for (int r = 0; r < Registers; ++r)
        __builtin_prefetch(row.c + column + i * row.c_row + r * count, 1);

  // Four rows of a share a pointer: there are not enough registers for one each.
  constexpr int groups = (Rows + 3) / 4;
  const T* a[groups];
  const std::int64_t a_row = row.a_row;
  const std::int64_t three_rows = 3 * a_row;
  for (int g = 0; g < groups; ++g) a[g] = row.a + 4 * g * a_row;
  const T* b = right.first;
  for (std::int64_t k = row.inner; k > 0; --k) {
    V x[Registers];
    for (int r = 0; r < Registers - 1; ++r) x[r] = V::load_unaligned(b + r * count);
    if (loads_partial_registers && !whole)
      x[Registers - 1] = load_first<V>(b + (Registers - 1) * count, last);
    else x[Registers - 1] = V::load_unaligned(b + (Registers - 1) * count);
    V left{};
    unrolled<all>([&](int n) PRIMAL_LAMBDA_INLINE {
      const int i = n / Registers;
      if (n % Registers == 0) left = V(a[i / 4][i % 4 == 3 ? three_rows : i % 4 * a_row]);
      sums[n] = math_of<V>::fma(left, x[n % Registers], sums[n]);
    });
    for (const T*& rows : a) rows += row.a_inner;
    b += right.from_row;
  }

  T* c = row.c + column;
  const std::int64_t c_row = row.c_row;
  if (row.accumulates)
    unrolled<all>([&](int n) PRIMAL_LAMBDA_INLINE {
      const T* from = c + n / Registers * c_row + n % Registers * count;
      if (n % Registers < Registers - 1 || whole) sums[n] = sums[n] + V::load_unaligned(from);
      else sums[n] = sums[n] + load_first<V>(from, last);
    });
  unrolled<all>([&](int n) PRIMAL_LAMBDA_INLINE {
    T* to = c + n / Registers * c_row + n % Registers * count;
    if (n % Registers < Registers - 1 || whole) sums[n].store_unaligned(to);
    else store_first(to, sums[n], last);
  });
}
template <int Rows, int Registers, class T>
[[gnu::noinline]] void multiply_tile(const tile_row<T>& row, const panels<T>& right,
                                     std::int64_t column, std::int64_t columns) {
  tile<Rows, Registers, lanes<T>>(row, right, column, columns);
}

}  // namespace primal::cpu
