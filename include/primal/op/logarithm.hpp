// Logarithms. Integers are computed in float32.
#pragma once

#include <primal/op/division.hpp>

namespace primal {

/// The natural logarithm. Gradient dy / x.
struct log_op : elementwise<log_op> {
  static constexpr op_name name{"log"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::log(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy / s.input(); }
};
inline constexpr op<log_op> log{};

/// The logarithm to base 2. Gradient dy / (x ln 2).
struct log2_op : elementwise<log2_op> {
  static constexpr op_name name{"log2"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::log2(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * 1.4426950408889634 / s.input(); }
};
inline constexpr op<log2_op> log2{};

/// log(1 + x), accurate near 0. Gradient dy / (1 + x).
struct log1p_op : elementwise<log1p_op> {
  static constexpr op_name name{"log1p"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::log1p(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy / (1 + s.input()); }
};
inline constexpr op<log1p_op> log1p{};

}  // namespace primal
