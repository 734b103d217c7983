// Slicing: parts of a tensor, and a tensor as a part of a greater one.
#pragma once

#include <primal/op/shape.hpp>
#include <primal/op/statistics.hpp>

namespace primal {

/// `size` elements of each axis: start, start + step, ... Starts count from the front; steps may be negative.
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
      x.owner->report.fail(join("slice: every axis needs a start, a size and a step: ", describe(*x.owner, x.type())));
    for (int i = 0; i < x.rank() && !x.owner->report.failed(); ++i) check(x, i, a.start[i], a.size[i], a.step[i]);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) { return {a.size.codes(), x.dtype()}; }

  static constexpr tensor vjp(saved s, tensor dy, attributes a);

 private:
  static constexpr void check(const tensor& x, int axis, const extent& start, const extent& size, std::int64_t step) {
    auto& r = *x.owner;
    const extent last = start + (size - 1) * step, n = x.extent(axis);
    const extent first_place = step > 0 ? start : last, last_place = step > 0 ? last : start;
    bool fits = step != 0;
    if (r.extents.resolve(size.code()) == 0 && fits) return;  // nothing is taken, wherever it starts
    for (const auto& e : {size, first_place, n - last_place - 1})
      fits = fits && r.extents.require_non_negative(e.code(), "slice", r.report.where);
    if (!fits) r.report.fail(join("slice: axis ", axis, " of ", describe(r, x.type()), " has no such elements"));
  }
};
inline constexpr op<slice_op> slice{};

/// x with `low` elements before and `high` elements behind it on each axis, all equal to `value`. Negative numbers cut
/// off instead. Gradient: dy, padded by the negative amounts.
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
        x.owner->report.fail(join("pad: every axis needs an amount: ", describe(*x.owner, x.type())));
    }
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    auto& r = *x.owner;
    extents dims;
    for (int i = 0; i < x.rank(); ++i) {
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
  for (auto* side : {&a.low, &a.high})
    for (auto& e : *side) e = 0 - e;
  return pad(dy, {a.low, a.high});
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
  for (int i = 0; i < x.rank(); ++i) {
    const auto step = a.step[i] < 0 ? -a.step[i] : a.step[i];
    if (step != 1) dy = core::dilated(dy, i, step);
    low.push_back(a.step[i] < 0 ? a.start[i] - (a.size[i] - 1) * step : a.start[i]);
    high.push_back(x.extent(i) - low[i] - dy.extent(i));
  }
  return pad(dy, {low, high});
}

/// x with the elements along some axes in reverse order; along all of them unless some are named.
/// Gradient: dy, reversed likewise.
struct flip_op : composite<flip_op> {
  static constexpr op_name name{"flip"};
  struct attributes {
    primal::axes axes{};
  };

  static constexpr attributes normalised(const tensor& x, attributes a) { return {checked_axes(x, a.axes, name)}; }
  static constexpr tensor_type infer(tensor x, attributes) { return x.type(); }
  static constexpr tensor decompose(tensor x, attributes a) { return core::reversed(x, a.axes); }
  static constexpr tensor vjp(saved, tensor dy, attributes a) { return core::reversed(dy, a.axes); }
};
inline constexpr op<flip_op> flip{};

/// A part of an axis, as Python writes it: `pm::range(2, -1)` is 2:-1, `pm::range(pm::none, 3)` is :3. Negative bounds
/// count from the end.
struct range {
  struct bound {
    extent value;
    bool open = false;

    template <std::integral I>
    constexpr bound(I n) : value(n) {}
    constexpr bound(const extent& n) : value(n) {}
    constexpr bound(none_t) : open(true) {}
  };
  bound start, stop;
  std::int64_t step;

  constexpr range(const bound& first, const bound& last, std::int64_t by = 1) : start(first), stop(last), step(by) {}
};

struct newaxis_t {};
/// A new axis of extent 1 in `x(...)`.
inline constexpr newaxis_t newaxis{};
struct ellipsis_t {};
/// All the axes in `x(...)` that nothing else is said about.
inline constexpr ellipsis_t ellipsis{};

/// What is said about one axis in `x(...)`.
struct tensor::index {
  enum kind_t : std::uint8_t { nothing, whole, part, point, added, rest } kind = nothing;
  range elements{none, none};
  place where;

  constexpr index() = default;
  constexpr index(const op<all_op>&, std::source_location l = std::source_location::current()) : kind(whole), where(l) {}
  constexpr index(const range& r, std::source_location l = std::source_location::current())
      : kind(part), elements(r), where(l) {}
  template <std::integral I>
  constexpr index(I i, std::source_location l = std::source_location::current())
      : kind(point), elements(i, none), where(l) {}
  constexpr index(const primal::extent& i, std::source_location l = std::source_location::current())
      : kind(point), elements(i, none), where(l) {}
  constexpr index(newaxis_t, std::source_location l = std::source_location::current()) : kind(added), where(l) {}
  constexpr index(ellipsis_t, std::source_location l = std::source_location::current()) : kind(rest), where(l) {}
};

namespace core {

inline constexpr tensor::index no_index{};

/// A bound counted from the front; for a known extent it is moved into the axis, as Python does.
constexpr extent bound_in(const extent& n, const range::bound& b, std::int64_t open, std::int64_t least, bool before_end) {
  const extent top = before_end ? n - 1 : n;
  if (b.open) return open < 0 ? extent(open) : open == 0 ? extent(0) : top;
  extent at = b.value;
  if (at.known() && at.code() < 0) at = n + at;
  if (!at.known() || !n.known()) return at;
  return at.code() < least ? extent(least) : at.code() > top.code() ? top : at;
}

/// The start and size of the elements that a range takes from an axis.
constexpr void append_range(slice_op::attributes& s, const extent& n, const range& g) {
  const auto step = g.step == 0 ? 1 : g.step;
  const bool forward = step > 0;
  const extent start = bound_in(n, g.start, forward ? 0 : 1, forward ? 0 : -1, !forward);
  const extent stop = bound_in(n, g.stop, forward ? 1 : -1, forward ? 0 : -1, !forward);
  const extent span = forward ? stop - start : start - stop;
  const auto by = forward ? step : -step;
  const extent size = (span + (by - 1)) / by;
  s.start.push_back(start);
  s.size.push_back(size.known() && size.code() < 0 ? extent(0) : size);
  s.step.push_back(g.step);
}

}  // namespace core

constexpr const tensor::index& tensor::left_out() { return core::no_index; }

constexpr tensor tensor::operator()(const index& i0, const index& i1, const index& i2, const index& i3, const index& i4,
                                    const index& i5, const index& i6, const index& i7) const {
  if (!owner) throw "primal: a constant that stands alone cannot be sliced";
  const index* given[] = {&i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7};
  owner->report.at(i0.where);
  const inside_rule inside(owner->report);
  int named = 0, spread = 0;
  for (const auto* i : given) {
    named += i->kind == index::whole || i->kind == index::part || i->kind == index::point;
    spread += i->kind == index::rest;
  }
  if (named > rank() || spread > 1) {
    owner->report.fail(join("slice: ", named, " axes are indexed of ", describe(*owner, type())));
    return *this;
  }
  slice_op::attributes s;
  extents dims;
  bool sliced = false, moved = false;
  const auto keep = [&] {
    const auto n = extent(s.start.size());
    core::append_range(s, n, {none, none});
    dims.push_back(n);
  };
  for (const auto* i : given) {
    const int axis = s.start.size();
    if (i->kind == index::whole) keep();
    if (i->kind == index::rest)
      for (int k = named; k < rank(); ++k) keep();
    if (i->kind == index::added) dims.push_back(1);
    if (i->kind == index::part) core::append_range(s, extent(axis), i->elements), dims.push_back(s.size[axis]);
    if (i->kind == index::point) {
      const auto& at = i->elements.start.value;
      s.start.push_back(at.known() && at.code() < 0 ? extent(axis) + at : at);
      s.size.push_back(1);
      s.step.push_back(1);
    }
    sliced = sliced || i->kind == index::part || i->kind == index::point;
    moved = moved || i->kind == index::added || i->kind == index::point;
  }
  while (s.start.size() < rank()) keep();
  const tensor part = sliced ? slice(*this, s) : *this;
  return moved ? reshape(part, dims) : part;
}

}  // namespace primal
