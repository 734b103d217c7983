// Trigonometric functions, of radians. Integers are computed in float32.
#pragma once

#include <primal/op/arithmetic.hpp>

namespace primal {

/// The sine. Gradient dy * cos(x).
struct sin_op : elementwise<sin_op> {
  static constexpr op_name name{"sin"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::sin(x); }

  static constexpr tensor vjp(saved s, tensor dy);
};
inline constexpr op<sin_op> sin{};

/// The cosine. Gradient -dy * sin(x).
struct cos_op : elementwise<cos_op> {
  static constexpr op_name name{"cos"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::cos(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return -(dy * sin(s.input())); }
};
inline constexpr op<cos_op> cos{};

constexpr tensor sin_op::vjp(saved s, tensor dy) { return dy * cos(s.input()); }

/// The tangent. Gradient dy * (1 + y^2), from the result.
struct tan_op : elementwise<tan_op> {
  static constexpr op_name name{"tan"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::tan(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto y = s.output();
    return dy * (1 + y * y);
  }
};
inline constexpr op<tan_op> tan{};

}  // namespace primal
