// exp, expm1 and sigmoid of a register.
#pragma once

#include <primal/cpu/coefficients.hpp>
#include <primal/cpu/polynomial.hpp>

namespace primal::cpu {

/// ln 2 in a short part, whose product with an exponent is exact, and a rest. The rest must be
/// positive, or log(0) and log(inf) are sums of two infinities of unlike sign.
template <class T> inline constexpr T ln2_short = T(0x1.62e42fee00000p-1);
template <> inline constexpr float ln2_short<float> = 0x1.62e400p-1f;
template <class T> inline constexpr T ln2_rest = T(0x1.a39ef35793c76p-33);
template <> inline constexpr float ln2_rest<float> = 0x1.7f7d1cp-20f;

template <class T> inline constexpr T log2_e = T(1.44269504088896340736);

/// Adding 1.5 * 2^(mantissa bits) to a small number rounds it to an integer, in the low bits.
template <class T> inline constexpr T rounding_bias = T(1.5) * first_integer<T>;

/// x = n ln(2) / Steps + r with |r| <= ln(2) / 2 / Steps.
template <class T, class A, int Steps = 1> struct exp_parts {
  using unsigned_t = std::make_unsigned_t<integer_like<T>>;
  using integers = batch<unsigned_t, A>;

  integers exponent;  // its low bits are n plus Steps times the biased exponent of 1/2
  batch<T, A> n;
  batch<T, A> r;

  PRIMAL_INLINE explicit exp_parts(batch<T, A> x) {
    const batch<T, A> bias(rounding_bias<T> + Steps * (sizeof(T) == 4 ? T(126) : T(1022)));
    const batch<T, A> biased = cpu::fma(x, batch<T, A>(Steps * log2_e<T>), bias);
    exponent = bits_as<unsigned_t>(biased);
    n = biased - bias;
    r = cpu::fnma(n, batch<T, A>(ln2_rest<T> / Steps),
                  cpu::fnma(n, batch<T, A>(ln2_short<T> / Steps), x));
  }

  /// The bits of 2^(n / Steps - 1), if that is a normal number.
  PRIMAL_INLINE integers half_power() const {
    if constexpr (Steps == 1) return shift_left<mantissa_bits<T>>(exponent);
#if defined(__AVX__)
    if constexpr (Steps == 2) {
      // The bits of an odd n are those of 3/2 where that of the square root of 2 should be.
      constexpr double excess =
          __builtin_bit_cast(double, __builtin_bit_cast(std::int64_t, 0x1.6a09e667f3bcdp0) -
                                         __builtin_bit_cast(std::int64_t, 1.5));
      const __m256d root =
          _mm256_permutevar_pd(_mm256_setr_pd(0., excess, 0., excess), exponent + exponent);
      return shift_left<mantissa_bits<T> - 1>(exponent) + bits_as<unsigned_t>(batch<T, A>(root));
    }
#endif
  }

  /// (1 + v r) 2^(n / Steps), with one rounding down to the denormals; where n > 0 only if `Any`.
  template <bool Any> PRIMAL_INLINE batch<T, A> scaled_sum(batch<T, A> v) const {
    const batch<T, A> sum = cpu::fma(v, r, batch<T, A>(T(1)));
#if defined(__AVX512F__)
    if constexpr (width<A> == 64 && sizeof(T) == 4)
      return _mm512_maskz_scalef_ps(all_floats, sum, n);
    if constexpr (width<A> == 64 && sizeof(T) == 8)
      return _mm512_maskz_scalef_pd(all_doubles, sum, n);
#endif
    // Two factors, as n itself may lie outside the range of exponents: 2^(n - 1) and 2, but for a
    // negative n a quarter of that range is moved from the second to the first.
    constexpr unsigned_t quarter = unsigned_t{1} << (8 * sizeof(T) - 3);
    integers moved(quarter);
    if constexpr (Any) moved = moved & shift_right<2>(bits_as<unsigned_t>(n));
    const batch<T, A> first = bits_as<T>(half_power() + moved);
    const batch<T, A> second = bits_as<T>(bits_as<unsigned_t>(batch<T, A>(T(2))) - moved);
    if constexpr (Steps == 1) return sum * first * second;
    // The first factor is rounded up where n is odd, by 6.8e-17 of it: half of that belongs to the other n.
    return cpu::fma(cpu::fma(v, r, batch<T, A>(T(-3.42e-17))), first, first) * second;
  }
};

/// (e^r - 1 - r) / r^2. Horner where fma is: 0.2 ulp better than two chains.
template <int Steps = 1, class T, class A> PRIMAL_INLINE batch<T, A> exp_rest_of(batch<T, A> r) {
  if constexpr (Steps == 2) return horner(r, exp_rest_by_2);
  else if constexpr (sizeof(T) == 4) return horner(r, exp_rest<T>);
  else return two_chains(r, exp_rest<T>);
}

/// The bounds beyond which exp is 0 or infinity.
template <class T> inline constexpr T exp_low = sizeof(T) == 4 ? T(-105) : T(-746);
template <class T> inline constexpr T exp_high = sizeof(T) == 4 ? T(89) : T(710);

/// On AVX-512 scalef turns n = inf, -inf and NaN into the right result, whatever the polynomial.
template <class A>
#if defined(__AVX512DQ__)
inline constexpr bool exp_takes_all = width<A> == 64;
#else
inline constexpr bool exp_takes_all = false;
#endif

/// x, but not below the bound.
template <class T, class A> PRIMAL_INLINE batch<T, A> above_exp_low(batch<T, A> x) {
  if constexpr (exp_takes_all<A>) return x;
  return max_or_nan(batch<T, A>(exp_low<T>), x);
}

/// e^(x + low) for an x within the bounds, positive only if `Any`, and a low part that is far smaller, or absent.
template <bool Any = true, class T, class A, class... Low>
PRIMAL_INLINE batch<T, A> bounded_exp(batch<T, A> x, Low... low) {
  constexpr int steps = width<A> == 32 && sizeof(T) == 8 ? 2 : 1;  // spares two coefficients
  exp_parts<T, A, steps> parts(x);
  ((parts.r = parts.r + low), ...);
#if defined(__AVX512DQ__)
  constexpr int smaller_magnitude = 2;  // and the number of a number and a NaN
  if constexpr (exp_takes_all<A> && sizeof(T) == 4)
    parts.r = _mm512_maskz_range_ps(all_floats, parts.r, _mm512_set1_ps(0.35f), smaller_magnitude);
  if constexpr (exp_takes_all<A> && sizeof(T) == 8)
    parts.r = _mm512_maskz_range_pd(all_doubles, parts.r, _mm512_set1_pd(0.35), smaller_magnitude);
#endif
  const batch<T, A> one(T(1));
  const batch<T, A> q = exp_rest_of<steps>(parts.r);
  return parts.template scaled_sum<Any>(cpu::fma(q, parts.r, one));
}

/// e^(x + low), likewise.
template <class T, class A, class... Low> PRIMAL_INLINE batch<T, A> exp(batch<T, A> x, Low... low) {
  if constexpr (!exp_takes_all<A>) x = above_exp_low(min_or_nan(batch<T, A>(exp_high<T>), x));
  return bounded_exp(x, low...);
}

/// e^x - 1 = 2 (h (e^r - 1) + (h - 1/2)) with h = 2^(n - 1), which is finite for every n.
template <class T, class A> PRIMAL_INLINE batch<T, A> expm1(batch<T, A> x) {
  constexpr T low = sizeof(T) == 4 ? T(-20) : T(-40);  // -1 from here on
  const exp_parts<T, A> parts(
      max_or_nan(batch<T, A>(low), min_or_nan(batch<T, A>(exp_high<T>), x)));
  const batch<T, A> half(T(0.5)), r = parts.r;
  const batch<T, A> p = cpu::fma(r * r, exp_rest_of(r), r);
  const batch<T, A> h = bits_as<T>(parts.half_power());
  const batch<T, A> y = cpu::fma(p, h, h - half);
  return cpu::copysign(xsimd::select(parts.n == batch<T, A>(T(0)), p, y + y), x);
}

/// 1 / (1 + e^-x) from e = e^-|x|: neither tail is lost.
template <class T, class A> PRIMAL_INLINE batch<T, A> sigmoid(batch<T, A> x) {
  const batch<T, A> e = bounded_exp<false>(above_exp_low(x | sign_bit<T, A>())), one(T(1));
  return divide(select_negative(x, e, one), one + e);
}

}  // namespace primal::cpu
