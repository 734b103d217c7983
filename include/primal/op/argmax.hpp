// argmax and argmin: the places of the extremes.
#pragma once

#include <primal/op/reduction.hpp>

namespace primal {

/// The attributes of argmax and argmin: the place along one axis, or among all elements in
/// row-major order.
struct place_attributes {
  primal::axes axis{};
  bool keepdims = false;
};

namespace core {

constexpr place_attributes checked_place(const tensor& x, place_attributes a, op_name name) {
  if (!a.axis.every && a.axis.size() != 1 && a.axis.size() != x.rank())
    x.owner->report.fail(
        join(name, ": one axis must be named, or none for all: ", describe(*x.owner, x.type())));
  a.axis = checked_axes(x, a.axis, name);
  return a;
}

constexpr tensor_type place_type(const tensor& x, const place_attributes& a, op_name name) {
  require_elements(x, a.axis, name);
  return reduced_type(x, dtype::int64, {a.axis, a.keepdims});
}

}  // namespace core

/// The place of the greatest element, the first of equal ones; the first NaN if there is one.
/// int64, no gradient.
struct argmax_op : primitive<argmax_op> {
  static constexpr op_name name{"argmax"};
  static constexpr bool differentiable = false;
  using attributes = place_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return core::checked_place(x, a, name);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::place_type(x, a, name);
  }
};
inline constexpr op<argmax_op> argmax{};

/// The place of the least element, the first of equal ones; the first NaN if there is one. int64,
/// no gradient.
struct argmin_op : primitive<argmin_op> {
  static constexpr op_name name{"argmin"};
  static constexpr bool differentiable = false;
  using attributes = place_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return core::checked_place(x, a, name);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::place_type(x, a, name);
  }
};
inline constexpr op<argmin_op> argmin{};

}  // namespace primal
