// float16 and bfloat16: storage types of 16 bits; arithmetic on them is done in float.
#pragma once

#include <primal/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace primal {

#if defined(__CUDA_ARCH__)
// One instruction each, of some ten.
namespace on_device {
__device__ __forceinline__ float float_of_half(std::uint16_t bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
__device__ __forceinline__ std::uint16_t half_of_float(float x) {
  std::uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#if __CUDA_ARCH__ >= 800
__device__ __forceinline__ std::uint16_t bfloat_of_float(float x) {
  std::uint16_t bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
#endif
}  // namespace on_device
#endif

/// IEEE binary16.
struct float16 {
  std::uint16_t bits = 0;

  float16() = default;
  /// Rounds to nearest, ties to even; overflow gives infinity.
  PRIMAL_HD constexpr explicit float16(float x) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) {
      bits = on_device::half_of_float(x);
      return;
    }
#endif
    const std::uint32_t f = __builtin_bit_cast(std::uint32_t, x);
    const std::uint32_t sign = (f >> 16) & 0x8000u, magnitude = f & 0x7fffffffu;
    std::uint32_t h = 0;
    if (magnitude > 0x7f800000u) {
      h = 0x7e00u;
    } else if (magnitude >= 0x477ff000u) {
      h = 0x7c00u;
    } else if (magnitude >= 0x38800000u) {
      h = ((magnitude + 0xfffu + ((magnitude >> 13) & 1u)) >> 13) - (112u << 10);
    } else if (magnitude >= 0x33000000u) {
      const std::uint32_t shift = 126u - (magnitude >> 23), m = (magnitude & 0x7fffffu) | 0x800000u;
      h = m >> shift;
      const std::uint32_t rest = m & ((1u << shift) - 1u), half = 1u << (shift - 1u);
      h += rest > half || (rest == half && (h & 1u));
    }
    bits = static_cast<std::uint16_t>(sign | h);
  }
  PRIMAL_HD constexpr explicit operator float() const {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return on_device::float_of_half(bits);
#endif
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
    if (exponent == 31u) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0u) {
      const float value = static_cast<float>(fraction) * 0x1p-24f;
      return sign ? -value : value;
    }
    return __builtin_bit_cast(float, sign | ((exponent + 112u) << 23) | (fraction << 13));
  }
  PRIMAL_HD constexpr explicit operator double() const { return static_cast<float>(*this); }
  friend constexpr bool operator==(float16 a, float16 b) { return float(a) == float(b); }
};

/// The upper half of an IEEE binary32.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  /// Rounds to nearest, ties to even.
  PRIMAL_HD constexpr explicit bfloat16(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (!__builtin_is_constant_evaluated()) {
      bits = on_device::bfloat_of_float(x);
      return;
    }
#endif
    const std::uint32_t f = __builtin_bit_cast(std::uint32_t, x);
    bits = static_cast<std::uint16_t>((f & 0x7fffffffu) > 0x7f800000u
                                          ? (f >> 16) | 0x40u
                                          : (f + 0x7fffu + ((f >> 16) & 1u)) >> 16);
  }
  PRIMAL_HD constexpr explicit operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
  PRIMAL_HD constexpr explicit operator double() const { return static_cast<float>(*this); }
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return float(a) == float(b); }
};

/// Prints the number to a stream of any kind.
template <class Stream, class Half>
  requires(std::is_same_v<Half, float16> || std::is_same_v<Half, bfloat16>) &&
          requires(Stream& s, float x) { s << x; }
Stream& operator<<(Stream& stream, Half x) {
  stream << static_cast<float>(x);
  return stream;
}

}  // namespace primal
