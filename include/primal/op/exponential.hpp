// Exponentials and the sigmoid functions made from them. Integers are computed in float32.
#pragma once

#include <primal/op/arithmetic.hpp>

namespace primal {

/// e^x. Gradient dy * e^x, from the result.
struct exp_op : elementwise<exp_op> {
  static constexpr op_name name{"exp"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::exp(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * s.output(); }
};
inline constexpr op<exp_op> exp{};

/// e^x - 1, accurate near 0. Gradient dy * e^x.
struct expm1_op : elementwise<expm1_op> {
  static constexpr op_name name{"expm1"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::expm1(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * exp(s.input()); }
};
inline constexpr op<expm1_op> expm1{};

/// 1 / (1 + e^-x). Gradient dy * y * (1 - y) with y = sigmoid(x) and 1 - y = sigmoid(-x), which
/// keeps the tail where y is nearly 1.
struct sigmoid_op : elementwise<sigmoid_op> {
  static constexpr op_name name{"sigmoid"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::sigmoid(x); }

  static constexpr tensor vjp(saved s, tensor dy);
};
inline constexpr op<sigmoid_op> sigmoid{};

constexpr tensor sigmoid_op::vjp(saved s, tensor dy) {
  return dy * s.output() * sigmoid(-s.input());
}

/// The hyperbolic tangent. Gradient dy * (1 - y^2), from the result.
struct tanh_op : elementwise<tanh_op> {
  static constexpr op_name name{"tanh"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::tanh(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto y = s.output();
    return dy * (1 - y * y);
  }
};
inline constexpr op<tanh_op> tanh{};

/// The error function, 2 / sqrt(pi) times the integral of e^-t^2 from 0 to x. Gradient dy * 2 /
/// sqrt(pi) * e^-x^2.
struct erf_op : elementwise<erf_op> {
  static constexpr op_name name{"erf"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::erf(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto x = s.input();
    return dy * (1.1283791670955126 * exp(-(x * x)));
  }
};
inline constexpr op<erf_op> erf{};

}  // namespace primal
