// Subscripts: what stands between the parentheses of `x(pm::all, pm::range(2, -1), pm::newaxis,
// 0)`.
#pragma once

#include <primal/op/any_all.hpp>
#include <primal/op/range.hpp>

namespace primal {

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
