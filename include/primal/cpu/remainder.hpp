// Python's floor division and remainder of registers.
#pragma once

#include <primal/core/math.hpp>
#include <primal/cpu/arithmetic.hpp>

namespace primal::cpu {

/// a = q b + r with an integer q and r of the sign of b, where `ordinary`.
template <class T, class A> struct floor_division {
  using V = batch<T, A>;

  V q;
  V r;
  batch_mask<T, A> ordinary;

  PRIMAL_INLINE floor_division(V a, V b) {
    // Below this bound q is exact but for one rounding up, and q b is exact in two parts.
    constexpr T largest_quotient = first_integer<T> / T(2);
    constexpr T largest_divisor = sizeof(T) == 4 ? T(0x1p100) : T(0x1p900);
    const V quotient = divide(a, b);
    q = cpu::floor(quotient);
    r = residual(q, b, a);
    const auto rounded_up = (r < V(T(0)) && b > V(T(0))) || (r > V(T(0)) && b < V(T(0)));
    q = xsimd::select(rounded_up, q - V(T(1)), q);
    r = xsimd::select(rounded_up, r + b, r);
    r = xsimd::select(r == V(T(0)), cpu::copysign(r, b), r);
    ordinary = cpu::abs(quotient) < V(largest_quotient) && cpu::abs(b) < V(largest_divisor);
  }

  /// The fast value, or that of the scalar function in lanes that are out of the ordinary.
  template <class Exact> PRIMAL_INLINE V unless_extreme(V fast, V a, V b, Exact exact) const {
    if (xsimd::all(ordinary)) [[likely]]
      return fast;
    return xsimd::select(ordinary, fast, each_lane(exact, a, b));
  }
};

/// a % b, exact, with the sign of b.
template <class T, class A> PRIMAL_INLINE batch<T, A> remainder(batch<T, A> a, batch<T, A> b) {
  const floor_division<T, A> division(a, b);
  return division.unless_extreme(division.r, a, b,
                                 [](T x, T y) { return math_of<T>::remainder(x, y); });
}

/// a // b, the floor of the quotient.
template <class T, class A> PRIMAL_INLINE batch<T, A> floor_divide(batch<T, A> a, batch<T, A> b) {
  const floor_division<T, A> division(a, b);
  return division.unless_extreme(division.q, a, b,
                                 [](T x, T y) { return math_of<T>::floor_divide(x, y); });
}

}  // namespace primal::cpu
