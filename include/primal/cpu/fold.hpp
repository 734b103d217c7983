// fold: all lanes of a register combined into one value, in halves.
#pragma once

#include <primal/cpu/lanes.hpp>
#include <primal/kernel/execute.hpp>

namespace primal::cpu {

/// Through memory: any register type.
template <combiner C, class V> PRIMAL_INLINE auto fold(const V& x) {
  using T = typename lane_access<V>::element;
  alignas(64) T t[lane_access<V>::count];
  lane_access<V>::store(t, x);
  for (int half = lane_access<V>::count / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) t[i] = combine<C>(t[i], t[i + half]);
  return t[0];
}

// The same combinations, in registers: a fold through memory waits for its stores.
#if defined(__SSE2__)
/// a and b combined, where neither is NaN.
template <combiner C, class V> PRIMAL_INLINE V combine_known(const V& a, const V& b) {
  if constexpr (C == combiner::maximum) return cpu::max_or_nan(a, b);
  else if constexpr (C == combiner::minimum) return cpu::min_or_nan(a, b);
  else return combine<C>(a, b);
}
template <combiner C, class A>
  requires(width<A> == 16)
PRIMAL_INLINE float fold_halves(const xsimd::batch<float, A>& x) {
  using V = xsimd::batch<float, A>;
  const V two = combine_known<C>(x, V(_mm_movehl_ps(x, x)));
  return _mm_cvtss_f32(combine_known<C>(two, V(_mm_shuffle_ps(two, two, 1))));
}
template <combiner C, class A>
  requires(width<A> == 16)
PRIMAL_INLINE double fold_halves(const xsimd::batch<double, A>& x) {
  using V = xsimd::batch<double, A>;
  return _mm_cvtsd_f64(combine_known<C>(x, V(_mm_unpackhi_pd(x, x))));
}
#endif
#if defined(__AVX__)
template <combiner C, class A>
  requires(width<A> == 32)
PRIMAL_INLINE float fold_halves(const xsimd::batch<float, A>& x) {
  using V = xsimd::batch<float, xsimd::sse2>;
  return fold_halves<C>(
      combine_known<C>(V(_mm256_castps256_ps128(x)), V(_mm256_extractf128_ps(x, 1))));
}
template <combiner C, class A>
  requires(width<A> == 32)
PRIMAL_INLINE double fold_halves(const xsimd::batch<double, A>& x) {
  using V = xsimd::batch<double, xsimd::sse2>;
  return fold_halves<C>(
      combine_known<C>(V(_mm256_castpd256_pd128(x)), V(_mm256_extractf128_pd(x, 1))));
}
#endif
#if defined(__AVX512F__)
template <combiner C, class A>
  requires(width<A> == 64)
PRIMAL_INLINE double fold_halves(const xsimd::batch<double, A>& x) {
  using V = xsimd::batch<double, xsimd::avx2>;
  return fold_halves<C>(combine_known<C>(V(_mm512_maskz_extractf64x4_pd(all_doubles, x, 0)),
                                         V(_mm512_maskz_extractf64x4_pd(all_doubles, x, 1))));
}
template <combiner C, class A>
  requires(width<A> == 64)
PRIMAL_INLINE float fold_halves(const xsimd::batch<float, A>& x) {
  using V = xsimd::batch<float, xsimd::avx2>;
  const auto half = [&]<int I>(std::integral_constant<int, I>) PRIMAL_LAMBDA_INLINE {
    return V(_mm256_castpd_ps(_mm512_maskz_extractf64x4_pd(all_doubles, _mm512_castps_pd(x), I)));
  };
  return fold_halves<C>(combine_known<C>(half(std::integral_constant<int, 0>{}),
                                         half(std::integral_constant<int, 1>{})));
}
#endif
#if defined(__SSE2__)
/// NaN is looked for once, not in every half.
template <combiner C, class T, class A>
  requires std::is_floating_point_v<T>
PRIMAL_INLINE T fold(const xsimd::batch<T, A>& x) {
  if constexpr (C == combiner::maximum || C == combiner::minimum)
    if (xsimd::any(cpu::is_nan(x))) return std::numeric_limits<T>::quiet_NaN();
  return fold_halves<C>(x);
}
#endif

}  // namespace primal::cpu
