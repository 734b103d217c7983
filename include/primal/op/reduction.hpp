// Reductions: what all of them share, and the sum, from which many are made.
#pragma once

#include <primal/op/shape.hpp>

namespace primal {

namespace core {

constexpr extents reduced_extents(const tensor& x, const reduction_attributes& a) {
  return {reduced_dims(x.type().dims, a.axes, a.keepdims), x.owner};
}

/// What a reduction of `x` gave, or its cotangent, with the reduced axes as extents 1.
constexpr tensor kept(const tensor& y, const tensor& x, const reduction_attributes& a) {
  return a.keepdims ? y : reshape(y, reduced_extents(x, {a.axes, true}));
}

constexpr tensor_type reduced_type(const tensor& x, dtype d, const reduction_attributes& a) {
  return {reduced_dims(x.type().dims, a.axes, a.keepdims), d};
}

constexpr tensor_type floating_type(const tensor& x, const reduction_attributes& a) {
  return reduced_type(x, to_floating(x.dtype()), a);
}

/// An extreme needs at least one element along each axis.
constexpr void require_elements(const tensor& x, const axes& a, op_name name) {
  auto& r = *x.owner;
  for (int axis : a)
    if (!r.extents.require_non_negative(r.extents.subtract(x.type().dims[axis], 1), name.data(),
                                        r.report.where))
      r.report.fail(join(name, ": no elements along axis ", axis, ": ", describe(r, x.type())));
}

}  // namespace core

/// The sum along the axes, 0 of nothing. 16-bit floats are added in float32; integers and bool give
/// 64 bits.
/// Gradient: dy everywhere along the axes.
struct sum_op : primitive<sum_op>, over_axes<sum_op> {
  static constexpr op_name name{"sum"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, sum_dtype(x.dtype()), a);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return broadcast_to(core::kept(dy, s.input(), a), s.input().shape());
  }
};
inline constexpr op<sum_op> sum{};

}  // namespace primal
