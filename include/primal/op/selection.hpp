// Selection: one of several values per element. A cotangent is selected after it was multiplied, so
// that the branch that was not taken never makes a NaN.
#pragma once

#include <primal/op/arithmetic.hpp>
#include <primal/op/comparison.hpp>
#include <primal/op/logical.hpp>

namespace primal {

/// x where the condition holds, else y. Gradients: dy where it holds, dy where it does not.
struct where_op : elementwise<where_op> {
  static constexpr op_name name{"where"};
  static constexpr bool selects = true;

  template <class T> PRIMAL_HD static constexpr T apply(mask_of<T> condition, T x, T y) {
    return math::select(condition, x, y);
  }

  static constexpr tensors vjp(saved s, tensor dy);
};
inline constexpr op<where_op> where{};

constexpr tensors where_op::vjp(saved s, tensor dy) {
  return {tensor{}, where(s.input(), dy, 0), where(s.input(), 0, dy)};
}

namespace core {

/// The cotangents of a choice between two values: x where `first`, half each where they are equal.
constexpr tensors split_cotangent(saved s, tensor dy, tensor first) {
  const auto tied = s.input(0) == s.input(1);
  const auto half = dy * 0.5;
  const auto dx = where(tied, half, where(first, dy, 0));
  if (constant_value(s.input(1))) return {dx, tensor{}};
  return {dx, where(tied, half, where(first, 0, dy))};
}

}  // namespace core

/// The greater of x and y; NaN if one of them is. Gradient: dy to the greater one, half each where
/// they are equal.
struct maximum_op : elementwise<maximum_op> {
  static constexpr op_name name{"maximum"};

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return math::maximum(x, y); }

  static constexpr tensors vjp(saved s, tensor dy) {
    return core::split_cotangent(s, dy, s.input(0) > s.input(1));
  }
};
inline constexpr op<maximum_op> maximum{};

/// The smaller of x and y; NaN if one of them is. Gradient: dy to the smaller one, half each where
/// they are equal.
struct minimum_op : elementwise<minimum_op> {
  static constexpr op_name name{"minimum"};

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y) { return math::minimum(x, y); }

  static constexpr tensors vjp(saved s, tensor dy) {
    return core::split_cotangent(s, dy, s.input(0) < s.input(1));
  }
};
inline constexpr op<minimum_op> minimum{};

/// x + weight * (y - x), exactly x for weight 0 and y for weight 1.
/// Gradients dy * (1 - weight), dy * weight, dy * (y - x).
struct lerp_op : elementwise<lerp_op> {
  static constexpr op_name name{"lerp"};
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x, T y, T weight) {
    const T span = y - x;
    return math::select(weight < T(0.5f), x + weight * span, y - (T(1) - weight) * span);
  }

  static constexpr tensors vjp(saved s, tensor dy) {
    const auto weight = s.input(2);
    return {dy * (1 - weight), dy * weight, dy * (s.input(1) - s.input(0))};
  }
};
inline constexpr op<lerp_op> lerp{};

}  // namespace primal
