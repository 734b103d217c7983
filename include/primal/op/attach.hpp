// attach: a number or a constant array becomes a statement where a recorded tensor is needed; and
// what number a recorded tensor holds.
#pragma once

#include <primal/op/cast.hpp>
#include <primal/op/constant_expression.hpp>
#include <primal/op/source.hpp>

#include <bit>
#include <optional>

namespace primal {

constexpr tensor operator==(operand x, operand y);

namespace core {

constexpr tensor attach_full(recorder& r, double value, dtype d, const extents& dims) {
  const auto bits = is_floating(d)
                        ? std::bit_cast<std::int64_t>(value)
                        : static_cast<std::int64_t>(checked_number(r, full_op::name, value, d));
  return source<full_op>(r, {bits, d, dims});
}

/// Where the indices along the two axes are equal.
constexpr tensor attach_eye(recorder& r, dtype d, const shape& dims) {
  auto rows = source<arange_op>(r, {0, 1, dtype::int32, {{dims[0], 1}, &r}});
  auto columns = source<arange_op>(r, {0, 1, dtype::int32, {{dims[1]}, &r}});
  return cast(rows == columns, d);
}

}  // namespace core

constexpr tensor attach(recorder& r, const constant_source& c) {
  const inside_rule inside(r.report);
  switch (c.kind()) {
    case constant_source::arange:
      return core::source<arange_op>(r, {c.value(), c.step(), c.dtype(), {c.dims(), &r}});
    case constant_source::eye:    return core::attach_eye(r, c.dtype(), c.dims());
    case constant_source::extent: {
      const auto code = r.extents.resolve(c.dims()[0]);
      if (is_number(code)) return core::attach_full(r, static_cast<double>(code), c.dtype(), {});
      return core::source<extent_op>(r, {c.dtype(), {c.dims(), &r}});
    }
    case constant_source::expression: return {&r, core::record_expression(r, c)};
    default:                          return core::attach_full(r, c.value(), c.dtype(), {c.dims(), &r});
  }
}

namespace core {

/// The number that a tensor holds everywhere, if it was recorded as one.
constexpr std::optional<double> constant_value(const tensor& t) {
  if (!t.owner) return t.constant.uniform() ? std::optional(t.constant.value()) : std::nullopt;
  const int maker = t.owner->value_at(t.id).statement;
  if (maker < 0 || !is<full_op>(t.owner->at(maker).op)) return std::nullopt;
  return full_op::value(attributes_in<full_op>(saved(t.owner, maker)));
}

}  // namespace core

}  // namespace primal
