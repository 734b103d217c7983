// Casts: one element type to another, by hand and as the operators do it.
#pragma once

#include <primal/op/comparison.hpp>
#include <primal/op/constant_expression.hpp>

namespace primal {

/// The same numbers in another dtype. Floating to integer truncates, integers wrap, anything but 0
/// is true. Each element is converted when it is stored, so that `apply` has nothing to do.
/// Gradient dy.
struct cast_op : elementwise<cast_op> {
  static constexpr op_name name{"cast"};
  struct attributes {
    primal::dtype dtype = dtype::float32;
  };

  static constexpr tensor_type infer(tensor x, attributes a) { return {x.type().dims, a.dtype}; }

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return x; }

  static constexpr tensor vjp(saved s, tensor dy, attributes) {
    return is_floating(s.input().dtype()) && is_floating(dy.dtype()) ? dy : tensor{};
  }
};

/// `x` in the dtype `d`: `pm::cast(x, pm::dtype::float16)`. A number is no longer weak afterwards.
constexpr tensor cast(operand x, dtype d) {
  tensor in = x.t;
  if (in.owner) {
    if (in.dtype() == d) return in;
    in.owner->report.at(x.where);
    return {in.owner, record<cast_op>(*in.owner, &in, 1, {d})[0]};
  }
  auto& c = in.constant;
  const bool fractions =
      c.kind() == constant_source::arange && !is_floating(d) && is_floating(c.dtype());
  if (c.kind() == constant_source::expression || fractions) {
    recorder own;
    recorder& r = in.near ? *in.near : own;
    r.report.at(x.where);
    const tensor out = cast(attach(r, c), d);
    return in.near ? out : core::as_constants(out);
  }
  if (c.kind() == constant_source::number) c = {constant_source::full, c.dtype(), c.value()};
  if (c.kind() == constant_source::full && !is_floating(d) && is_floating(c.dtype())) {
    const auto dims = c.dims();
    const double whole = d == dtype::bool_ ? c.value() != 0 : math::trunc(c.value());
    c = {constant_source::full, d, whole};
    c.set_dims(dims);
  }
  c.set_dtype(d);
  return in;
}

/// `pm::cast<float>(x)`.
template <element_type T> constexpr tensor cast(operand x) { return cast(x, dtype_of<T>); }

/// The element type in which a floating-point rule computes: float32 for float16, bfloat16 and
/// integers.
constexpr dtype rule_dtype(dtype d) { return compute_dtype(to_floating(d)); }
constexpr tensor to_compute(tensor x) { return cast(x, rule_dtype(x.dtype())); }
/// A result of such a rule in the dtype of the operand that it was computed from.
constexpr tensor to_original(tensor result, tensor x) {
  return cast(result, to_floating(x.dtype()));
}

namespace core {

/// The type of such a result in the shape of the operand.
constexpr tensor_type floating_like(const tensor& x) {
  return {x.type().dims, to_floating(x.dtype())};
}

}  // namespace core

}  // namespace primal
