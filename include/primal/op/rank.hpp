// Rank: axes of extent 1 come and go. All of it is reshaping.
#pragma once

#include <primal/op/shape.hpp>

namespace primal {

namespace core {

/// The same elements in the same order, under other axes.
struct regrouped {
  static constexpr tensor vjp(saved s, tensor dy) { return reshape(dy, s.input().shape()); }
};

}  // namespace core

/// x without some axes of extent 1: `pm::squeeze(x, {.axes = 0})`; without all of them unless some
/// are named.
/// Gradient: dy in the shape of x.
struct squeeze_op : composite<squeeze_op>, core::regrouped {
  static constexpr op_name name{"squeeze"};
  struct attributes {
    primal::axes axes{};
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    auto& r = *x.owner;
    const auto dims = x.type().dims;
    axes out;
    out.every = false;
    for (int axis : checked_axes(x, a.axes, name)) {
      if (a.axes.every && r.extents.resolve(dims[axis]) != 1) continue;
      if (!same_extent(r, dims[axis], 1, "squeeze"))
        r.report.fail(
            join("squeeze: axis ", axis, " has more than one element: ", describe(r, x.type())));
      out.push_back(axis);
    }
    return {out};
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    return {reduced_dims(x.type().dims, a.axes, false), x.dtype()};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    extents dims;
    for (int i = 0; i < x.rank(); ++i)
      if (!a.axes.contains(i)) dims.push_back(x.extent(i));
    return reshape(x, dims);
  }
};
inline constexpr op<squeeze_op> squeeze{};

/// x with new axes of extent 1 at these places of the result: `pm::expand_dims(x, {.axes = -1})`.
/// Gradient: dy in the shape of x.
struct expand_dims_op : composite<expand_dims_op>, core::regrouped {
  static constexpr op_name name{"expand_dims"};
  struct attributes {
    primal::axes axes{0};
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    const int rank = x.rank() + a.axes.size();
    bool fits = rank <= max_rank;
    axes out;
    out.every = false;
    for (int i = 0; fits && i < rank; ++i)
      if (a.axes.contains(i) || a.axes.contains(i - rank)) out.push_back(i);
    fits = fits && out.size() == a.axes.size();
    if (!fits)
      x.owner->report.fail(
          join("expand_dims: no such axes can be added to ", describe(*x.owner, x.type())));
    return {out};
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    auto dims = x.type().dims;
    for (int axis : a.axes) dims.insert(axis, 1);
    return {dims, x.dtype()};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    extents dims;
    for (int i = 0, next = 0; i < x.rank() + a.axes.size(); ++i)
      dims.push_back(a.axes.contains(i) ? extent(1) : x.extent(next++));
    return reshape(x, dims);
  }
};
inline constexpr op<expand_dims_op> expand_dims{};

}  // namespace primal
