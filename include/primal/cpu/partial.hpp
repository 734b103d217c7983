// partial: the last piece of a row, of which only the first n lanes exist.
#pragma once

#include <primal/cpu/lanes.hpp>
#include <primal/cpu/masked.hpp>
#include <primal/kernel/execute.hpp>

#include <cstring>

namespace primal::cpu {

/// The first n elements; the other lanes are 0.
template <class V, class M> PRIMAL_INLINE V load_first(const M* p, int n) {
  using T = typename lane_access<V>::element;
  using mask = masked<T, sizeof(V)>;
  if constexpr (mask::exists && std::is_same_v<T, M>) {
    return V(mask::load(p, n));
  } else {
    alignas(64) T t[lane_access<V>::count] = {};
    for (int i = 0; i < n; ++i) t[i] = static_cast<T>(p[i]);
    return lane_access<V>::load(t);
  }
}

template <class V, class M> PRIMAL_INLINE void store_first(M* p, const V& x, int n) {
  using T = typename lane_access<V>::element;
  using mask = masked<T, sizeof(V)>;
  if constexpr (mask::exists && std::is_same_v<T, M>) {
    mask::store(p, x, n);
  } else {
    alignas(64) T t[lane_access<V>::count];
    lane_access<V>::store(t, x);
    for (int i = 0; i < n; ++i) p[i] = static_cast<M>(t[i]);
  }
}

/// The same without a mask: such a store waits for its line of memory, in which all that comes after it wait as well.
/// (Rows of 768 floats that begin within a line, past the caches: 1.8 times as fast.)
template <class V, class M> PRIMAL_INLINE void store_first_in_parts(M* p, const V& x, int n) {
  using lane = lane_access<V>;
  using T = typename lane::element;
  alignas(64) T t[lane::count];
  lane::store(t, x);
  int i = 0;
  const auto part = [&]<int Size>(std::integral_constant<int, Size>) PRIMAL_LAMBDA_INLINE {
    if ((n & Size) == 0) return;
    std::memcpy(p + i, t + i, Size * sizeof(T));
    i += Size;
  };
  part(std::integral_constant<int, 8>{});
  part(std::integral_constant<int, 4>{});
  part(std::integral_constant<int, 2>{});
  part(std::integral_constant<int, 1>{});
}

/// As many elements as a register has lanes or, if `Partial`, the first n.
template <bool Partial, class V, class M> PRIMAL_INLINE V load_piece(const M* p, int n) {
  using lane = lane_access<V>;
  using T = typename lane::element;
  if constexpr (Partial) {
    return load_first<V>(p, n);
  } else if constexpr (std::is_same_v<T, M>) {
    return lane::load(p);
  } else {
    alignas(64) T t[lane::count];
    for (int i = 0; i < lane::count; ++i) t[i] = static_cast<T>(p[i]);
    return lane::load(t);
  }
}
template <bool Partial, class V, class M> PRIMAL_INLINE void store_piece(M* p, const V& x, int n) {
  using lane = lane_access<V>;
  using T = typename lane::element;
  if constexpr (Partial) {
    store_first(p, x, n);
  } else if constexpr (std::is_same_v<T, M>) {
    lane::store(p, x);
  } else {
    alignas(64) T t[lane::count];
    lane::store(t, x);
    for (int i = 0; i < lane::count; ++i) p[i] = static_cast<M>(t[i]);
  }
}

/// The bytes of a line of memory.
inline constexpr std::uintptr_t line = 64;
/// Are registers as wide as a line? Then memory can be written past the caches.
inline constexpr bool registers_fill_lines = sizeof(xsimd::batch<float>) == line;
/// The same for a whole register; past the caches if it is `streamed`, and then a line of memory.
template <class V, class M>
PRIMAL_INLINE void store_whole(M* p, const V& x, [[maybe_unused]] bool streamed) {
#if defined(__AVX512F__)
  if constexpr (registers_fill_lines && std::is_same_v<V, xsimd::batch<M>>)
    if (__builtin_expect(streamed, 0))
      return _mm512_stream_si512(reinterpret_cast<__m512i*>(p), __builtin_bit_cast(__m512i, x));
#endif
  store_piece<false>(p, x, 0);
}

/// x in the first n lanes, `other` in the rest.
template <class V, class T> PRIMAL_INLINE V keep_first(const V& x, T other, int n) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<V, xsimd::batch<float>>)
    return _mm512_mask_blend_ps(static_cast<__mmask16>((1u << n) - 1u), _mm512_set1_ps(other), x);
  else if constexpr (std::is_same_v<V, xsimd::batch<double>>)
    return _mm512_mask_blend_pd(static_cast<__mmask8>((1u << n) - 1u), _mm512_set1_pd(other), x);
  else
#endif
      if constexpr (sizeof(V) <= most_words * sizeof(std::int32_t) &&
                    std::is_same_v<V, xsimd::batch<T>> && std::is_floating_point_v<T>) {
    V kept;
    std::memcpy(&kept, first_words<T>(n), sizeof kept);
    return (x & kept) | (V(other) & ~kept);
  } else {
    alignas(64) T t[lane_access<V>::count];
    lane_access<V>::store(t, x);
    for (int i = n; i < lane_access<V>::count; ++i) t[i] = other;
    return lane_access<V>::load(t);
  }
}

}  // namespace primal::cpu
