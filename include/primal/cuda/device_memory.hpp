// device_memory: neighbouring elements in as few loads and stores as there can be, and atomic addition of integers.
#pragma once

#include <primal/kernel/lane_memory.hpp>

#include <cuda_runtime.h>

namespace primal::on_cuda {

/// `Width` elements that are loaded and stored together. The launch checks that they are aligned.
template <class M, int Width> struct alignas(sizeof(M) * Width < 16 ? sizeof(M) * Width : 16) pack {
  M item[Width];
};

/// How far the packs of a type must be aligned.
constexpr std::int64_t alignment_of(std::int64_t element_size, int width) {
  return element_size * width < 16 ? element_size * width : 16;
}

struct device_memory {
  template <class V, class M> __device__ __forceinline__ static V load(const M* p) {
    using element = std::remove_const_t<M>;
    constexpr int width = sizeof(V::part) / sizeof(V::part[0]);
    const auto packed = *reinterpret_cast<const pack<element, width>*>(p);
    V x;
#pragma unroll
    for (int i = 0; i < width; ++i) x.part[i] = static_cast<part_of<V>>(packed.item[i]);
    return x;
  }
  template <class V, class M> __device__ __forceinline__ static void store(M* p, const V& x) {
    constexpr int width = sizeof(V::part) / sizeof(V::part[0]);
    pack<M, width> packed;
#pragma unroll
    for (int i = 0; i < width; ++i) packed.item[i] = static_cast<M>(x.part[i]);
    *reinterpret_cast<pack<M, width>*>(p) = packed;
  }

  /// *p += x for integers, also where other threads add. (Other sums depend on their order: scatters.hpp.)
  template <class M, class T> __device__ __forceinline__ static void add(M* p, T x) {
    static_assert(std::is_integral_v<M>);
    if constexpr (std::is_same_v<M, bool>) *p = *p || x;
    else if constexpr (sizeof(M) == 4)
      atomicAdd(reinterpret_cast<unsigned int*>(p), static_cast<unsigned int>(x));
    else if constexpr (sizeof(M) == 8)
      atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(x));
    else exchange(p, x);
  }

 private:
  /// For types that have no atomic addition: replaces the aligned word around *p.
  template <class M, class T> __device__ static void exchange(M* p, T x) {
    using bits = std::make_unsigned_t<M>;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    auto* word = reinterpret_cast<unsigned int*>(address / 4 * 4);
    const int shift = static_cast<int>(address % 4) * 8;
    const auto others = ~(static_cast<unsigned int>(static_cast<bits>(~bits{0})) << shift);
    unsigned int seen = *word, expected;
    do {
      expected = seen;
      const auto old = static_cast<bits>(expected >> shift);
      const auto raised = static_cast<bits>(old + static_cast<bits>(x));
      seen = atomicCAS(word, expected,
                       (expected & others) | static_cast<unsigned int>(raised) << shift);
    } while (seen != expected);
  }
};

}  // namespace primal::on_cuda
