// promotion: operands become tensors, of one dtype where an operator wants that.
#pragma once

#include <primal/expr/operand.hpp>
#include <primal/op/attribute_text.hpp>

namespace primal {

/// Converts to another dtype; defined with the cast operator.
constexpr tensor cast(operand x, dtype d);

/// Records a number or a constant array where a recorded tensor is needed; defined in op/attach.hpp.
constexpr tensor attach(recorder& r, const constant_source& c);

/// The dtype that the operands of an elementwise operator are converted to. Numbers are weak: they
/// take the tensors' dtype, except that a floating-point number beside integers gives float32.
constexpr dtype common_dtype(const tensor* in, int count) {
  bool any = false, point = false, digits = false;
  dtype d = dtype::bool_, weak = dtype::bool_;
  for (int i = 0; i < count; ++i) {
    if (!in[i].has_value()) continue;
    const dtype own = in[i].dtype();
    if (!in[i].owner && in[i].constant.weak()) {
      point = point || is_floating(own);
      digits = digits || own != dtype::bool_;
      weak = promote(weak, own);
    } else {
      d = any ? promote(d, own) : own;
      any = true;
    }
  }
  if (!any) return weak;
  if (point && !is_floating(d)) return dtype::float32;
  if (digits && d == dtype::bool_) return dtype::int32;
  return d;
}

constexpr text out_of_range(double number, dtype d) {
  return join(attribute_text::number(number), " is out of the range of ", name_of(d));
}

/// The number that is to be an element of `d`; an error if it cannot be.
constexpr double checked_number(recorder& r, op_name who, double number, dtype d) {
  if (reaches(d, number)) return number;
  r.report.fail(join(who, ": ", out_of_range(number, d)));
  return 0;
}

/// A number takes the dtype of the tensors beside it.
constexpr void take_dtype(recorder& r, op_name who, constant_source& c, dtype d) {
  if (c.kind() == constant_source::number && is_integer(d)) {
    if (c.rounded())
      r.report.fail(join(who, ": a number beside integers has at most 53 bits, and ",
                         attribute_text::number(c.value()), " has more"));
    c = {constant_source::number, d, c.rounded() ? 0 : checked_number(r, who, c.value(), d)};
  }
  c.set_dtype(d);
}

/// Makes the operands of an elementwise operator tensors of one dtype. (A template, so that this header can be
/// included alone: cast() and attach() are defined later.)
template <int = 0>
constexpr void unify_dtypes(recorder& r, const op_info& op, tensor* in, int count) {
  const int first = op.selects ? 1 : 0;
  const auto common = common_dtype(in + first, count - first);
  if (op.dtypes->restricted && !op.dtypes->accepts(common))
    r.report.fail(join(op.name, ": no rule for ", name_of(common), ": ", op.dtypes->needs));
  const auto compute = op.dtypes->compute(common);
  for (int i = 0; i < count; ++i) {
    const auto wanted = i < first ? dtype::bool_ : compute;
    auto& t = in[i];
    if (!t.has_value()) continue;
    if (!t.owner) {
      if (t.constant.weak()) take_dtype(r, op.name, t.constant, wanted);
      t = attach(r, t.constant);
    }
    if (t.dtype() != wanted) {
      inside_rule inside(r.report);
      t = cast(t, wanted);
    }
  }
}

/// Makes the operands of any other operator tensors: numbers take the dtype of the first tensor.
template <int = 0>
constexpr void attach_operands(recorder& r, const op_info& op, tensor* in, int count) {
  int first = 0;
  while (first < count && !in[first].owner) ++first;
  for (int i = 0; i < count; ++i)
    if (!in[i].owner && in[i].has_value()) {
      if (in[i].constant.weak())
        take_dtype(r, op.name, in[i].constant, first < count ? in[first].dtype() : dtype::float32);
      in[i] = attach(r, in[i].constant);
    }
}

}  // namespace primal
