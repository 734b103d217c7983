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

/// x = n ln 2 + r with |r| <= ln(2) / 2.
template <class T, class A> struct exp_parts {
  batch<T, A> biased;  // n plus bias
  batch<T, A> n;
  batch<T, A> r;

  /// So that its low bits are n plus the biased exponents of two ones.
  static constexpr T bias = rounding_bias<T> + (sizeof(T) == 4 ? T(254) : T(2046));

  PRIMAL_INLINE explicit exp_parts(batch<T, A> x) {
    const batch<T, A> b(bias);
    biased = cpu::fma(x, batch<T, A>(log2_e<T>), b);
    n = biased - b;
    r = cpu::fnma(n, batch<T, A>(ln2_rest<T>), cpu::fnma(n, batch<T, A>(ln2_short<T>), x));
  }

  /// p 2^n, with one rounding down to the denormals.
  PRIMAL_INLINE batch<T, A> scaled(batch<T, A> p) const {
#if defined(__AVX512F__)
    if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_maskz_scalef_ps(all_floats, p, n);
    if constexpr (width<A> == 64 && sizeof(T) == 8)
      return _mm512_maskz_scalef_pd(all_doubles, p, n);
#endif
    // Two factors of half the exponent each: n itself may lie outside the range of exponents.
    const auto exponents = bits_as<std::make_unsigned_t<integer_like<T>>>(biased);
    const auto half = shift_right<1>(exponents);
    return p * bits_as<T>(shift_left<mantissa_bits<T>>(half)) *
           bits_as<T>(shift_left<mantissa_bits<T>>(exponents - half));
  }
};

/// (e^r - 1 - r) / r^2. Horner even at 256 bits: 0.2 ulp better than two chains.
template <class T, class A> PRIMAL_INLINE batch<T, A> exp_rest_of(batch<T, A> r) {
  if constexpr (sizeof(T) == 4) return horner(r, exp_rest<T>);
  return two_chains(r, exp_rest<T>);
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

/// e^(x + low) for a low part that is far smaller than x, or absent.
template <class T, class A, class... Low> PRIMAL_INLINE batch<T, A> exp(batch<T, A> x, Low... low) {
  if constexpr (!exp_takes_all<A>)
    x = max_or_nan(batch<T, A>(exp_low<T>), min_or_nan(batch<T, A>(exp_high<T>), x));
  exp_parts<T, A> parts(x);
  ((parts.r = parts.r + low), ...);
#if defined(__AVX512DQ__)
  constexpr int smaller_magnitude = 2;  // and the number of a number and a NaN
  if constexpr (exp_takes_all<A> && sizeof(T) == 4)
    parts.r = _mm512_maskz_range_ps(all_floats, parts.r, _mm512_set1_ps(0.35f), smaller_magnitude);
  if constexpr (exp_takes_all<A> && sizeof(T) == 8)
    parts.r = _mm512_maskz_range_pd(all_doubles, parts.r, _mm512_set1_pd(0.35), smaller_magnitude);
#endif
  const batch<T, A> one(T(1));
  const batch<T, A> q = exp_rest_of(parts.r);
  return parts.scaled(cpu::fma(cpu::fma(q, parts.r, one), parts.r, one));
}

/// e^x - 1 = 2 (h (e^r - 1) + (h - 1/2)) with h = 2^(n - 1), which is finite for every n.
template <class T, class A> PRIMAL_INLINE batch<T, A> expm1(batch<T, A> x) {
  constexpr T low = sizeof(T) == 4 ? T(-20) : T(-40);  // -1 from here on
  const exp_parts<T, A> parts(
      max_or_nan(batch<T, A>(low), min_or_nan(batch<T, A>(exp_high<T>), x)));
  const batch<T, A> half(T(0.5)), r = parts.r;
  const batch<T, A> p = cpu::fma(r * r, exp_rest_of(r), r);
  const batch<T, A> h = parts.scaled(half);
  const batch<T, A> y = cpu::fma(p, h, h - half);
  return cpu::copysign(xsimd::select(parts.n == batch<T, A>(T(0)), p, y + y), x);
}

/// 1 / (1 + e^-x) from e = e^-|x|: neither tail is lost.
template <class T, class A> PRIMAL_INLINE batch<T, A> sigmoid(batch<T, A> x) {
  const batch<T, A> e = cpu::exp(x | sign_bit<T, A>()), one(T(1));
  return divide(select_negative(x, e, one), one + e);
}

}  // namespace primal::cpu
