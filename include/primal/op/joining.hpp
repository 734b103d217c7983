// Joining along an axis: an old one or a new one.
#pragma once

#include <primal/op/slicing.hpp>

namespace primal {

/// The tensors one after another along an axis, by default the first; the other extents are equal.
/// `pm::concat({a, b}, {.axis = 1})`. Gradient: to each its part of dy.
struct concat_op : primitive<concat_op> {
  static constexpr op_name name{"concat"};
  using dtypes = same_dtype;
  struct attributes {
    int axis = 0;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return {checked_axis(x, a.axis, name)};
  }

  static constexpr tensor_type infer(tensors parts, attributes a) {
    auto& r = *parts[0].owner;
    auto out = parts[0].type();
    for (std::size_t i = 1; i < parts.size() && !r.report.failed(); ++i) {
      const auto dims = parts[i].type().dims;
      bool fits = dims.size() == out.rank();
      for (int axis = 0; fits && axis < out.rank(); ++axis) {
        if (axis == a.axis) out.dims[axis] = r.extents.add(out.dims[axis], dims[axis]);
        else fits = same_extent(r, out.dims[axis], dims[axis], "concat");
      }
      if (!fits)
        r.report.fail(join("concat: extents differ along an axis other than ", a.axis, ": ",
                           describe(r, parts[0].type()), " and ", describe(r, parts[i].type())));
    }
    return out;
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    tensors out;
    slice_op::attributes part;
    part.size = dy.shape();
    part.start.resize(dy.rank());
    for (int i = 0; i < s.input_count(); ++i) {
      part.size[a.axis] = s.input(i).extent(a.axis);
      out.push_back(slice(dy, part));
      part.start[a.axis] = part.start[a.axis] + part.size[a.axis];
    }
    return out;
  }
};
inline constexpr op<concat_op> concat{};

/// The tensors, which have one shape, along a new axis, by default the first. Gradient: to each its
/// part of dy.
struct stack_op : composite<stack_op> {
  static constexpr op_name name{"stack"};
  using dtypes = same_dtype;
  struct attributes {
    int axis = 0;  // of the result
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    if (a.axis < -x.rank() - 1 || a.axis > x.rank() || x.rank() == max_rank)
      x.owner->report.fail(
          join("stack: axis ", a.axis, " cannot be added to ", describe(*x.owner, x.type())));
    return {a.axis < 0 ? a.axis + x.rank() + 1 : a.axis};
  }

  static constexpr tensor_type infer(tensors parts, attributes a) {
    auto& r = *parts[0].owner;
    auto out = parts[0].type();
    for (const auto& t : parts) {
      bool fits = t.rank() == out.rank();
      for (int axis = 0; fits && axis < out.rank(); ++axis)
        fits = same_extent(r, out.dims[axis], t.type().dims[axis], "stack");
      if (!fits)
        r.report.fail(join("stack: shapes differ: ", describe(r, parts[0].type()), " and ",
                           describe(r, t.type())));
    }
    if (!r.report.failed()) out.dims.insert(a.axis, static_cast<std::int64_t>(parts.size()));
    return out;
  }

  static constexpr tensor decompose(tensors parts, attributes a) {
    for (auto& t : parts) {
      auto dims = t.shape();
      dims.insert(a.axis, 1);
      t = reshape(t, dims);
    }
    return concat(parts, {a.axis});
  }
};
inline constexpr op<stack_op> stack{};

}  // namespace primal
