// Elementary functions of one register: a scalar here, SIMD registers in a specialisation of
// math_of. Operators call math::exp(x) and work on every register type.
#pragma once

#include <primal/core/scalar_math.hpp>

namespace primal {
namespace math {

// Function templates that forward to math_of<V>: a qualified call inside a template finds the
// specialisation that exists where the template is instantiated, whatever was included first.
#define PRIMAL_UNARY_FUNCTION(name) \
  template <class V> PRIMAL_INLINE constexpr V name(V x) { return math_of<V>::name(x); }
#define PRIMAL_BINARY_FUNCTION(name)                                                  \
  template <class V> PRIMAL_INLINE constexpr V name(V a, std::type_identity_t<V> b) { \
    return math_of<V>::name(a, b);                                                    \
  }
#define PRIMAL_TEST_FUNCTION(name) \
  template <class V> PRIMAL_INLINE constexpr mask_of<V> name(V x) { return math_of<V>::name(x); }

PRIMAL_UNARY_FUNCTION(exp)
PRIMAL_UNARY_FUNCTION(expm1)
PRIMAL_UNARY_FUNCTION(log)
PRIMAL_UNARY_FUNCTION(log2)
PRIMAL_UNARY_FUNCTION(log1p)
PRIMAL_UNARY_FUNCTION(sqrt)
PRIMAL_UNARY_FUNCTION(rsqrt)
PRIMAL_UNARY_FUNCTION(square)
PRIMAL_UNARY_FUNCTION(reciprocal)
PRIMAL_UNARY_FUNCTION(sin)
PRIMAL_UNARY_FUNCTION(cos)
PRIMAL_UNARY_FUNCTION(tan)
PRIMAL_UNARY_FUNCTION(tanh)
PRIMAL_UNARY_FUNCTION(sigmoid)
PRIMAL_UNARY_FUNCTION(erf)
PRIMAL_UNARY_FUNCTION(gelu)
PRIMAL_UNARY_FUNCTION(gelu_slope)
PRIMAL_UNARY_FUNCTION(tanh_gelu)
PRIMAL_UNARY_FUNCTION(tanh_gelu_slope)
PRIMAL_UNARY_FUNCTION(abs)
PRIMAL_UNARY_FUNCTION(negate)
PRIMAL_UNARY_FUNCTION(sign)
PRIMAL_UNARY_FUNCTION(floor)
PRIMAL_UNARY_FUNCTION(ceil)
PRIMAL_UNARY_FUNCTION(round)
PRIMAL_UNARY_FUNCTION(trunc)
PRIMAL_BINARY_FUNCTION(pow)
PRIMAL_BINARY_FUNCTION(maximum)
PRIMAL_BINARY_FUNCTION(minimum)
PRIMAL_BINARY_FUNCTION(floor_divide)
PRIMAL_BINARY_FUNCTION(remainder)
PRIMAL_BINARY_FUNCTION(copysign)
PRIMAL_TEST_FUNCTION(isnan)
PRIMAL_TEST_FUNCTION(isinf)
PRIMAL_TEST_FUNCTION(isfinite)

#undef PRIMAL_UNARY_FUNCTION
#undef PRIMAL_BINARY_FUNCTION
#undef PRIMAL_TEST_FUNCTION

/// a != b, true of NaN. (On registers != itself is false of NaN in xsimd 8.1.)
template <class V> PRIMAL_INLINE constexpr mask_of<V> not_equal(V a, std::type_identity_t<V> b) {
  return math_of<V>::not_equal(a, b);
}

/// x, of which compilers know no more than its value: they do not round it together with a sum that it goes into.
template <class V> PRIMAL_INLINE V unfused(V x) {
  if constexpr (requires { math_of<V>::unfused(x); }) return math_of<V>::unfused(x);
  else return x;
}

/// a * b + c, rounded once where the target can.
template <class V>
PRIMAL_INLINE constexpr V fma(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  return math_of<V>::fma(a, b, c);
}

/// a * b - c, rounded once where the target can. (A register negated first is one operation more.)
template <class V>
PRIMAL_INLINE constexpr V fms(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  if constexpr (requires { math_of<V>::fms(a, b, c); }) return math_of<V>::fms(a, b, c);
  else return math_of<V>::fma(a, b, math_of<V>::negate(c));
}

/// c - a * b, rounded once where the target can.
template <class V>
PRIMAL_INLINE constexpr V fnma(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  if constexpr (requires { math_of<V>::fnma(a, b, c); }) return math_of<V>::fnma(a, b, c);
  else return math_of<V>::fma(math_of<V>::negate(a), b, c);
}

/// a where the mask is set, b elsewhere.
template <class V> PRIMAL_INLINE constexpr V select(mask_of<V> m, V a, std::type_identity_t<V> b) {
  return math_of<V>::select(m, a, b);
}

}  // namespace math
}  // namespace primal
