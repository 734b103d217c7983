// transpose: rows of a matrix become columns.
#pragma once

#include <primal/cpu/shuffles.hpp>

#include <cstring>

namespace primal::cpu {

namespace core {

#if defined(PRIMAL_SHUFFLES)
template <class T>
PRIMAL_INLINE void transpose_block(const T* from, std::int64_t from_row, T* to,
                                   std::int64_t to_row) {
  using four = shuffled<T, 4>;
  transpose_fours<T, 4>(
      [&](auto& x, int i) PRIMAL_LAMBDA_INLINE { four::load(x, from + i * from_row); },
      [&](const auto& x, int i) PRIMAL_LAMBDA_INLINE { four::store(x, to + i * to_row); });
}
#else
template <class T>
PRIMAL_INLINE void transpose_block(const T* from, std::int64_t from_row, T* to,
                                   std::int64_t to_row) {
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) to[k * to_row + i] = from[i * from_row + k];
}
#endif

}  // namespace core

/// to[k * to_row + i] = from[i * from_row + k] for i < count, k < inner.
template <class T>
PRIMAL_INLINE void transpose(const T* from, std::int64_t from_row, std::int64_t count,
                             std::int64_t inner, T* to, std::int64_t to_row) {
  const std::int64_t blocked_count = count - count % 4;
  const std::int64_t blocked_inner = inner - inner % 4;
  for (std::int64_t i = 0; i < blocked_count; i += 4)
    for (std::int64_t k = 0; k < blocked_inner; k += 4)
      core::transpose_block(from + i * from_row + k, from_row, to + k * to_row + i, to_row);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = i < blocked_count ? blocked_inner : 0; k < inner; ++k)
      std::memcpy(to + k * to_row + i, from + i * from_row + k, sizeof(T));
}

#if defined(PRIMAL_SHUFFLES)
namespace core {

/// Where the fours of a row begin. The last one may contain elements of the one before.
template <class F> PRIMAL_INLINE void for_each_four(std::int64_t inner, F f) {
  for (std::int64_t k = 0; k < inner; k += 4) f(inner - k < 4 ? inner - 4 : k);
}

/// Width whole rows and registers; false if there is no way to do it in registers.
template <int Width, class T>
PRIMAL_INLINE bool whole_rows_to_registers(const T* from, std::int64_t from_row, std::int64_t inner,
                                           T* to) {
  if (from_row == inner && inner == 2) narrow_rows<T, Width, 2>::to_registers(from, to);
  else if (from_row == inner && inner == 3) narrow_rows<T, Width, 3>::to_registers(from, to);
  else if (inner >= 4)
    for_each_four(inner, [&](std::int64_t k) PRIMAL_LAMBDA_INLINE {
      transpose_fours<T, Width>(
          [&](auto& x, int i) PRIMAL_LAMBDA_INLINE {
            fours<T, Width>::load(x, from + i * from_row + k, 4 * from_row);
          },
          [&](const auto& x, int i)
              PRIMAL_LAMBDA_INLINE { shuffled<T, Width>::store(x, to + (k + i) * Width); });
    });
  else return false;
  return true;
}
template <int Width, class T>
PRIMAL_INLINE bool registers_to_whole_rows(const T* from, std::int64_t inner, T* to,
                                           std::int64_t to_row) {
  if (to_row == inner && inner == 2) narrow_rows<T, Width, 2>::from_registers(from, to);
  else if (to_row == inner && inner == 3) narrow_rows<T, Width, 3>::from_registers(from, to);
  else if (inner >= 4)
    for_each_four(inner, [&](std::int64_t k) PRIMAL_LAMBDA_INLINE {
      transpose_fours<T, Width>(
          [&](auto& x, int i)
              PRIMAL_LAMBDA_INLINE { shuffled<T, Width>::load(x, from + (k + i) * Width); },
          [&](const auto& x, int i)
              PRIMAL_LAMBDA_INLINE { fours<T, Width>::store(x, to + i * to_row + k, 4 * to_row); });
    });
  else return false;
  return true;
}

}  // namespace core
#endif

/// The same for at most Width rows that become registers, and back: what is stored in one piece is loaded without
/// waiting. (Functions of their own, which kernels share.)
template <int Width, class T>
__attribute__((noinline)) void rows_to_registers(const T* from, std::int64_t from_row,
                                                 std::int64_t count, std::int64_t inner, T* to) {
#if defined(PRIMAL_SHUFFLES)
  if constexpr (Width % 4 == 0)
    if (count == Width && core::whole_rows_to_registers<Width>(from, from_row, inner, to)) return;
#endif
  transpose(from, from_row, count, inner, to, Width);
}
template <int Width, class T>
__attribute__((noinline)) void registers_to_rows(const T* from, std::int64_t count,
                                                 std::int64_t inner, T* to, std::int64_t to_row) {
#if defined(PRIMAL_SHUFFLES)
  if constexpr (Width % 4 == 0)
    if (count == Width && core::registers_to_whole_rows<Width>(from, inner, to, to_row)) return;
#endif
  transpose(from, Width, inner, count, to, to_row);
}

}  // namespace primal::cpu
