// pow of a register, by a logarithm in two parts.
#pragma once

#include <primal/cpu/lane_rows.hpp>
#include <primal/cpu/log.hpp>
#include <primal/cpu/log_rows.hpp>

namespace primal::cpu {

/// 2/3 in two parts.
template <class T> inline constexpr T two_thirds = T(0x1.5555555555555p-1);
template <> inline constexpr float two_thirds<float> = 0x1.555556p-1f;
template <class T> inline constexpr T two_thirds_low = T(0x1.5555555555555p-55);
template <> inline constexpr float two_thirds_low<float> = -0x1.555556p-26f;

/// log(x) - shift log(2) of a normal x > 0 in two parts, where shift may be absent:
/// 2 s + 2/3 s^3 + s^5 P(s^2) with s = (m - 1) / (m + 1). exp takes away 7 bits of float and 10 of
/// double. One part from the cube on would cost float 7 ulp, and is 25 % faster.
template <class T, class A, class... Shift>
PRIMAL_INLINE two_part<T, A> two_part_log(batch<T, A> x, Shift... shift) {
  using V = batch<T, A>;
  log_parts<T, A> parts(x);
  ((parts.e = parts.e - shift), ...);
  const V one(T(1)), f = parts.m - one, sum = parts.m + one, sum_low = parts.m - (sum - one);
  const V inverse = divide(one, sum);
  const V s = f * inverse;  // f / (m + 1), and the rest of that division
  const V s_low = cpu::fnma(s, sum_low, residual(s, sum, f)) * inverse;
  const auto square = two_product(s, s);
  const V square_low = cpu::fma(s + s, s_low, square.low);
  const auto cube = two_product(s, square.high);
  const V cube_low = cpu::fma(s, square_low, cpu::fma(s_low, square.high, cube.low));
  const V third(two_thirds<T>), third_low(two_thirds_low<T>);
  const auto term = two_product(cube.high, third);
  const V tail = cube.high * square.high * two_chains(square.high, artanh_rest5<T>);
  const V term_low = cpu::fma(cube_low, third, cpu::fma(cube.high, third_low, term.low + tail));
  const auto log_m = two_sum_ordered(s + s, term.high);
  const V log_m_low = cpu::fma(V(T(2)), s_low, log_m.low + term_low);
  const auto total = two_sum_ordered(parts.e * V(ln2_short<T>), log_m.high);
  return two_sum_ordered(total.high, total.low + cpu::fma(parts.e, V(ln2_rest<T>), log_m_low));
}

#if defined(__AVX512F__)
/// The same without a division: with 1 + f = m r for a reciprocal from a table, log(m) is that of 1 / r
/// plus f - f^2 / 2 + f^3 P(f).
template <class T, class A>
  requires(log_piece<T, A>::tabulated)
PRIMAL_INLINE two_part<T, A> two_part_log(batch<T, A> x) {
  using V = batch<T, A>;
  const V one(T(1)), half(T(0.5));
  const log_parts<T, A> parts(x);
  const log_piece<T, A> piece(parts.m, log_pieces<T>);
  const V product = unfused(parts.m * piece.reciprocal), f = product - one;
  const V f_low = product_error(parts.m, piece.reciprocal, product);
  const auto square = two_product(f, f);
  const V known = cpu::fma(parts.e, V(ln2_head<T>), piece.logarithm);  // exact
  const auto first = two_sum_ordered(known, f);
  const auto second = two_sum_ordered(first.high, cpu::negate(half * square.high));
  V low = cpu::fma(parts.e, V(ln2_tail<T>), piece.rest);
  low = cpu::fma(f_low, one - f + square.high, low);
  low = cpu::fnma(half, square.low, low);
  low = cpu::fma(f * square.high, two_chains(f, log_rest3<T>), low);
  return two_sum_ordered(second.high, low + first.low + second.low);
}
#endif

#if defined(__AVX2__) && defined(__FMA__)
/// The same by rows of a table in memory, whose reciprocals are so short that f is exact.
template <class A, class... Shift>
  requires(width<A> == 32)
PRIMAL_INLINE two_part<double, A> two_part_log(batch<double, A> x, Shift... shift) {
  using V = batch<double, A>;
  log_parts<double, A> parts(x);
  ((parts.e = parts.e - shift), ...);
  const lane_rows rows(log_rows, shift_right<45>(bits_as<std::uint64_t>(x)));
  const auto [reciprocal, logarithm] = rows.template columns<0>();
  const auto [rest, unused] = rows.template columns<2>();
  const V f = cpu::fma(parts.m, reciprocal, V(-1.)), half = V(-0.5) * f, square = half * f;
  const auto first = two_sum_ordered(cpu::fma(parts.e, V(ln2_head<double>), logarithm), f);
  const auto second = two_sum_ordered(first.high, square);
  V low = cpu::fma(parts.e, V(ln2_tail<double>), rest) + cpu::fms(half, f, square);
  low = cpu::fma(f * square, two_chains(f, log_rest_of_rows), low);
  return two_sum_ordered(second.high, low + first.low + second.low);
}
#endif

/// The values of C99 for everything but a positive, finite x with a finite y, put into the result.
template <class T, class A>
[[gnu::noinline]] batch<T, A> pow_special(batch<T, A> x, batch<T, A> y, batch<T, A> result) {
  using V = batch<T, A>;
  const V zero(T(0)), one(T(1)), infinity(std::numeric_limits<T>::infinity());
  const V undefined(std::numeric_limits<T>::quiet_NaN());
  const V a = cpu::abs(x), half = y * V(T(0.5));
  const auto integral = cpu::floor(y) == y;
  const auto odd = integral && !(cpu::floor(half) == half);
  const auto negative = is_negative(x);
  result = xsimd::select(negative && !integral, undefined, result);
  result = xsimd::select(a == zero, xsimd::select(y < zero, infinity, zero), result);
  result = xsimd::select(a == infinity, xsimd::select(y < zero, zero, infinity), result);
  result = xsimd::select(odd && negative, cpu::negate(result), result);
  result = xsimd::select(is_nan(x) || is_nan(y), x + y, result);
  const auto unit = x == one || (a == one && cpu::abs(y) == infinity);
  return xsimd::select(y == zero || unit, one, result);
}

/// e^(high + low), where low is not a number if high is too large.
template <class T, class A> PRIMAL_INLINE batch<T, A> exp_of(two_part<T, A> x) {
  using V = batch<T, A>;
  const V enough(T(2) * exp_high<T>);
  const V bounded = max_or_nan(cpu::negate(enough), min_or_nan(enough, x.high));
  return cpu::exp(bounded, xsimd::select(bounded == x.high, x.low, V(T(0))));
}

/// y log(a).
template <class T, class A>
PRIMAL_INLINE two_part<T, A> log_of_power(two_part<T, A> log_a, batch<T, A> y) {
  const auto product = two_product(y, log_a.high);
  return {product.high, cpu::fma(y, log_a.low, product.low)};
}

/// pow of everything: also where x is not normal, or the result, or where there is none.
template <class T, class A> [[gnu::noinline]] batch<T, A> pow_of_any(batch<T, A> x, batch<T, A> y) {
  using V = batch<T, A>;
  const V a = cpu::abs(x);
  const auto denormal = a < V(std::numeric_limits<T>::min());
  // A larger exponent gives 0, 1 or infinity already. Without fma its product would be split wrongly.
  const V limit(sizeof(T) == 4 ? T(0x1p35) : T(0x1p70));
  const V bounded = max_or_nan(cpu::negate(limit), min_or_nan(limit, y));
  const auto log_a = two_part_log(xsimd::select(denormal, a * V(up<T>), a),
                                  xsimd::select(denormal, V(up_exponent<T>), V(T(0))));
  return pow_special(x, y, exp_of(log_of_power(log_a, bounded)));
}

template <class T, class A> PRIMAL_INLINE batch<T, A> pow(batch<T, A> x, batch<T, A> y) {
  using V = batch<T, A>;
  const V infinity(std::numeric_limits<T>::infinity());
  if constexpr (exp_takes_all<A>) {
    const auto power = log_of_power(two_part_log(cpu::abs(x)), y);
    const V result = cpu::exp(power.high, power.low);
    if (xsimd::all(x > V(T(0)) && x < infinity && cpu::abs(y) < infinity)) [[likely]]
      return result;
    return pow_special(x, y, result);
  } else {
    const auto power = log_of_power(two_part_log(x), y);
    const auto small = cpu::abs(power.high) < V(exp_high<T> - T(2));
    if (xsimd::all(x >= V(std::numeric_limits<T>::min()) && x < infinity && small)) [[likely]]
      return bounded_exp(power.high, power.low);
    return pow_of_any(x, y);
  }
}

}  // namespace primal::cpu
