// Elementary functions of double for constant evaluation: accurate to a unit or two in the last
// place, plain C++, slow. At run time nothing calls them.
#pragma once

#include <primal/core/two_part.hpp>

namespace primal::math::constant {

inline constexpr double ln2 = 0x1.62e42fefa39efp-1;
inline constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
inline constexpr double ln2_32bits = 0x1.62e42fee00000p-1;  // times an exponent: exact
inline constexpr double ln2_rest = 0x1.a39ef35793c76p-33;

PRIMAL_HD constexpr double sqrt(double x) {
  if (isnan(x) || x == 0 || x == infinity) return x;
  if (x < 0) return not_a_number;
  auto parts = split(x);
  if (parts.exponent % 2 != 0) {
    parts.fraction *= 2;
    parts.exponent -= 1;
  }
  double y = 0.5 * (1 + parts.fraction);
  for (int step = 0; step < 6; ++step) y = 0.5 * (y + parts.fraction / y);
  auto square = two_product(y, y);
  y += ((parts.fraction - square.high) - square.low) / (2 * y);
  return scale(y, parts.exponent / 2);
}

/// e^(x + low), for a low part that is far smaller than x.
PRIMAL_HD constexpr double exp(double x, double low = 0) {
  if (isnan(x)) return x;
  if (x > 709.79) return infinity;
  if (x < -745.14) return 0;
  double n = round(x / ln2);
  auto r = two_sum(x - n * ln2_32bits, low - n * ln2_rest);
  double sum = 0;
  for (int k = 16; k >= 2; --k) sum = (1 + sum) * r.high / k;
  // e^r = 1 + r (1 + sum); the two small terms are added last.
  auto one_and_r = two_sum(1, r.high);
  return scale(one_and_r.high + (one_and_r.low + r.low + r.high * sum), static_cast<int>(n));
}

PRIMAL_HD constexpr double expm1(double x) {
  if (isnan(x) || x == 0) return x;
  if (abs(x) > 0.4) return exp(x) - 1;
  double sum = 0;
  for (int k = 18; k >= 2; --k) sum = (1 + sum) * x / k;
  return x + x * sum;
}

/// The natural logarithm of finite x > 0 to about 100 bits: 2 artanh((m - 1) / (m + 1)) + e ln 2.
PRIMAL_HD constexpr two_part two_part_log(double x) {
  auto parts = split(x);
  double m = parts.fraction;
  two_part s = two_sum(m, -1) / two_sum(m, 1);
  two_part v = s * s;
  two_part sum{0, 0};
  for (int k = 41; k >= 1; k -= 2) {
    two_part term = two_part{1, 0} / two_part{static_cast<double>(k), 0};
    sum = sum * v + term;
  }
  two_part series = two_part{2, 0} * s * sum;
  return two_part{ln2, ln2_low} * two_part{static_cast<double>(parts.exponent), 0} + series;
}

PRIMAL_HD constexpr double log(double x) {
  if (isnan(x) || x == infinity) return x;
  if (x == 0) return -infinity;
  if (x < 0) return not_a_number;
  return two_part_log(x).high;
}

PRIMAL_HD constexpr double log2(double x) {
  if (isnan(x) || x == infinity || x <= 0) return log(x);
  return (two_part_log(x) / two_part{ln2, ln2_low}).high;
}

PRIMAL_HD constexpr double log1p(double x) {
  if (isnan(x) || x == infinity || x == 0) return x;
  if (x == -1) return -infinity;
  if (x < -1) return not_a_number;
  auto u = two_sum(1, x);
  return log(u.high) + u.low / u.high;
}

PRIMAL_HD constexpr double tanh(double x) {
  double a = abs(x);
  if (a > 22) return copysign(1, x);
  double e = expm1(2 * a);
  return copysign(e / (e + 2), x);
}

PRIMAL_HD constexpr double sigmoid(double x) {
  double e = exp(-abs(x));
  return (is_negative(x) ? e : 1) / (1 + e);
}

/// 2/sqrt(pi) e^(-x^2) (x + 2 x^3/3 + 4 x^5/15 + ...), for |x| <= 1: no cancellation.
PRIMAL_HD constexpr double erf_series(double x) {
  double sum = 0;
  for (int k = 30; k >= 1; --k) sum = (1 + sum) * (2 * x * x / (2 * k + 1));
  return 1.1283791670955126 * exp(-x * x) * (x + x * sum);
}

/// Laplace's continued fraction, from the far end, for x >= 1.
PRIMAL_HD constexpr double erfc_fraction(double x) {
  double fraction = 0;
  for (int k = 200; k >= 1; --k) fraction = 0.5 * k / (x + fraction);
  two_part v = two_product(x, x);
  return exp(-v.high, -v.low) * 0.56418958354775629 / (x + fraction);
}

PRIMAL_HD constexpr double erf(double x) {
  if (isnan(x)) return x;
  if (abs(x) > 6) return copysign(1, x);
  return abs(x) < 1 ? erf_series(x) : copysign(1 - erfc_fraction(abs(x)), x);
}

/// 1 - erf(x), for x >= 0 with a small relative error.
PRIMAL_HD constexpr double erfc(double x) {
  if (isnan(x) || x < 1) return 1 - erf(x);
  return x > 27.3 ? 0 : erfc_fraction(x);
}

/// x minus a multiple of pi/2, and the last two bits of that multiple.
struct quadrant {
  two_part angle;
  int index;
};

PRIMAL_HD constexpr quadrant reduce_angle(double x) {
  // pi/2 in three exact pieces of 33 bits and a rest; good up to 2^20 quarter turns.
  constexpr double pieces[4] = {0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e000000p-69,
                                0x1.b839a252049c1p-104};
  double n = round(x * 0.63661977236758134);
  two_part angle{x, 0};
  for (double piece : pieces) angle = angle + two_part{-n * piece, 0};
  return {angle, static_cast<int>(static_cast<long long>(n) & 3)};
}

PRIMAL_HD constexpr double sine_series(two_part r) {
  double v = r.high * r.high;
  double sum = 0;
  for (int k = 20; k >= 2; k -= 2) sum = -(1 + sum) * v / (k * (k + 1));
  return r.high + (r.high * sum + r.low * (1 - v / 2));
}

PRIMAL_HD constexpr double cosine_series(two_part r) {
  two_part v = r * r;
  double sum = 0;
  for (int k = 21; k >= 3; k -= 2) sum = -(1 + sum) * v.high / (k * (k + 1));
  auto head = two_sum(1, -0.5 * v.high);
  return head.high + (head.low - 0.5 * v.low - 0.5 * v.high * sum);
}

/// Sine, for |x| up to a million.
PRIMAL_HD constexpr double sin(double x) {
  if (isinf(x)) return not_a_number;
  if (isnan(x) || x == 0) return x;
  auto [angle, index] = reduce_angle(x);
  double y = index % 2 == 0 ? sine_series(angle) : cosine_series(angle);
  return index < 2 ? y : -y;
}

/// Cosine, for |x| up to a million.
PRIMAL_HD constexpr double cos(double x) {
  if (isinf(x)) return not_a_number;
  if (isnan(x)) return x;
  auto [angle, index] = reduce_angle(x);
  double y = index % 2 == 0 ? cosine_series(angle) : sine_series(angle);
  return index == 1 || index == 2 ? -y : y;
}

/// Tangent, for |x| up to a million.
PRIMAL_HD constexpr double tan(double x) { return sin(x) / cos(x); }

PRIMAL_HD constexpr bool is_integer(double x) { return trunc(x) == x; }
PRIMAL_HD constexpr bool is_odd(double x) {
  return is_integer(x) && abs(x) < 9007199254740992. && !is_integer(x / 2);
}

PRIMAL_HD constexpr double pow(double x, double y) {
  if (x == 1 || y == 0) return 1;
  if (isnan(x) || isnan(y)) return x + y;
  bool negate = is_negative(x) && is_odd(y);
  double a = abs(x);
  double result = 0;
  if (isinf(y)) {
    result = a == 1 ? 1 : ((a > 1) == (y > 0) ? infinity : 0);
  } else if (a == 0 || a == infinity) {
    result = (a == 0) == (y > 0) ? 0 : infinity;
  } else if (x < 0 && !is_integer(y)) {
    return not_a_number;
  } else if (abs(y) > 1e300) {
    result = a == 1 ? 1 : ((a > 1) == (y > 0) ? infinity : 0);
  } else {
    two_part product = two_part_log(a) * two_part{y, 0};
    result = exp(product.high, product.low);
  }
  return negate ? -result : result;
}

/// The remainder of truncated division, exact.
PRIMAL_HD constexpr double fmod(double x, double y) {
  if (isnan(x) || isnan(y) || isinf(x) || y == 0) return not_a_number;
  double a = abs(x);
  double b = abs(y);
  while (a >= b) {
    double multiple = b;
    while (multiple <= a / 2) multiple *= 2;
    a -= multiple;
  }
  return copysign(a, x);
}

/// a * b + c with the product not rounded.
PRIMAL_HD constexpr double fma(double a, double b, double c) {
  auto product = two_product(a, b);
  auto sum = two_sum(product.high, c);
  return isnan(sum.low + product.low) ? a * b + c : sum.high + (sum.low + product.low);
}

}  // namespace primal::math::constant
