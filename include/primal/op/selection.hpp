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

namespace core {

/// A number from an attribute as an operand: a whole one does not turn integers into floats.
constexpr tensor attribute_number(double value) {
  const bool whole = value == math::trunc(value) && math::abs(value) < 0x1p53;
  return constant_tensor({constant_source::number, whole ? dtype::int64 : dtype::float64, value});
}

}  // namespace core

/// x, but not below `low` and not above `high`: tensors or numbers, or the attributes min and max.
/// NaN stays; where low > high it is high. Gradient: dy to x inside and at the bounds, to a bound
/// beyond it.
struct clip_op : composite<clip_op> {
  static constexpr op_name name{"clip"};
  using dtypes = same_dtype;
  struct attributes {
    double min = -math::constant::infinity, max = math::constant::infinity;
  };

  static constexpr tensor_type infer(tensor x, optional low, optional high, attributes a) {
    tensor operands[] = {x, lower(low, a), upper(high, a)};
    auto dims = x.type().dims;
    for (const auto& bound : {low, high})
      if (bound.has_value() && !broadcast_into(*x.owner, dims, bound.type().dims, "clip"))
        x.owner->report.fail(join("clip: shapes do not broadcast: ", describe(*x.owner, x.type()),
                                  " and ", describe(*x.owner, bound.type())));
    return {dims, common_dtype(operands, 3)};
  }

  static constexpr tensor decompose(tensor x, optional low, optional high, attributes a) {
    if (const auto bound = lower(low, a); bound.has_value()) x = maximum(x, bound);
    if (const auto bound = upper(high, a); bound.has_value()) x = minimum(x, bound);
    return x;
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    const tensor x = s.input(), low = lower(s.input(1), a), high = upper(s.input(2), a);
    tensors ct{dy, tensor{}, tensor{}};
    if (high.has_value()) ct[0] = where(x <= high, ct[0], 0);
    if (low.has_value()) ct[0] = where(x >= low, ct[0], 0);
    if (s.input(1).has_value())
      ct[1] = where(high.has_value() ? x < low && low <= high : x < low, dy, 0);
    if (s.input(2).has_value())
      ct[2] = where(low.has_value() ? x > high || low > high : x > high, dy, 0);
    return ct;
  }

 private:
  static constexpr tensor lower(const tensor& low, const attributes& a) {
    return low.has_value() || a.min == -math::constant::infinity ? low
                                                                 : core::attribute_number(a.min);
  }
  static constexpr tensor upper(const tensor& high, const attributes& a) {
    return high.has_value() || a.max == math::constant::infinity ? high
                                                                 : core::attribute_number(a.max);
  }
};
inline constexpr op<clip_op> clip{};

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
