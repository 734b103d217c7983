// Gelu's approximation by tanh, by its formula: of numbers and of registers.
#pragma once

#include <primal/core/config.hpp>
#include <primal/core/math_of.hpp>

namespace primal {

/// x / 2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). As 1 + tanh(z) is 2 sigmoid(2z), without
/// cancellation, it is x sigmoid(x (slope + slope * cubic x^2)).
template <class T> struct tanh_gelu_formula {
  using m = math_of<T>;

  static constexpr double far = 100;  // beyond -far the result is 0; -infinity times 0 would not be
  static constexpr double slope = 1.5957691216057308, cubic = 0.044715;  // slope: 2 sqrt(2/pi)

  PRIMAL_INLINE static constexpr T value(T x) {
    const T u = m::maximum(x, T(-far));
    return u * gate(u, u * u);
  }

  PRIMAL_INLINE static constexpr T derivative(T x) {
    const T below = m::maximum(x, T(-far)), u = m::minimum(below, T(far));
    const T g = gate(below, below * below);  // as in the value, so that it is calculated once
    return g + u * g * (T(1) - g) * (T(slope) + T(3 * slope * cubic) * (u * u));
  }

 private:
  PRIMAL_INLINE static constexpr T gate(T u, T square) {
    return m::sigmoid(u * (T(slope) + T(slope * cubic) * square));
  }
};

}  // namespace primal
