// Sources: the statements that make tensors from numbers alone.
#pragma once

#include <primal/op/info.hpp>

#include <bit>

namespace primal {

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
  if constexpr (requires { a.dims; })
    for (const auto& e : a.dims)
      if (!r.extents.require_extent(e.code(), Op::name.data(), r.report.where))
        r.report.fail(join(Op::name, ": an extent must not be negative: ",
                           describe(r, {a.dims.codes(), a.dtype})));
  return {&r, record<Op>(r, nullptr, 0, a)[0]};
}

}  // namespace core

}  // namespace primal
