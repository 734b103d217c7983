// wide: several registers, or several scalars, used as one.
#pragma once

#include <primal/core/math.hpp>

namespace primal {

namespace core {

// x + y and x - y, which no product is rounded together with: compilers for GPUs would do so in one sweep and not in
// another one, and what is compared must have the same bits in both. Where it pays, the planner says fma.
template <class V> PRIMAL_INLINE V sum_alone(V x, V y) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) return __fadd_rn(x, y);
  else if constexpr (std::is_same_v<V, double>) return __dadd_rn(x, y);
  else return V(x + y);
#else
  return V(x + y);
#endif
}
template <class V> PRIMAL_INLINE V difference_alone(V x, V y) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<V, float>) return __fsub_rn(x, y);
  else if constexpr (std::is_same_v<V, double>) return __dsub_rn(x, y);
  else return V(x - y);
#else
  return V(x - y);
#endif
}

}  // namespace core

/// K values of V, one beside the other: what a team calculates with where its own registers are too
/// narrow for a type (double beside float), or where it has none (small integers, tests, CUDA packs).
template <class V, int K> struct wide {
  V part[K];

  wide() = default;
  PRIMAL_INLINE explicit wide(V x) {
    for (int i = 0; i < K; ++i) part[i] = x;
  }
  template <class S>
    requires(!std::is_same_v<S, V> && std::is_constructible_v<V, S> && std::is_arithmetic_v<S>)
  PRIMAL_INLINE explicit wide(S x) : wide(V(x)) {}

  /// f applied part by part.
  template <class F, class... A> PRIMAL_INLINE static wide map(F f, const A&... a) {
    wide r;
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int i = 0; i < K; ++i) r.part[i] = f(a.part[i]...);
    return r;
  }

  PRIMAL_INLINE friend wide operator+(const wide& a, const wide& b) {
    return map([](V x, V y) { return core::sum_alone(x, y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator-(const wide& a, const wide& b) {
    return map([](V x, V y) { return core::difference_alone(x, y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator*(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x * y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator/(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x / y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator-(const wide& a) {
    return map([](V x) { return math_of<V>::negate(x); }, a);
  }
  PRIMAL_INLINE friend wide operator&(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x & y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator|(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x | y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator^(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x ^ y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator~(const wide& a) {
    if constexpr (std::is_same_v<V, bool>) return !a;
    else return map([](V x) { return V(~x); }, a);
  }
  PRIMAL_INLINE friend wide operator&&(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x && y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator||(const wide& a, const wide& b) {
    return map([](V x, V y) { return V(x || y); }, a, b);
  }
  PRIMAL_INLINE friend wide operator!(const wide& a) {
    return map([](V x) { return V(!x); }, a);
  }
};

namespace core {
template <class V, int K, class F>
PRIMAL_INLINE auto compare(F f, const wide<V, K>& a, const wide<V, K>& b) {
  return wide<typename math_of<V>::mask, K>::map(f, a, b);
}
}  // namespace core

template <class V, int K> PRIMAL_INLINE auto operator<(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x < y; }, a, b);
}
template <class V, int K> PRIMAL_INLINE auto operator<=(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x <= y; }, a, b);
}
template <class V, int K> PRIMAL_INLINE auto operator>(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x > y; }, a, b);
}
template <class V, int K> PRIMAL_INLINE auto operator>=(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x >= y; }, a, b);
}
template <class V, int K> PRIMAL_INLINE auto operator==(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x == y; }, a, b);
}
template <class V, int K> PRIMAL_INLINE auto operator!=(const wide<V, K>& a, const wide<V, K>& b) {
  return core::compare([](V x, V y) { return x != y; }, a, b);
}

/// Part by part.
template <class V, int K> struct math_of<wide<V, K>> {
  using W = wide<V, K>;
  using M = math_of<V>;
  using mask = wide<typename M::mask, K>;

#define PRIMAL_PART_BY_PART(name)                     \
  PRIMAL_INLINE static W name(const W& x) {           \
    return W::map([](V p) { return M::name(p); }, x); \
  }
#define PRIMAL_PAIR_BY_PAIR(name)                                \
  PRIMAL_INLINE static W name(const W& x, const W& y) {          \
    return W::map([](V p, V q) { return M::name(p, q); }, x, y); \
  }
#define PRIMAL_TEST_BY_PART(name)                        \
  PRIMAL_INLINE static mask name(const W& x) {           \
    return mask::map([](V p) { return M::name(p); }, x); \
  }
  PRIMAL_PART_BY_PART(exp)
  PRIMAL_PART_BY_PART(expm1)
  PRIMAL_PART_BY_PART(log)
  PRIMAL_PART_BY_PART(log2)
  PRIMAL_PART_BY_PART(log1p)
  PRIMAL_PART_BY_PART(sqrt)
  PRIMAL_PART_BY_PART(rsqrt)
  PRIMAL_PART_BY_PART(reciprocal)
  PRIMAL_PART_BY_PART(square)
  PRIMAL_PART_BY_PART(sin)
  PRIMAL_PART_BY_PART(cos)
  PRIMAL_PART_BY_PART(tan)
  PRIMAL_PART_BY_PART(tanh)
  PRIMAL_PART_BY_PART(sigmoid)
  PRIMAL_PART_BY_PART(erf)
  PRIMAL_PART_BY_PART(gelu)
  PRIMAL_PART_BY_PART(gelu_slope)
  PRIMAL_PART_BY_PART(tanh_gelu)
  PRIMAL_PART_BY_PART(tanh_gelu_slope)
  PRIMAL_PART_BY_PART(abs)
  PRIMAL_PART_BY_PART(sign)
  PRIMAL_PART_BY_PART(negate)
  PRIMAL_PART_BY_PART(floor)
  PRIMAL_PART_BY_PART(ceil)
  PRIMAL_PART_BY_PART(round)
  PRIMAL_PART_BY_PART(trunc)
  PRIMAL_PAIR_BY_PAIR(pow)
  PRIMAL_PAIR_BY_PAIR(copysign)
  PRIMAL_PAIR_BY_PAIR(maximum)
  PRIMAL_PAIR_BY_PAIR(minimum)
  PRIMAL_PAIR_BY_PAIR(floor_divide)
  PRIMAL_PAIR_BY_PAIR(remainder)
  PRIMAL_TEST_BY_PART(isnan)
  PRIMAL_TEST_BY_PART(isinf)
  PRIMAL_TEST_BY_PART(isfinite)
#undef PRIMAL_PART_BY_PART
#undef PRIMAL_PAIR_BY_PAIR
#undef PRIMAL_TEST_BY_PART

  PRIMAL_INLINE static mask not_equal(const W& x, const W& y) {
    return mask::map([](V p, V q) { return M::not_equal(p, q); }, x, y);
  }
  PRIMAL_INLINE static W unfused(const W& x) {
    return W::map([](V p) { return math::unfused(p); }, x);
  }
  PRIMAL_INLINE static W fma(const W& a, const W& b, const W& c) {
    return W::map([](V p, V q, V r) { return M::fma(p, q, r); }, a, b, c);
  }
  PRIMAL_INLINE static W fms(const W& a, const W& b, const W& c) {
    return W::map([](V p, V q, V r) { return math::fms(p, q, r); }, a, b, c);
  }
  PRIMAL_INLINE static W fnma(const W& a, const W& b, const W& c) {
    return W::map([](V p, V q, V r) { return math::fnma(p, q, r); }, a, b, c);
  }
  PRIMAL_INLINE static W select(const mask& m, const W& a, const W& b) {
    return W::map([](typename M::mask q, V x, V y) { return M::select(q, x, y); }, m, a, b);
  }
};

}  // namespace primal
