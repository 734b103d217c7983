// Extremes: the greatest and the least element along axes.
#pragma once

#include <primal/op/division.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/selection.hpp>

namespace primal {

/// The attributes of max and min.
struct extreme_attributes {
  primal::axes axes{};
  bool keepdims = false;
  bool allow_empty = false;  // the least or the greatest number of nothing, instead of an error

  constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
};

namespace core {

constexpr tensor_type extreme_type(const tensor& x, const extreme_attributes& a, op_name name) {
  if (!a.allow_empty) require_elements(x, a.axes, name);
  return reduced_type(x, x.dtype(), a.reduction());
}

/// The cotangent of an extreme: shared by the elements that are equal to it.
constexpr tensor extreme_vjp(const saved& s, const tensor& dy, const reduction_attributes& a) {
  const auto x = s.input();
  const auto chosen = x == kept(s.output(), x, a);
  const auto count = sum(cast(chosen, rule_dtype(x.dtype())), {a.axes, true});
  return where(chosen, kept(dy, x, a) / count, 0);
}

}  // namespace core

/// The greatest element along the axes; NaN if there is one. Gradient: dy to it, 1/n of it to each
/// of n equal ones.
struct max_op : primitive<max_op> {
  static constexpr op_name name{"max"};
  struct attributes {
    primal::axes axes{};
    bool keepdims = false;
    bool of_nothing = false;  // -infinity of no elements, instead of an error

    constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    if (!a.of_nothing) core::require_elements(x, a.axes, name);
    return core::reduced_type(x, x.dtype(), a.reduction());
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::extreme_vjp(s, dy, a.reduction());
  }
};
inline constexpr op<max_op> max{};

/// The least element along the axes; NaN if there is one. Gradient: dy to it, 1/n of it to each of
/// n equal ones.
struct min_op : primitive<min_op> {
  static constexpr op_name name{"min"};
  using attributes = extreme_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::extreme_type(x, a, name);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::extreme_vjp(s, dy, a.reduction());
  }
};
inline constexpr op<min_op> min{};

}  // namespace primal
