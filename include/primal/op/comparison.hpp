// Comparisons: the operators == != < <= > >= and their named forms. The result is bool; a
// comparison with NaN is false, except that NaN != x. They carry no gradient.
#pragma once

#include <primal/core/math.hpp>
#include <primal/op/op.hpp>

namespace primal {

/// x == y.
struct equal_op : elementwise<equal_op> {
  static constexpr op_name name{"equal"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) { return x == y; }
};
inline constexpr op<equal_op> equal{};

/// x != y.
struct not_equal_op : elementwise<not_equal_op> {
  static constexpr op_name name{"not_equal"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) {
    return math::not_equal(x, y);
  }
};
inline constexpr op<not_equal_op> not_equal{};

/// x < y.
struct less_op : elementwise<less_op> {
  static constexpr op_name name{"less"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) { return x < y; }
};
inline constexpr op<less_op> less{};

/// x <= y.
struct less_equal_op : elementwise<less_equal_op> {
  static constexpr op_name name{"less_equal"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) { return x <= y; }
};
inline constexpr op<less_equal_op> less_equal{};

/// x > y.
struct greater_op : elementwise<greater_op> {
  static constexpr op_name name{"greater"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) { return x > y; }
};
inline constexpr op<greater_op> greater{};

/// x >= y.
struct greater_equal_op : elementwise<greater_equal_op> {
  static constexpr op_name name{"greater_equal"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x, T y) { return x >= y; }
};
inline constexpr op<greater_equal_op> greater_equal{};

constexpr tensor operator==(operand x, operand y) { return equal(x, y); }
constexpr tensor operator!=(operand x, operand y) { return not_equal(x, y); }
constexpr tensor operator<(operand x, operand y) { return less(x, y); }
constexpr tensor operator<=(operand x, operand y) { return less_equal(x, y); }
constexpr tensor operator>(operand x, operand y) { return greater(x, y); }
constexpr tensor operator>=(operand x, operand y) { return greater_equal(x, y); }

}  // namespace primal
