// element_bits: one element of a dtype as bits.
#pragma once

#include <primal/core/dtype.hpp>

namespace primal {

/// The bits of an element, from those of a double for floating dtypes, or else from an integer.
constexpr std::uint64_t element_bits(dtype d, std::int64_t bits) {
  if (!is_floating(d) || d == dtype::float64) return static_cast<std::uint64_t>(bits);
  const auto x = static_cast<float>(__builtin_bit_cast(double, bits));
  if (d == dtype::float16) return float16(x).bits;
  if (d == dtype::bfloat16) return bfloat16(x).bits;
  return __builtin_bit_cast(std::uint32_t, x);
}

}  // namespace primal
