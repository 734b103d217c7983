// math_of for scalars: the standard library at run time, constant_math.hpp in constant evaluation.
#pragma once

#include <primal/core/constant_math.hpp>
#include <primal/core/math_of.hpp>
#include <primal/core/tanh_gelu.hpp>

#include <cmath>
#include <concepts>
#include <limits>
#include <type_traits>

namespace primal {

/// float and double.
template <std::floating_point T> struct math_of<T> {
  using mask = bool;

  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T not_a_number = std::numeric_limits<T>::quiet_NaN();

#define PRIMAL_SCALAR_FUNCTION(name)                                       \
  PRIMAL_INLINE static constexpr T name(T x) {                             \
    if (__builtin_is_constant_evaluated())                                 \
      return static_cast<T>(math::constant::name(static_cast<double>(x))); \
    return std::name(x);                                                   \
  }
  PRIMAL_SCALAR_FUNCTION(exp)
  PRIMAL_SCALAR_FUNCTION(expm1)
  PRIMAL_SCALAR_FUNCTION(log)
  PRIMAL_SCALAR_FUNCTION(log2)
  PRIMAL_SCALAR_FUNCTION(log1p)
  PRIMAL_SCALAR_FUNCTION(sqrt)
  PRIMAL_SCALAR_FUNCTION(sin)
  PRIMAL_SCALAR_FUNCTION(cos)
  PRIMAL_SCALAR_FUNCTION(tan)
  PRIMAL_SCALAR_FUNCTION(tanh)
  PRIMAL_SCALAR_FUNCTION(erf)
  PRIMAL_SCALAR_FUNCTION(floor)
  PRIMAL_SCALAR_FUNCTION(ceil)
  PRIMAL_SCALAR_FUNCTION(trunc)
#undef PRIMAL_SCALAR_FUNCTION

  PRIMAL_INLINE static constexpr T round(T x) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(math::constant::round(static_cast<double>(x)));
    return std::nearbyint(x);
  }

  PRIMAL_INLINE static constexpr T abs(T x) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(math::constant::abs(static_cast<double>(x)));
    return std::fabs(x);
  }

  PRIMAL_INLINE static constexpr T pow(T x, T y) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(math::constant::pow(static_cast<double>(x), static_cast<double>(y)));
    return std::pow(x, y);
  }

  PRIMAL_INLINE static constexpr T fma(T a, T b, T c) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(math::constant::fma(static_cast<double>(a), static_cast<double>(b),
                                                static_cast<double>(c)));
    return std::fma(a, b, c);
  }

  PRIMAL_INLINE static T unfused(T x) {
#if !defined(__CUDA_ARCH__)  // there sums are rounded on their own (kernel/wide.hpp)
    asm("" : PRIMAL_FLOAT_REGISTER(x));
#endif
    return x;
  }

  PRIMAL_INLINE static constexpr T copysign(T magnitude, T sign) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(
          math::constant::copysign(static_cast<double>(magnitude), static_cast<double>(sign)));
    return std::copysign(magnitude, sign);
  }

  PRIMAL_INLINE static constexpr T rsqrt(T x) {
#if defined(__CUDA_ARCH__)
    if (!__builtin_is_constant_evaluated()) return ::rsqrt(x);
#endif
    return T(1) / sqrt(x);
  }

  PRIMAL_INLINE static constexpr T reciprocal(T x) { return T(1) / x; }
  PRIMAL_INLINE static constexpr T square(T x) { return x * x; }

  /// 1 / (1 + exp(-x)), from exp(-|x|): it neither overflows nor loses the tail below -88.
  PRIMAL_INLINE static constexpr T sigmoid(T x) {
    const T e = exp(-abs(x));
    return (x < T(0) ? e : T(1)) / (T(1) + e);
  }

  /// x Phi(x), Phi the standard normal distribution.
  PRIMAL_INLINE static constexpr T gelu(T x) {
    // Written from the tail, so that x = -infinity gives 0, not NaN.
    const T tail = abs(x) * normal_tail(abs(x));
    return abs(x) > T(40) ? (x < T(0) ? T(0) : x) : (x < T(0) ? -tail : x - tail);
  }

  /// The derivative of gelu, Phi(x) + x phi(x).
  PRIMAL_INLINE static constexpr T gelu_slope(T x) {
    const T a = abs(x) > T(40) ? T(40) : abs(x);
    const T s = normal_tail(a) - a * T(0.398942280401432678) * exp(T(-0.5) * a * a);
    return isnan(x) ? x : (x < T(0) ? s : T(1) - s);
  }

  PRIMAL_INLINE static constexpr T tanh_gelu(T x) { return tanh_gelu_formula<T>::value(x); }
  PRIMAL_INLINE static constexpr T tanh_gelu_slope(T x) {
    return tanh_gelu_formula<T>::derivative(x);
  }

  /// -1, 0 or 1; NaN of NaN.
  PRIMAL_INLINE static constexpr T sign(T x) { return x > T(0) ? T(1) : (x < T(0) ? T(-1) : x); }

  /// A NaN on either side comes out.
  PRIMAL_INLINE static constexpr T maximum(T a, T b) { return a > b || isnan(a) ? a : b; }
  PRIMAL_INLINE static constexpr T minimum(T a, T b) { return a < b || isnan(a) ? a : b; }

  PRIMAL_INLINE static constexpr T negate(T x) { return -x; }

  PRIMAL_INLINE static constexpr mask not_equal(T a, T b) { return a != b; }
  PRIMAL_INLINE static constexpr mask isnan(T x) { return x != x; }
  PRIMAL_INLINE static constexpr mask isinf(T x) { return x == infinity || x == -infinity; }
  PRIMAL_INLINE static constexpr mask isfinite(T x) { return x - x == T(0); }

  PRIMAL_INLINE static constexpr T select(mask m, T a, T b) { return m ? a : b; }

  /// Python's a % b: exact, with the sign of b.
  PRIMAL_INLINE static constexpr T remainder(T a, T b) {
    const T r = fmod(a, b);
    if (r == T(0)) return copysign(r, b);
    return (r < T(0)) != (b < T(0)) ? r + b : r;
  }

  /// Python's a // b: the floor of the exact quotient (from 2^22 on with an error of one unit in
  /// the last place); a / b for b = 0.
  PRIMAL_INLINE static constexpr T floor_divide(T a, T b) {
    if (b == T(0)) return a / b;
    const T r = fmod(a, b);
    const T quotient = (a - r) / b;  // an integer, but for rounding
    const T below = r != T(0) && (r < T(0)) != (b < T(0)) ? quotient - T(1) : quotient;
    return below == T(0) ? copysign(T(0), a / b) : round(below);
  }

 private:
  PRIMAL_INLINE static constexpr T fmod(T a, T b) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(math::constant::fmod(static_cast<double>(a), static_cast<double>(b)));
    return std::fmod(a, b);
  }

  PRIMAL_INLINE static constexpr T normal_tail(T a) {
    if (__builtin_is_constant_evaluated())
      return static_cast<T>(0.5 *
                            math::constant::erfc(0.70710678118654752 * static_cast<double>(a)));
    return T(0.5) * std::erfc(T(0.707106781186547524) * a);
  }
};

/// Integers and bool. Nothing overflows with undefined behaviour: results wrap.
template <std::integral T> struct math_of<T> {
  using mask = bool;

  PRIMAL_INLINE static constexpr T abs(T x) { return is_negative(x) ? negated(x) : x; }
  PRIMAL_INLINE static constexpr T sign(T x) {
    return static_cast<T>(static_cast<int>(x != T(0)) - 2 * static_cast<int>(is_negative(x)));
  }
  PRIMAL_INLINE static constexpr T square(T x) { return product(x, x); }
  PRIMAL_INLINE static constexpr T negate(T x) { return negated(x); }
  PRIMAL_INLINE static constexpr T maximum(T a, T b) { return a > b ? a : b; }
  PRIMAL_INLINE static constexpr T minimum(T a, T b) { return a < b ? a : b; }
  PRIMAL_INLINE static constexpr T select(mask m, T a, T b) { return m ? a : b; }
  PRIMAL_INLINE static constexpr T fma(T a, T b, T c) {
    return static_cast<T>(static_cast<wide>(product(a, b)) + static_cast<wide>(c));
  }

  PRIMAL_INLINE static constexpr T floor(T x) { return x; }
  PRIMAL_INLINE static constexpr T ceil(T x) { return x; }
  PRIMAL_INLINE static constexpr T round(T x) { return x; }
  PRIMAL_INLINE static constexpr T trunc(T x) { return x; }
  PRIMAL_INLINE static constexpr mask not_equal(T a, T b) { return a != b; }
  PRIMAL_INLINE static constexpr mask isnan(T) { return false; }
  PRIMAL_INLINE static constexpr mask isinf(T) { return false; }
  PRIMAL_INLINE static constexpr mask isfinite(T) { return true; }

  /// Python's a // b, rounded down; 0 for b = 0.
  PRIMAL_INLINE static constexpr T floor_divide(T a, T b) {
    if (b == T(0)) return T(0);
    if (is_minus_one(b)) return negated(a);
    const T quotient = static_cast<T>(a / b);
    const bool inexact = quotient * b != a;
    return inexact && is_negative(a) != is_negative(b) ? static_cast<T>(quotient - 1) : quotient;
  }

  /// Python's a % b, with the sign of b; 0 for b = 0.
  PRIMAL_INLINE static constexpr T remainder(T a, T b) {
    if (b == T(0) || is_minus_one(b)) return T(0);
    const T r = static_cast<T>(a % b);
    return r != T(0) && is_negative(r) != is_negative(b) ? static_cast<T>(r + b) : r;
  }

  /// Repeated multiplication; for y < 0 the integer part of the reciprocal, 0 for x = 0.
  PRIMAL_INLINE static constexpr T pow(T x, T y) {
    if (is_negative(y)) {
      const bool odd = (static_cast<wide>(y) & 1) != 0;
      return x == T(1) || (is_minus_one(x) && !odd) ? T(1) : (is_minus_one(x) ? x : T(0));
    }
    T result = T(1);
    for (auto rest = static_cast<wide>(y); rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) result = product(result, x);
      x = product(x, x);
    }
    return result;
  }

 private:
  using wide = unsigned long long;

  PRIMAL_INLINE static constexpr T negated(T x) {
    return static_cast<T>(wide{0} - static_cast<wide>(x));
  }
  PRIMAL_INLINE static constexpr T product(T a, T b) {
    return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
  }
  /// (nvcc warns of comparing an unsigned number with 0.)
  PRIMAL_INLINE static constexpr bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>) return x < T(0);
    else return false;
  }
  PRIMAL_INLINE static constexpr bool is_minus_one(T x) {
    if constexpr (std::is_signed_v<T>) return x == T(-1);
    return false;
  }
};

}  // namespace primal
