// Division: the operators / and %, their named forms, and floor_divide.
#pragma once

#include <primal/op/arithmetic.hpp>

namespace primal {

constexpr tensor operator/(operand x, operand y);

/// x / y; integers give float32. Gradients dy / y, -dy / y * (x / y).
struct divide_op : elementwise<divide_op> {
  static constexpr op_name name{"divide"};
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return x / y; }

  static constexpr tensors vjp(saved s, tensor dy) {
    auto ct = dy / s.input(1);
    return {ct, -(ct * s.output())};
  }
};
inline constexpr op<divide_op> divide{};

/// floor(x / y), rounded as Python's. Integers stay integers, and give 0 for y = 0. Gradient 0.
struct floor_divide_op : elementwise<floor_divide_op> {
  static constexpr op_name name{"floor_divide"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) {
    return math::floor_divide(x, y);
  }

  static constexpr tensors vjp(saved, tensor) { return {tensor{}, tensor{}}; }
};
inline constexpr op<floor_divide_op> floor_divide{};

/// x - floor_divide(x, y) * y: the sign is that of y, as in Python. Gradients dy, -dy * floor(x /
/// y).
struct remainder_op : elementwise<remainder_op> {
  static constexpr op_name name{"remainder"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return math::remainder(x, y); }

  static constexpr tensors vjp(saved s, tensor dy) {
    return {dy, -(dy * floor_divide(s.input(0), s.input(1)))};
  }
};
inline constexpr op<remainder_op> remainder{};

constexpr tensor operator/(operand x, operand y) { return divide(x, y); }
constexpr tensor operator%(operand x, operand y) { return remainder(x, y); }

constexpr tensor& operator/=(tensor& x, operand y) { return x = x / y; }

}  // namespace primal
