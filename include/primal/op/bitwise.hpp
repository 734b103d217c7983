// Bits: & | ^ ~ on the bits of integers. On bool they are the logical operators.
#pragma once

#include <primal/op/logical.hpp>

namespace primal {

/// x & y, bit by bit. Integers or bool.
struct bitwise_and_op : elementwise<bitwise_and_op> {
  static constexpr op_name name{"bitwise_and"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = integer_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return static_cast<T>(x & y); }
};
inline constexpr op<bitwise_and_op> bitwise_and{};

/// x | y, bit by bit. Integers or bool.
struct bitwise_or_op : elementwise<bitwise_or_op> {
  static constexpr op_name name{"bitwise_or"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = integer_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return static_cast<T>(x | y); }
};
inline constexpr op<bitwise_or_op> bitwise_or{};

/// x ^ y, bit by bit. Integers or bool.
struct bitwise_xor_op : elementwise<bitwise_xor_op> {
  static constexpr op_name name{"bitwise_xor"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 2;
  using dtypes = integer_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) {
    if constexpr (std::is_same_v<decltype(x == y), T>) return core::one_alone(x, y);  // conditions
    else return static_cast<T>(x ^ y);
  }
};
inline constexpr op<bitwise_xor_op> bitwise_xor{};

/// ~x, bit by bit; !x of bool. Integers or bool.
struct bitwise_not_op : elementwise<bitwise_not_op> {
  static constexpr op_name name{"bitwise_not"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 1;
  using dtypes = integer_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) {
    if constexpr (std::is_same_v<T, bool>) return !x;
    else return static_cast<T>(~x);
  }
};
inline constexpr op<bitwise_not_op> bitwise_not{};

constexpr tensor operator&(operand x, operand y) { return bitwise_and(x, y); }
constexpr tensor operator|(operand x, operand y) { return bitwise_or(x, y); }
constexpr tensor operator^(operand x, operand y) { return bitwise_xor(x, y); }
constexpr tensor operator~(operand x) { return bitwise_not(x); }

}  // namespace primal
