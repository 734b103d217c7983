// device_memory: neighbouring elements in as few loads and stores as there can be, and atomic addition.
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

  /// *p += x, also where other threads add.
  template <class M, class T> __device__ __forceinline__ static void add(M* p, T x) {
    if constexpr (std::is_same_v<M, float> || std::is_same_v<M, std::int32_t> ||
                  std::is_same_v<M, std::uint32_t>) {
      atomicAdd(p, static_cast<M>(x));
    } else if constexpr (std::is_same_v<M, std::int64_t> || std::is_same_v<M, std::uint64_t>) {
      atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(x));
    } else if constexpr (sizeof(M) == 8) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
      atomicAdd(p, static_cast<M>(x));
#else
      exchange<unsigned long long>(p, x);
#endif
    } else {
      exchange<unsigned int>(p, x);
    }
  }

 private:
  /// For types that have no atomic addition on every architecture: replaces the aligned word around *p.
  template <class Word, class M, class T> __device__ static void exchange(M* p, T x) {
    using bits = std::conditional_t<sizeof(M) == 1, std::uint8_t,
                                    std::conditional_t<sizeof(M) == 2, std::uint16_t, Word>>;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    auto* word = reinterpret_cast<Word*>(address / sizeof(Word) * sizeof(Word));
    const int shift = static_cast<int>(address % sizeof(Word)) * 8;
    const Word others = ~(static_cast<Word>(static_cast<bits>(~bits{0})) << shift);
    Word seen = *word, expected;
    do {
      expected = seen;
      const auto old = __builtin_bit_cast(M, static_cast<bits>(expected >> shift));
      const auto raised = static_cast<M>(static_cast<T>(old) + x);
      seen = atomicCAS(word, expected,
                       (expected & others) | static_cast<Word>(__builtin_bit_cast(bits, raised))
                                                 << shift);
    } while (seen != expected);
  }
};

}  // namespace primal::on_cuda
