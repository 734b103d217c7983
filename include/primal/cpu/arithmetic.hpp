// Arithmetic on SIMD registers: fused, exact in two parts, and rounding to integers.
#pragma once

#include <primal/cpu/register.hpp>

namespace primal::cpu {

/// a * b + c, rounded once if has_fma<A>.
template <class T, class A>
PRIMAL_INLINE batch<T, A> fma(batch<T, A> a, batch<T, A> b, batch<T, A> c) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_fmadd_ps(a, b, c);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_fmadd_pd(a, b, c);
#endif
#if defined(__FMA__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_fmadd_ps(a, b, c);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_fmadd_pd(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 4) return _mm_fmadd_ps(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 8) return _mm_fmadd_pd(a, b, c);
#endif
  return xsimd::fma(a, b, c);
}

/// c - a * b, rounded once if has_fma<A>.
template <class T, class A>
PRIMAL_INLINE batch<T, A> fnma(batch<T, A> a, batch<T, A> b, batch<T, A> c) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_fnmadd_ps(a, b, c);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_fnmadd_pd(a, b, c);
#endif
#if defined(__FMA__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_fnmadd_ps(a, b, c);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_fnmadd_pd(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 4) return _mm_fnmadd_ps(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 8) return _mm_fnmadd_pd(a, b, c);
#endif
  return cpu::fma(negate(a), b, c);
}

/// a * b - c, rounded once if has_fma<A>.
template <class T, class A>
PRIMAL_INLINE batch<T, A> fms(batch<T, A> a, batch<T, A> b, batch<T, A> c) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_fmsub_ps(a, b, c);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_fmsub_pd(a, b, c);
#endif
#if defined(__FMA__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_fmsub_ps(a, b, c);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_fmsub_pd(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 4) return _mm_fmsub_ps(a, b, c);
  if constexpr (width<A> == 16 && sizeof(T) == 8) return _mm_fmsub_pd(a, b, c);
#endif
  return cpu::fma(a, b, negate(c));
}

/// x, so that the compiler does not make one operation of that which gives x and of the next.
template <class T, class A> PRIMAL_INLINE batch<T, A> unfused(batch<T, A> x) {
  asm("" : PRIMAL_FLOAT_REGISTER(x.data));
  return x;
}

/// a / b and sqrt(x), correctly rounded. (xsimd refines estimates for float on ARM, which is neither
/// exact nor right for 0 and infinity.)
template <class T, class A> PRIMAL_INLINE batch<T, A> divide(batch<T, A> a, batch<T, A> b) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return vdivq_f32(a, b);
#endif
  return a / b;
}

template <class T, class A> PRIMAL_INLINE batch<T, A> sqrt(batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_maskz_sqrt_ps(all_floats, x);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_maskz_sqrt_pd(all_doubles, x);
#endif
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return vsqrtq_f32(x);
#endif
  return xsimd::sqrt(x);
}

/// The smaller one; x if either is NaN. (minps returns its second operand then.)
template <class T, class A> PRIMAL_INLINE batch<T, A> min_or_nan(batch<T, A> bound, batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_maskz_min_ps(all_floats, bound, x);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_maskz_min_pd(all_doubles, bound, x);
#endif
#if defined(__AVX__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_min_ps(bound, x);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_min_pd(bound, x);
#endif
#if defined(__SSE2__)
  if constexpr (width<A> == 16 && sizeof(T) == 4) return _mm_min_ps(bound, x);
  if constexpr (width<A> == 16 && sizeof(T) == 8) return _mm_min_pd(bound, x);
#endif
  return xsimd::select(bound < x, bound, x);
}

/// The larger one; x if either is NaN.
template <class T, class A> PRIMAL_INLINE batch<T, A> max_or_nan(batch<T, A> bound, batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4) return _mm512_maskz_max_ps(all_floats, bound, x);
  if constexpr (width<A> == 64 && sizeof(T) == 8) return _mm512_maskz_max_pd(all_doubles, bound, x);
#endif
#if defined(__AVX__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_max_ps(bound, x);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_max_pd(bound, x);
#endif
#if defined(__SSE2__)
  if constexpr (width<A> == 16 && sizeof(T) == 4) return _mm_max_ps(bound, x);
  if constexpr (width<A> == 16 && sizeof(T) == 8) return _mm_max_pd(bound, x);
#endif
  return xsimd::select(bound > x, bound, x);
}

// ---- Rounding ------------------------------------------------------------------------------

/// From here on every value is an integer, and adding it rounds smaller ones to an integer.
template <class T>
inline constexpr T first_integer = sizeof(T) == 4 ? T(8388608) : T(4503599627370496);

/// To the nearest integer, half to even.
template <class T, class A> PRIMAL_INLINE batch<T, A> round(batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4)
    return _mm512_maskz_roundscale_ps(all_floats, x, 0);
  if constexpr (width<A> == 64 && sizeof(T) == 8)
    return _mm512_maskz_roundscale_pd(all_doubles, x, 0);
#endif
#if defined(__AVX__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_round_ps(x, 0);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_round_pd(x, 0);
#endif
  const batch<T, A> a = cpu::abs(x), big(first_integer<T>);
  return xsimd::select(a < big, with_sign((a + big) - big, x), x);
}

template <class T, class A> PRIMAL_INLINE batch<T, A> floor(batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4)
    return _mm512_maskz_roundscale_ps(all_floats, x, 1);
  if constexpr (width<A> == 64 && sizeof(T) == 8)
    return _mm512_maskz_roundscale_pd(all_doubles, x, 1);
#endif
#if defined(__AVX__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_floor_ps(x);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_floor_pd(x);
#endif
  const batch<T, A> rounded = cpu::round(x);
  return with_sign(
      cpu::abs(rounded - xsimd::select(rounded > x, batch<T, A>(T(1)), batch<T, A>(T(0)))), x);
}

// ---- Exact products and sums ---------------------------------------------------------------

/// An unevaluated sum of two numbers, the second far smaller.
template <class T, class A> struct two_part {
  batch<T, A> high;
  batch<T, A> low;
};

/// a b - product for the rounded product: exact.
template <class T, class A>
PRIMAL_INLINE batch<T, A> product_error(batch<T, A> a, batch<T, A> b, batch<T, A> product) {
  using V = batch<T, A>;
  if constexpr (has_fma<A>) return cpu::fma(a, b, cpu::negate(product));
  // Dekker: halves short enough that their products are exact.
  const V splitter(sizeof(T) == 4 ? T(4097) : T(134217729));
  const V ta = splitter * a, tb = splitter * b;
  const V a1 = ta - (ta - a), b1 = tb - (tb - b), a2 = a - a1, b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

template <class T, class A> PRIMAL_INLINE two_part<T, A> two_product(batch<T, A> a, batch<T, A> b) {
  const batch<T, A> product = a * b;
  return {product, product_error(a, b, product)};
}

/// c - a b, exactly where that is a number.
template <class T, class A>
PRIMAL_INLINE batch<T, A> residual(batch<T, A> a, batch<T, A> b, batch<T, A> c) {
  if constexpr (has_fma<A>) return cpu::fnma(a, b, c);
  const batch<T, A> product = a * b;
  return (c - product) - product_error(a, b, product);
}

/// a + b for |a| >= |b| or a = 0.
template <class T, class A>
PRIMAL_INLINE two_part<T, A> two_sum_ordered(batch<T, A> a, batch<T, A> b) {
  const batch<T, A> sum = a + b;
  return {sum, b - (sum - a)};
}

}  // namespace primal::cpu
