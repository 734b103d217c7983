// scatters: what a kernel adds where an index says. Sums of floating-point numbers depend on the order in which they
// are added, so what meets at one place is added by one lane, row after row: then results do not depend on which
// block or lane comes first. Integers are added in any order, at once.
#pragma once

#include <primal/core/list.hpp>
#include <primal/kernel/facts.hpp>

namespace primal {

/// A statement whose sums depend on their order; in a sweep or for a row.
template <class S, bool Sweep>
inline constexpr bool adds_in_order =
    S::fields.what == action::scatter && is_floating(Sweep ? S::fields.dst.type : S::fields.c.type);
/// The same, where elements of one row may meet. (Elsewhere each column has places of its own.)
template <class S> inline constexpr bool may_meet_in_row = adds_in_order<S, true> && S::fields.flag;

/// Does a sweep have such statements? Then lanes share out the places.
template <class Phase> inline constexpr bool has_meetings = false;
template <class... S>
inline constexpr bool has_meetings<phase<true, S...>> = (may_meet_in_row<S> || ...);
/// Do elements of one row meet, with these arrays?
template <int Access, class Arguments> PRIMAL_INLINE bool stays_along_row(const Arguments& a) {
  return a.inner_stride[Access] == 0;
}
template <class... S, class Arguments>
PRIMAL_INLINE bool columns_meet(phase<true, S...>, const Arguments& a) {
  return ((may_meet_in_row<S> && stays_along_row<S::fields.b.index>(a)) || ...);
}
/// Does it read row buffers?
template <class Phase> inline constexpr bool recalls = false;
template <bool Sweep, class... S>
inline constexpr bool recalls<phase<Sweep, S...>> = ((S::fields.what == action::recall) || ...);

/// The scatters of a kernel whose order matters.
template <class K> struct ordered_scatters;
template <class Shape, class C, class... P> struct ordered_scatters<kernel<Shape, C, P...>> {
  struct found {
    list<int, Shape::accesses + 1> accesses, in_row;  // in_row: where elements of a row may meet
    int sinks = 0;                                    // everything that leaves the lanes
    bool by_row = true;                               // all elements of a row go to the same place
  };
  static constexpr void see(found& f, const statement_fields& s, bool by_row, bool ordered,
                            bool meets) {
    f.sinks += s.what == action::store || s.what == action::accumulate ||
               s.what == action::reduce || s.what == action::keep || s.what == action::scatter;
    if (!ordered) return;
    f.accesses.push_back(s.b.index);
    if (meets) f.in_row.push_back(s.b.index);
    f.by_row = f.by_row && by_row;
  }
  template <bool Sweep, class... S> static constexpr void see(found& f, phase<Sweep, S...>) {
    (see(f, S::fields, Sweep && S::fields.c.uniform, adds_in_order<S, Sweep>,
         Sweep && may_meet_in_row<S>),
     ...);
  }
  static constexpr found find() {
    found f;
    (see(f, P{}), ...);
    return f;
  }
  static constexpr found value = find();

  /// Nothing else leaves the kernel, so that a block may leave out rows.
  static constexpr bool alone = value.accesses.size() == 1 && value.sinks == 1 && value.by_row;

  /// Do rows with other indices along an axis go to the same places?
  template <class Arguments> static bool meet_along(const Arguments& a, int axis) {
    bool meet = false;
    for (int k : value.accesses) meet = meet || (a.stride[k][axis] == 0 && a.extent[axis] != 1);
    return meet;
  }
  template <class Arguments> static bool rows_meet(const Arguments& a) {
    bool meet = value.accesses.size() > 0 && a.row_length > 0;
    for (int x = 0; x < Shape::axes; ++x) meet = meet || meet_along(a, x);
    return meet;
  }
  template <class Arguments> static bool columns_meet(const Arguments& a) {
    bool meet = false;
    for (int k : value.in_row) meet = meet || a.inner_stride[k] == 0;
    return meet;
  }
};

}  // namespace primal
