// Axes of a tensor: checking them, and the shapes that remain.
#pragma once

#include <primal/op/op.hpp>

namespace primal {

/// An axis counted from the front. One that `x` does not have is reported, and 0 taken instead.
constexpr int checked_axis(const tensor& x, std::int64_t axis, op_name name) {
  const int rank = x.rank();
  if (axis >= -rank && axis < rank) return static_cast<int>(axis < 0 ? axis + rank : axis);
  x.owner->report.fail(
      join(name, ": axis ", axis, " is out of range for ", describe(*x.owner, x.type())));
  return 0;
}

/// The same for several axes, in ascending order; all of them are listed where `a` means every
/// axis.
constexpr axes checked_axes(const tensor& x, const axes& a, op_name name) {
  bool named[max_rank] = {};
  for (int axis : a) {
    const int at = checked_axis(x, axis, name);
    if (named[at])
      x.owner->report.fail(
          join(name, ": axis ", at, " is named twice for ", describe(*x.owner, x.type())));
    named[at] = true;
  }
  axes out;
  out.every = false;
  for (int i = 0; i < x.rank(); ++i)
    if (a.every || named[i]) out.push_back(i);
  return out;
}

/// The axes of `x` that are not among `a`.
constexpr axes other_axes(const tensor& x, const axes& a) {
  axes out;
  out.every = false;
  for (int i = 0; i < x.rank(); ++i)
    if (!a.contains(i)) out.push_back(i);
  return out;
}

/// The shape after a reduction over `a`: extent 1 there, or nothing.
constexpr shape reduced_dims(const shape& dims, const axes& a, bool keepdims) {
  shape out;
  for (int i = 0; i < dims.size(); ++i) {
    if (!a.contains(i)) out.push_back(dims[i]);
    else if (keepdims) out.push_back(1);
  }
  return out;
}

/// How many elements lie along the axes.
constexpr extent size_along(const tensor& x, const axes& a) {
  extent n = 1;
  for (int axis : a) n = n * x.extent(axis);
  return n;
}

/// The attributes of a reduction: all axes unless some are named, which then disappear or keep the
/// extent 1.
struct reduction_attributes {
  primal::axes axes{};
  bool keepdims = false;
};

/// A facet of operators that reduce: their axes are checked and listed when they are recorded.
template <class Op> struct over_axes {
  static constexpr reduction_attributes normalised(const tensor& x, reduction_attributes a) {
    a.axes = checked_axes(x, a.axes, Op::name);
    return a;
  }
};

/// The same for an operator along one axis, by default the last.
struct axis_attributes {
  int axis = -1;
};
template <class Op> struct along_axis {
  static constexpr axis_attributes normalised(const tensor& x, axis_attributes a) {
    a.axis = checked_axis(x, a.axis, Op::name);
    return a;
  }
};

}  // namespace primal
