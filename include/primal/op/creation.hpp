// Creation: tensors made from numbers alone. They stand alone in a model, before any tensor is
// near.
#pragma once

#include <primal/op/cast.hpp>
#include <primal/op/constant_expression.hpp>

#include <bit>
#include <optional>

namespace primal {

constexpr tensor operator==(operand x, operand y);

/// One value everywhere. `bits` are those of a double for a floating dtype, else the integer
/// itself.
struct full_op : primitive<full_op> {
  static constexpr op_name name{"full"};
  static constexpr bool differentiable = false;
  struct attributes {
    std::int64_t bits = 0;
    primal::dtype dtype = dtype::float32;
    extents dims{};
  };

  static constexpr tensor_type infer(attributes a) { return {a.dims.codes(), a.dtype}; }

  /// The value that a `full` statement repeats, as a double.
  static constexpr double value(const attributes& a) {
    return is_floating(a.dtype) ? std::bit_cast<double>(a.bits) : static_cast<double>(a.bits);
  }
  static constexpr text print(const attributes& a) {
    return join("value=", attribute_text::number(value(a)));
  }
};

/// start + step * i, i the place of the element in row-major order. With ones among the extents it
/// lies along any axis.
struct arange_op : primitive<arange_op> {
  static constexpr op_name name{"arange"};
  static constexpr bool differentiable = false;
  struct attributes {
    double start = 0, step = 1;
    primal::dtype dtype = dtype::int32;
    extents dims{};
  };

  static constexpr tensor_type infer(attributes a) { return {a.dims.codes(), a.dtype}; }
};

/// An extent that is known only at the call, as a number.
struct extent_op : primitive<extent_op> {
  static constexpr op_name name{"extent"};
  static constexpr bool differentiable = false;
  struct attributes {
    primal::dtype dtype = dtype::int64;
    extents code{};  // one extent
  };

  static constexpr tensor_type infer(attributes a) { return {{}, a.dtype}; }
};

namespace core {

template <class Op> constexpr tensor source(recorder& r, const attributes_of<Op>& a) {
  return {&r, record<Op>(r, nullptr, 0, a)[0]};
}

constexpr tensor attach_full(recorder& r, double value, dtype d, const extents& dims) {
  const auto bits =
      is_floating(d) ? std::bit_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
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

/// The attributes of the creation functions.
struct creation {
  primal::dtype dtype = dtype::float32;
};

/// `value` everywhere: `pm::full({2, 3}, 0.5)`. float32 unless `.dtype` says otherwise.
constexpr tensor full(const extents& dims, double value, creation a = {}) {
  return constant_tensor({constant_source::full, a.dtype, value}, dims);
}
constexpr tensor zeros(const extents& dims, creation a = {}) { return full(dims, 0, a); }
constexpr tensor ones(const extents& dims, creation a = {}) { return full(dims, 1, a); }

/// `value` in the shape and dtype of `x`.
constexpr tensor full_like(const tensor& x, double value) {
  return full(x.shape(), value, {.dtype = x.dtype()});
}
constexpr tensor zeros_like(const tensor& x) { return full_like(x, 0); }
constexpr tensor ones_like(const tensor& x) { return full_like(x, 1); }

/// 0, 1, ... count - 1.
constexpr tensor arange(const extent& count, creation a = {}) {
  return constant_tensor({constant_source::arange, a.dtype, 0, 1}, {count});
}
template <std::integral I> constexpr tensor arange(I count, creation a = {}) {
  return arange(extent(count), a);
}

/// start, start + step, ... up to but without stop.
constexpr tensor arange(double start, double stop, double step = 1, creation a = {}) {
  if (step == 0) core::refuse("primal: arange: the step is 0");
  const double count = math::constant::ceil((stop - start) / step);
  return constant_tensor({constant_source::arange, a.dtype, start, step},
                         {count > 0 ? static_cast<std::int64_t>(count) : 0});
}
constexpr tensor arange(double start, double stop, creation a) { return arange(start, stop, 1, a); }

/// The matrix with ones on its diagonal; `columns` rows unless it is told how many.
constexpr tensor eye(const extent& rows, const extent& columns, creation a = {}) {
  return constant_tensor({constant_source::eye, a.dtype, 1}, {rows, columns});
}
constexpr tensor eye(const extent& n, creation a = {}) { return eye(n, n, a); }

}  // namespace primal
