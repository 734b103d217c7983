// Arithmetic: the operators + - * and their named forms, with NumPy broadcasting.
#pragma once

#include <primal/core/math.hpp>
#include <primal/op/creation.hpp>

namespace primal {

constexpr tensor operator+(operand x, operand y);
constexpr tensor operator-(operand x, operand y);
constexpr tensor operator*(operand x, operand y);
constexpr tensor operator-(operand x);

namespace core {

/// The type in which elements are added and multiplied: integers wrap instead of overflowing.
template <class T> using wrapping = std::conditional_t<std::is_integral_v<T>, std::uint64_t, T>;

}  // namespace core

/// x + y. Gradients dy, dy.
struct add_op : elementwise<add_op> {
  static constexpr op_name name{"add"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) {
    using wide = core::wrapping<T>;
    return static_cast<T>(static_cast<wide>(x) + static_cast<wide>(y));
  }

  static constexpr tensors vjp(saved, tensor dy) { return {dy, dy}; }
};
inline constexpr op<add_op> add{};

/// x - y. Gradients dy, -dy.
struct subtract_op : elementwise<subtract_op> {
  static constexpr op_name name{"subtract"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) {
    using wide = core::wrapping<T>;
    return static_cast<T>(static_cast<wide>(x) - static_cast<wide>(y));
  }

  static constexpr tensors vjp(saved, tensor dy) { return {dy, -dy}; }
};
inline constexpr op<subtract_op> subtract{};

/// x * y. Gradients dy * y, dy * x.
struct multiply_op : elementwise<multiply_op> {
  static constexpr op_name name{"multiply"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) {
    using wide = core::wrapping<T>;
    return static_cast<T>(static_cast<wide>(x) * static_cast<wide>(y));
  }

  static constexpr tensors vjp(saved s, tensor dy) { return {dy * s.input(1), dy * s.input(0)}; }
};
inline constexpr op<multiply_op> multiply{};

/// -x. Gradient -dy.
struct negative_op : elementwise<negative_op> {
  static constexpr op_name name{"negative"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::negate(x); }

  static constexpr tensor vjp(saved, tensor dy) { return -dy; }
};
inline constexpr op<negative_op> negative{};

constexpr tensor operator+(operand x, operand y) { return add(x, y); }
constexpr tensor operator-(operand x, operand y) { return subtract(x, y); }
constexpr tensor operator*(operand x, operand y) { return multiply(x, y); }
constexpr tensor operator-(operand x) { return negative(x); }
constexpr tensor operator+(operand x) { return x.t; }

constexpr tensor& operator+=(tensor& x, operand y) { return x = x + y; }
constexpr tensor& operator-=(tensor& x, operand y) { return x = x - y; }
constexpr tensor& operator*=(tensor& x, operand y) { return x = x * y; }

}  // namespace primal
