// pack: parts of a matrix copied so that a register tile reads them from one stream.
#pragma once

#include <primal/cpu/partial.hpp>
#include <primal/cpu/transpose.hpp>

#include <cstdint>
#include <cstring>

namespace primal::cpu {

/// Part of a matrix as vectors (rows of a, columns of b), each a summand after the other.
template <class T> struct vectors_of {
  const T* first;
  std::int64_t from_vector, from_summand;
  std::int64_t count, inner;
};

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
