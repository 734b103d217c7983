// Subscripts: what stands between the parentheses of `x(pm::all, pm::range(2, -1), pm::newaxis,
// 0)`.
#pragma once

#include <primal/op/slicing.hpp>
#include <primal/op/statistics.hpp>

namespace primal {

/// A part of an axis, as Python writes it: `pm::range(2, -1)` is 2:-1, `pm::range(pm::none, 3)` is
/// :3. Negative bounds count from the end.
struct range {
  struct bound {
    extent value;
    bool open = false;

    template <std::integral I> constexpr bound(I n) : value(n) {}
    constexpr bound(const extent& n) : value(n) {}
    constexpr bound(none_t) : open(true) {}
  };
  bound start, stop;
  std::int64_t step;

  constexpr range(const bound& first, const bound& last, std::int64_t by = 1)
      : start(first), stop(last), step(by) {}
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
  constexpr index(const op<all_op>&, std::source_location l = std::source_location::current())
      : kind(whole), where(l) {}
  constexpr index(const range& r, std::source_location l = std::source_location::current())
      : kind(part), elements(r), where(l) {}
  template <std::integral I>
  constexpr index(I i, std::source_location l = std::source_location::current())
      : kind(point), elements(i, none), where(l) {}
  constexpr index(const primal::extent& i, std::source_location l = std::source_location::current())
      : kind(point), elements(i, none), where(l) {}
  constexpr index(newaxis_t, std::source_location l = std::source_location::current())
      : kind(added), where(l) {}
  constexpr index(ellipsis_t, std::source_location l = std::source_location::current())
      : kind(rest), where(l) {}
};

namespace core {

/// A bound counted from the front; for a known extent it is moved into the axis, as Python does.
constexpr extent bound_in(const extent& n, const range::bound& b, std::int64_t open,
                          std::int64_t least, bool before_end) {
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

constexpr tensor subscripted(const tensor& x, sequence_view<tensor::index> given) {
  using index = tensor::index;
  auto& r = *x.owner;
  r.report.at(given[0].where);
  const inside_rule inside(r.report);
  int named = 0, spread = 0;
  for (const auto& i : given) {
    named += i.kind == index::whole || i.kind == index::part || i.kind == index::point;
    spread += i.kind == index::rest;
  }
  if (named > x.rank() || spread > 1) {
    r.report.fail(join("slice: ", named, " axes are indexed of ", describe(r, x.type())));
    return x;
  }
  slice_op::attributes s;
  extents dims;
  bool sliced = false, moved = false;
  const auto keep = [&] {
    const auto n = x.extent(s.start.size());
    append_range(s, n, {none, none});
    dims.push_back(n);
  };
  for (const auto& i : given) {
    const int axis = s.start.size();
    if (i.kind == index::whole) keep();
    if (i.kind == index::rest)
      for (int k = named; k < x.rank(); ++k) keep();
    if (i.kind == index::added) dims.push_back(1);
    if (i.kind == index::part) {
      append_range(s, x.extent(axis), i.elements);
      dims.push_back(s.size[axis]);
    }
    if (i.kind == index::point) {
      const auto& at = i.elements.start.value;
      s.start.push_back(at.known() && at.code() < 0 ? x.extent(axis) + at : at);
      s.size.push_back(1);
      s.step.push_back(1);
    }
    sliced = sliced || i.kind == index::part || i.kind == index::point;
    moved = moved || i.kind == index::added || i.kind == index::point;
  }
  while (s.start.size() < x.rank()) keep();
  const tensor part = sliced ? slice(x, s) : x;
  return moved ? reshape(part, dims) : part;
}

}  // namespace core

template <class... I>
constexpr tensor tensor::operator()(const index& first, const I&... others) const {
  const index given[] = {first, index(others)...};
  if (owner) return core::subscripted(*this, given);
  if (near) return core::subscripted(attach(*near, constant), given);
  recorder own;
  return core::as_constants(core::subscripted(attach(own, constant), given));
}

}  // namespace primal
