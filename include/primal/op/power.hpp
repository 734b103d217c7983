// Powers: square, sqrt, rsqrt, reciprocal, pow.
#pragma once

#include <primal/op/division.hpp>
#include <primal/op/logarithm.hpp>
#include <primal/op/predicate.hpp>
#include <primal/op/selection.hpp>

namespace primal {

/// x * x; integers stay integers. Gradient dy * 2x.
struct square_op : elementwise<square_op> {
  static constexpr op_name name{"square"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::square(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * (2 * s.input()); }
};
inline constexpr op<square_op> square{};

/// The square root. Gradient dy / (2y), from the result: infinite at 0.
struct sqrt_op : elementwise<sqrt_op> {
  static constexpr op_name name{"sqrt"};
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::sqrt(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * 0.5 / s.output(); }
};
inline constexpr op<sqrt_op> sqrt{};

/// 1 / sqrt(x). Gradient -dy * y^3 / 2, from the result.
struct rsqrt_op : elementwise<rsqrt_op> {
  static constexpr op_name name{"rsqrt"};
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::rsqrt(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto y = s.output();
    return dy * (-0.5 * y) * (y * y);
  }
};
inline constexpr op<rsqrt_op> rsqrt{};

/// 1 / x; integers give float32. Gradient -dy * y^2, from the result.
struct reciprocal_op : elementwise<reciprocal_op> {
  static constexpr op_name name{"reciprocal"};
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::reciprocal(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto y = s.output();
    return -(dy * (y * y));
  }
};
inline constexpr op<reciprocal_op> reciprocal{};

/// x^y, as C's pow; integers stay integers. Gradients dy * y * x^(y-1), which is 0 for y = 0
/// whatever x is, and dy * x^y * log(x), which is 0 for x = 0 and y >= 0. (The first is selected only where its power
/// is not finite, because its own slope by y is x^(-1) at y = 0.)
struct pow_op : elementwise<pow_op> {
  static constexpr op_name name{"pow"};
  static constexpr bool expensive = true;
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return math::pow(x, y); }

  static constexpr tensors vjp(saved s, tensor dy);
};
inline constexpr op<pow_op> pow{};

constexpr tensors pow_op::vjp(saved s, tensor dy) {
  const auto x = s.input(0), y = s.input(1);
  if (const auto exponent = core::constant_value(y)) {
    if (*exponent == 0) return {tensor{}, tensor{}};
    if (*exponent == 1) return {dy, tensor{}};
    if (*exponent == 2) return {dy * (2 * x), tensor{}};
    return {dy * (*exponent * pow(x, *exponent - 1)), tensor{}};
  }
  const auto power = pow(x, y - 1);
  return {where(y == 0 && !isfinite(power), 0, dy * (y * power)),
          where(x == 0 && y >= 0, 0, dy * (s.output() * log(x)))};
}

}  // namespace primal
