// Slicing: parts of a tensor, and a tensor as a part of a greater one.
#pragma once

#include <primal/op/shape.hpp>

namespace primal {

/// `size` elements of each axis: start, start + step, ... Starts count from the front; steps may be
/// negative.
/// Gradient: dy at the places that were taken, 0 elsewhere.
struct slice_op : primitive<slice_op> {
  static constexpr op_name name{"slice"};
  struct attributes {
    extents start{}, size{};
    ints step{};  // 1 unless given
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    while (a.step.size() < a.start.size()) a.step.push_back(1);
    if (a.start.size() != x.rank() || a.size.size() != x.rank() || a.step.size() != x.rank())
      x.owner->report.fail(join("slice: every axis needs a start, a size and a step: ",
                                describe(*x.owner, x.type())));
    for (int i = 0; i < x.rank() && !x.owner->report.failed(); ++i)
      check(x, i, a.start[i], a.size[i], a.step[i]);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) { return {a.size.codes(), x.dtype()}; }

  static constexpr tensor vjp(saved s, tensor dy, attributes a);

 private:
  static constexpr void check(const tensor& x, int axis, const extent& start, const extent& size,
                              std::int64_t step) {
    auto& r = *x.owner;
    const extent last = start + (size - 1) * step, n = x.extent(axis);
    const extent first_place = step > 0 ? start : last, last_place = step > 0 ? last : start;
    bool fits = step != 0;
    if (r.extents.resolve(size.code()) == 0 && fits)
      return;  // nothing is taken, wherever it starts
    for (const auto& e : {size, first_place, n - last_place - 1})
      fits = fits && r.extents.require_non_negative(e.code(), "slice", r.report.where);
    if (!fits)
      r.report.fail(
          join("slice: axis ", axis, " of ", describe(r, x.type()), " has no such elements"));
  }
};
inline constexpr op<slice_op> slice{};

/// x with `low` elements before and `high` elements behind it on each axis, all equal to `value`.
/// Negative numbers cut off instead; an amount that is known only at the call and has terms of both signs,
/// such as 8 - n, must not be negative. Gradient: dy without what was added, and zeros for what was cut off.
struct pad_op : primitive<pad_op> {
  static constexpr op_name name{"pad"};
  struct attributes {
    extents low{}, high{};  // 0 unless given
    double value = 0;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    for (auto* side : {&a.low, &a.high}) {
      if (side->empty()) side->resize(x.rank());
      if (side->size() != x.rank())
        x.owner->report.fail(
            join("pad: every axis needs an amount: ", describe(*x.owner, x.type())));
    }
    a.value = checked_number(*x.owner, name, a.value, x.dtype());
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    auto& r = *x.owner;
    extents dims;
    for (int i = 0; i < x.rank(); ++i) {
      for (const auto& e : {a.low[i], a.high[i]})
        if (r.extents.sign_of_terms(e.code()) == 0)
          r.extents.require_non_negative(e.code(), "pad", r.report.where);
      dims.push_back(x.extent(i) + a.low[i] + a.high[i]);
      if (!r.extents.require_non_negative(dims[i].code(), "pad", r.report.where))
        r.report.fail(join("pad: nothing is left of axis ", i, " of ", describe(r, x.type())));
    }
    return {dims.codes(), x.dtype()};
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a);
};
inline constexpr op<pad_op> pad{};

constexpr tensor pad_op::vjp(saved, tensor dy, attributes a) {
  slice_op::attributes own;
  bool added = false, cut = false;
  for (int i = 0; i < dy.rank(); ++i) {
    extent start = 0, size = dy.extent(i);
    for (auto* side : {&a.low, &a.high}) {
      auto& amount = (*side)[i];
      const bool cuts = dy.owner->extents.sign_of_terms(amount.code()) < 0;
      if (!cuts && side == &a.low) start = amount;
      if (!cuts) size = size - amount;
      (cuts ? cut : added) |= amount.code() != 0;
      amount = cuts ? 0 - amount : extent(0);
    }
    own.start.push_back(start);
    own.size.push_back(size);
  }
  if (added) dy = slice(dy, own);
  return cut ? pad(dy, {a.low, a.high}) : dy;
}

namespace core {

/// step - 1 zeros behind every element of an axis.
constexpr tensor dilated(const tensor& x, int axis, std::int64_t step) {
  extents split{1, x.extent(axis), 1, 1}, dims = x.shape();
  for (int i = 0; i < x.rank(); ++i)
    if (i != axis) split[i < axis ? 0 : 3] = split[i < axis ? 0 : 3] * x.extent(i);
  dims[axis] = dims[axis] * step;
  return reshape(pad(reshape(x, split), {.high = {0, 0, step - 1, 0}}), dims);
}

/// The axes in reverse order of their elements.
constexpr tensor reversed(const tensor& x, const axes& a) {
  slice_op::attributes s;
  for (int i = 0; i < x.rank(); ++i) {
    const bool turned = a.contains(i);
    s.start.push_back(turned ? x.extent(i) - 1 : extent(0));
    s.size.push_back(x.extent(i));
    s.step.push_back(turned ? -1 : 1);
  }
  return slice(x, s);
}

}  // namespace core

constexpr tensor slice_op::vjp(saved s, tensor dy, attributes a) {
  const auto x = s.input();
  axes turned;
  turned.every = false;
  for (int i = 0; i < x.rank(); ++i)
    if (a.step[i] < 0) turned.push_back(i);
  if (!turned.empty()) dy = core::reversed(dy, turned);
  extents low, high;
  bool too_long = false;
  for (int i = 0; i < x.rank(); ++i) {
    const auto step = a.step[i] < 0 ? -a.step[i] : a.step[i];
    if (step != 1) dy = core::dilated(dy, i, step);
    low.push_back(a.step[i] < 0 ? a.start[i] - (a.size[i] - 1) * step : a.start[i]);
    high.push_back(x.extent(i) - low[i] - dy.extent(i));
    // Less than a step may have to be cut off; nothing is, as long as nobody knows.
    if (step == 1 || high[i].known()) continue;
    high[i] = high[i] + (step - 1);
    too_long = true;
  }
  const auto dx = pad(dy, {low, high});
  if (!too_long) return dx;
  slice_op::attributes part;
  part.start.resize(x.rank());
  part.size = x.shape();
  return slice(dx, part);
}

/// x with the elements along some axes in reverse order; along all of them unless some are named.
/// Gradient: dy, reversed likewise.
struct flip_op : composite<flip_op> {
  static constexpr op_name name{"flip"};
  struct attributes {
    primal::axes axes{};
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return {checked_axes(x, a.axes, name)};
  }
  static constexpr tensor_type infer(tensor x, attributes) { return x.type(); }
  static constexpr tensor decompose(tensor x, attributes a) { return core::reversed(x, a.axes); }
  static constexpr tensor vjp(saved, tensor dy, attributes a) { return core::reversed(dy, a.axes); }
};
inline constexpr op<flip_op> flip{};

}  // namespace primal
