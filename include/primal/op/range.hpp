// range: a part of an axis, and the slice that it is.
#pragma once

#include <primal/op/slicing.hpp>

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

}  // namespace core

}  // namespace primal
