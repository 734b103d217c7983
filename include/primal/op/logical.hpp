// Logic: && || ! on truth values.
#pragma once

#include <primal/op/cast.hpp>

namespace primal {

namespace core {

/// One of two conditions, but not both. Not x ^ y: of AVX-512 masks xsimd 8.1 makes x | y.
template <class T> PRIMAL_HD constexpr T one_alone(T x, T y) {
  return static_cast<T>((x | y) & !(x & y));
}

}  // namespace core

/// x && y: an element other than 0 is true, NaN too.
struct logical_and_op : elementwise<logical_and_op> {
  static constexpr op_name name{"logical_and"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = logical_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return x & y; }
};
inline constexpr op<logical_and_op> logical_and{};

/// x || y.
struct logical_or_op : elementwise<logical_or_op> {
  static constexpr op_name name{"logical_or"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = logical_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return x | y; }
};
inline constexpr op<logical_or_op> logical_or{};

/// One of them, but not both.
struct logical_xor_op : elementwise<logical_xor_op> {
  static constexpr op_name name{"logical_xor"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = logical_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return core::one_alone(x, y); }
};
inline constexpr op<logical_xor_op> logical_xor{};

/// !x.
struct logical_not_op : elementwise<logical_not_op> {
  static constexpr op_name name{"logical_not"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 1;
  using dtypes = logical_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return !x; }
};
inline constexpr op<logical_not_op> logical_not{};

constexpr tensor operator&&(operand x, operand y) { return logical_and(x, y); }
constexpr tensor operator||(operand x, operand y) { return logical_or(x, y); }
constexpr tensor operator!(operand x) { return logical_not(x); }

}  // namespace primal
