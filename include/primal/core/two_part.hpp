// Arithmetic of double for constant evaluation: numbers in two parts, rounding and exponents.
#pragma once

#include <primal/core/config.hpp>

namespace primal::math::constant {

inline constexpr double infinity = __builtin_huge_val();
inline constexpr double not_a_number = __builtin_nan("");

/// An unevaluated sum whose low part is below half a unit in the last place of the high part.
struct two_part {
  double high;
  double low;
};

PRIMAL_HD constexpr two_part two_sum(double a, double b) {
  double sum = a + b;
  double from_b = sum - a;
  return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// a without the lower 27 bits of its fraction.
PRIMAL_HD constexpr double upper_half(double a) {
  return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, a) & (~0ULL << 27));
}

/// a * b exactly. Constant evaluation has no fma and multiplies halves instead, each cut from the
/// bits (splitting by multiplication does not survive a compiler that contracts a * b + c).
PRIMAL_HD constexpr two_part two_product(double a, double b) {
  double product = a * b;
  if (!__builtin_is_constant_evaluated()) return {product, __builtin_fma(a, b, -product)};
  double a_high = upper_half(a);
  double b_high = upper_half(b);
  double a_low = a - a_high;
  double b_low = b - b_high;
  return {product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

PRIMAL_HD constexpr two_part operator+(two_part a, two_part b) {
  auto sum = two_sum(a.high, b.high);
  return two_sum(sum.high, sum.low + (a.low + b.low));
}

PRIMAL_HD constexpr two_part operator*(two_part a, two_part b) {
  auto product = two_product(a.high, b.high);
  return two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

PRIMAL_HD constexpr two_part operator/(two_part a, two_part b) {
  double quotient = a.high / b.high;
  auto product = two_product(quotient, b.high);
  double rest = (a.high - product.high) - product.low + (a.low - quotient * b.low);
  return two_sum(quotient, rest / b.high);
}

PRIMAL_HD constexpr bool isnan(double x) { return x != x; }
PRIMAL_HD constexpr bool isinf(double x) { return x == infinity || x == -infinity; }
PRIMAL_HD constexpr bool is_negative(double x) { return __builtin_bit_cast(long long, x) < 0; }
PRIMAL_HD constexpr double abs(double x) {
  return __builtin_bit_cast(double, __builtin_bit_cast(unsigned long long, x) & ~(1ULL << 63));
}
PRIMAL_HD constexpr double copysign(double magnitude, double sign) {
  return is_negative(sign) == is_negative(magnitude) ? magnitude : -magnitude;
}

PRIMAL_HD constexpr double trunc(double x) {
  if (!(abs(x) < 4503599627370496.)) return x;
  return copysign(static_cast<double>(static_cast<long long>(x)), x);
}
PRIMAL_HD constexpr double floor(double x) {
  double t = trunc(x);
  return t > x ? t - 1. : t;
}
PRIMAL_HD constexpr double ceil(double x) { return -floor(-x); }

/// To the nearest integer, half to even.
PRIMAL_HD constexpr double round(double x) {
  if (!(abs(x) < 4503599627370496.)) return x;
  double shifted = abs(x) + 4503599627370496.;
  return copysign(shifted - 4503599627370496., x);
}

/// 2^n for -1022 <= n <= 1023.
PRIMAL_HD constexpr double power_of_two(int n) {
  return __builtin_bit_cast(double, static_cast<long long>(n + 1023) << 52);
}

/// x * 2^n, rounded once.
PRIMAL_HD constexpr double scale(double x, int n) {
  if (n > 1000) return x * power_of_two(1000) * power_of_two(n > 2000 ? 1000 : n - 1000);
  if (n < -1000) return x * power_of_two(-1000) * power_of_two(n < -2000 ? -1000 : n + 1000);
  return x * power_of_two(n);
}

/// x = fraction * 2^exponent with the fraction in [sqrt(1/2), sqrt(2)), for finite x > 0.
struct binary_parts {
  double fraction;
  int exponent;
};

PRIMAL_HD constexpr binary_parts split(double x) {
  int exponent = 0;
  if (x < power_of_two(-1000)) {
    x *= power_of_two(60);
    exponent = -60;
  }
  auto bits = __builtin_bit_cast(long long, x);
  int unbiased = static_cast<int>(bits >> 52) - 1023;
  double fraction = x * power_of_two(-(unbiased / 2)) * power_of_two(-(unbiased - unbiased / 2));
  if (fraction > 1.4142135623730951) return {fraction / 2, exponent + unbiased + 1};
  return {fraction, exponent + unbiased};
}

}  // namespace primal::math::constant
