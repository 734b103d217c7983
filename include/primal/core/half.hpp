// float16 and bfloat16: storage types of 16 bits; arithmetic on them is done in float.
#pragma once

#include <primal/core/config.hpp>

#include <cstdint>

namespace primal {

/// IEEE binary16.
struct float16 {
  std::uint16_t bits = 0;

  float16() = default;
  /// Rounds to nearest, ties to even; overflow gives infinity.
  PRIMAL_HD constexpr explicit float16(float x) {
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
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t exponent = (bits >> 10) & 31u, fraction = bits & 1023u;
    if (exponent == 31u) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0u) {
      const float value = static_cast<float>(fraction) * 0x1p-24f;
      return sign ? -value : value;
    }
    return __builtin_bit_cast(float, sign | ((exponent + 112u) << 23) | (fraction << 13));
  }
  friend constexpr bool operator==(float16 a, float16 b) { return float(a) == float(b); }
};

/// The upper half of an IEEE binary32.
struct bfloat16 {
  std::uint16_t bits = 0;

  bfloat16() = default;
  /// Rounds to nearest, ties to even.
  PRIMAL_HD constexpr explicit bfloat16(float x) {
    const std::uint32_t f = __builtin_bit_cast(std::uint32_t, x);
    bits = static_cast<std::uint16_t>((f & 0x7fffffffu) > 0x7f800000u
                                          ? (f >> 16) | 0x40u
                                          : (f + 0x7fffu + ((f >> 16) & 1u)) >> 16);
  }
  PRIMAL_HD constexpr explicit operator float() const {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
  friend constexpr bool operator==(bfloat16 a, bfloat16 b) { return float(a) == float(b); }
};

}  // namespace primal
