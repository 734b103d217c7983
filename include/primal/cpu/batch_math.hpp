// math_of for SIMD registers: what operators call when a kernel runs on the CPU.
#pragma once

#include <primal/core/math.hpp>
#include <primal/cpu/gelu.hpp>
#include <primal/cpu/pow.hpp>
#include <primal/cpu/remainder.hpp>
#include <primal/cpu/trigonometric.hpp>

namespace primal {

/// float and double registers.
template <std::floating_point T, class A> struct math_of<xsimd::batch<T, A>> {
  using V = xsimd::batch<T, A>;
  using mask = xsimd::batch_bool<T, A>;

  PRIMAL_INLINE static V pow(V x, V y) { return cpu::pow(x, y); }

  PRIMAL_INLINE static V exp(V x) { return cpu::exp(x); }
  PRIMAL_INLINE static V expm1(V x) { return cpu::expm1(x); }
  PRIMAL_INLINE static V log(V x) { return cpu::log(x); }
  PRIMAL_INLINE static V log2(V x) { return cpu::log2(x); }
  PRIMAL_INLINE static V log1p(V x) { return cpu::log1p(x); }
  PRIMAL_INLINE static V tanh(V x) { return cpu::tanh(x); }
  PRIMAL_INLINE static V sigmoid(V x) { return cpu::sigmoid(x); }
  PRIMAL_INLINE static V erf(V x) { return cpu::erf(x); }
  PRIMAL_INLINE static V gelu(V x) { return cpu::gelu(x); }
  PRIMAL_INLINE static V gelu_slope(V x) { return cpu::gelu_slope(x); }
  PRIMAL_INLINE static V tanh_gelu(V x) {
    if constexpr (sizeof(T) == 4) return cpu::tanh_gelu(x);
    else return tanh_gelu_formula<V>::value(x);
  }
  PRIMAL_INLINE static V tanh_gelu_slope(V x) {
    if constexpr (sizeof(T) == 4) return cpu::tanh_gelu_slope(x);
    else return tanh_gelu_formula<V>::derivative(x);
  }
  PRIMAL_INLINE static V sin(V x) { return cpu::sin(x); }
  PRIMAL_INLINE static V cos(V x) { return cpu::cos(x); }
  PRIMAL_INLINE static V tan(V x) { return cpu::tan(x); }
  PRIMAL_INLINE static V sqrt(V x) { return cpu::sqrt(x); }
  PRIMAL_INLINE static V rsqrt(V x) { return cpu::divide(V(T(1)), cpu::sqrt(x)); }
  PRIMAL_INLINE static V reciprocal(V x) { return cpu::divide(V(T(1)), x); }
  PRIMAL_INLINE static V square(V x) { return x * x; }
  PRIMAL_INLINE static V unfused(V x) { return cpu::unfused(x); }
  PRIMAL_INLINE static V fma(V a, V b, V c) { return cpu::fma(a, b, c); }
  PRIMAL_INLINE static V fms(V a, V b, V c) { return cpu::fms(a, b, c); }
  PRIMAL_INLINE static V fnma(V a, V b, V c) { return cpu::fnma(a, b, c); }

  PRIMAL_INLINE static V abs(V x) { return cpu::abs(x); }
  /// -x; xsimd 8.1 makes +0 of 0 on AVX-512.
  PRIMAL_INLINE static V negate(V x) { return cpu::negate(x); }
  PRIMAL_INLINE static V copysign(V magnitude, V x) { return cpu::copysign(magnitude, x); }
  /// -1, 0 or 1; NaN of NaN.
  PRIMAL_INLINE static V sign(V x) {
    return xsimd::select(cpu::abs(x) > V(T(0)), cpu::with_sign(V(T(1)), x), x);
  }

  PRIMAL_INLINE static V floor(V x) { return cpu::floor(x); }
  PRIMAL_INLINE static V ceil(V x) { return cpu::negate(cpu::floor(cpu::negate(x))); }
  PRIMAL_INLINE static V trunc(V x) { return cpu::with_sign(cpu::floor(cpu::abs(x)), x); }
  PRIMAL_INLINE static V round(V x) { return cpu::round(x); }

  /// A NaN on either side comes out.
  PRIMAL_INLINE static V maximum(V a, V b) {
    return xsimd::select(cpu::is_nan(a), a, cpu::max_or_nan(a, b));
  }
  PRIMAL_INLINE static V minimum(V a, V b) {
    return xsimd::select(cpu::is_nan(a), a, cpu::min_or_nan(a, b));
  }

  /// !(a == b); xsimd 8.1 says that NaN equals everything on AVX and AVX-512.
  PRIMAL_INLINE static mask not_equal(V a, V b) { return !(a == b); }
  PRIMAL_INLINE static mask isnan(V x) { return cpu::is_nan(x); }
  PRIMAL_INLINE static mask isinf(V x) { return cpu::abs(x) == V(math_of<T>::infinity); }
  PRIMAL_INLINE static mask isfinite(V x) { return cpu::abs(x) < V(math_of<T>::infinity); }

  PRIMAL_INLINE static V select(mask m, V a, V b) { return xsimd::select(m, a, b); }

  /// Python's a % b, exact.
  PRIMAL_INLINE static V remainder(V a, V b) { return cpu::remainder(a, b); }
  /// Python's a // b.
  PRIMAL_INLINE static V floor_divide(V a, V b) { return cpu::floor_divide(a, b); }
};

/// Integer registers. Results wrap.
template <std::integral T, class A> struct math_of<xsimd::batch<T, A>> {
  using V = xsimd::batch<T, A>;
  using mask = xsimd::batch_bool<T, A>;

  PRIMAL_INLINE static V abs(V x) { return cpu::select(x < V(T(0)), V(T(0)) - x, x); }
  PRIMAL_INLINE static V sign(V x) {
    return cpu::select(x > V(T(0)), V(T(1)),
                       cpu::select(x < V(T(0)), V(static_cast<T>(-1)), V(T(0))));
  }
  PRIMAL_INLINE static V negate(V x) { return V(T(0)) - x; }
  PRIMAL_INLINE static V square(V x) { return product(x, x); }
  PRIMAL_INLINE static V fma(V a, V b, V c) { return product(a, b) + c; }
  PRIMAL_INLINE static V maximum(V a, V b) { return cpu::select(a > b, a, b); }
  PRIMAL_INLINE static V minimum(V a, V b) { return cpu::select(a < b, a, b); }
  PRIMAL_INLINE static V select(mask m, V a, V b) { return cpu::select(m, a, b); }

  PRIMAL_INLINE static V floor(V x) { return x; }
  PRIMAL_INLINE static V ceil(V x) { return x; }
  PRIMAL_INLINE static V round(V x) { return x; }
  PRIMAL_INLINE static V trunc(V x) { return x; }
  PRIMAL_INLINE static mask not_equal(V a, V b) { return !(a == b); }
  PRIMAL_INLINE static mask isnan(V) { return mask(false); }
  PRIMAL_INLINE static mask isinf(V) { return mask(false); }
  PRIMAL_INLINE static mask isfinite(V) { return mask(true); }

  /// Python's a // b, 0 for b = 0.
  PRIMAL_INLINE static V floor_divide(V a, V b) {
    return cpu::each_lane([](T x, T y) { return math_of<T>::floor_divide(x, y); }, a, b);
  }
  /// Python's a % b, 0 for b = 0.
  PRIMAL_INLINE static V remainder(V a, V b) {
    return cpu::each_lane([](T x, T y) { return math_of<T>::remainder(x, y); }, a, b);
  }
  PRIMAL_INLINE static V pow(V x, V y) {
    return cpu::each_lane([](T a, T b) { return math_of<T>::pow(a, b); }, x, y);
  }

 private:
  PRIMAL_INLINE static V product(V a, V b) { return a * b; }
};

/// Registers of conditions.
template <class T, class A> struct math_of<xsimd::batch_bool<T, A>> {
  using V = xsimd::batch_bool<T, A>;
  using mask = V;

  PRIMAL_INLINE static V maximum(V a, V b) { return a | b; }
  PRIMAL_INLINE static V minimum(V a, V b) { return a & b; }
  PRIMAL_INLINE static V select(mask m, V a, V b) { return (m & a) | (~m & b); }
};

}  // namespace primal
