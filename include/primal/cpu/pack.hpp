// pack: parts of a matrix copied so that a register tile reads them from one stream.
#pragma once

#include <primal/cpu/partial.hpp>

#include <cstdint>
#include <cstring>

namespace primal::cpu {

/// Part of a matrix as vectors (rows of a, columns of b), each a summand after the other.
template <class T> struct vectors_of {
  const T* first;
  std::int64_t from_vector, from_summand;
  std::int64_t count, inner;
};

namespace core {

#if defined(__clang__) || __GNUC__ >= 12
/// A 4 x 4 block, transposed in registers: the scalar loop costs 1 to 2 cycles an element, this a
/// third of one.
template <class T>
PRIMAL_INLINE void transpose_block(const T* from, std::int64_t from_row, T* to,
                                   std::int64_t to_row) {
  using quad [[gnu::vector_size(4 * sizeof(T))]] = T;
  quad x[4];
  for (int i = 0; i < 4; ++i) std::memcpy(&x[i], from + i * from_row, sizeof(quad));
  const quad a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
  const quad b = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  const quad c = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
  const quad d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
  for (int i = 0; i < 4; ++i) std::memcpy(to + i * to_row, &x[i], sizeof(quad));
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
      to[k * to_row + i] = from[i * from_row + k];
}

/// to[k * Width + i] = summand k of vector i, and 0 for the vectors that `v` lacks to Width.
template <std::int64_t Width, class T> [[gnu::noinline]] void pack(const vectors_of<T>& v, T* to) {
  using V = xsimd::batch<T>;
  constexpr std::int64_t lanes = static_cast<std::int64_t>(V::size);
  if (v.from_vector == 1 && v.count == Width) {
    const T* from = v.first;
    for (std::int64_t k = 0; k < v.inner; ++k, from += v.from_summand, to += Width)
      std::memcpy(to, from, Width * sizeof(T));
    return;
  }
  if constexpr (Width % lanes == 0)
    if (v.from_vector == 1) {
      const T* from = v.first;
      for (std::int64_t k = 0; k < v.inner; ++k, from += v.from_summand, to += Width)
        for (std::int64_t i = 0; i < Width; i += lanes) {
          const std::int64_t left = v.count - i;
          V part(T(0));
          if (left >= lanes) part = V::load_unaligned(from + i);
          else if (left > 0) part = load_first<V>(from + i, static_cast<int>(left));
          part.store_unaligned(to + i);
        }
      return;
    }
  if (v.from_summand == 1) {
    transpose(v.first, v.from_vector, v.count, v.inner, to, Width);
  } else {
    for (std::int64_t k = 0; k < v.inner; ++k)
      for (std::int64_t i = 0; i < v.count; ++i)
        to[k * Width + i] = v.first[i * v.from_vector + k * v.from_summand];
  }
  if (v.count < Width)
    for (std::int64_t k = 0; k < v.inner; ++k)
      for (std::int64_t i = v.count; i < Width; ++i) to[k * Width + i] = T(0);
}

}  // namespace primal::cpu
