// held_rows: kernels that read what several sweeps need from memory once, and keep it for the later ones.
#pragma once

#include <primal/kernel/accumulations.hpp>
#include <primal/kernel/row_buffers.hpp>

namespace primal {

namespace held_rows {

/// An array that is loaded in several sweeps of a row, and the row buffer that holds it from the first of them on.
struct array {
  int access = 0;
  dtype type = dtype::bool_, stored = dtype::bool_;  // in registers and in memory
  int first = 0, last = 0;                           // phases
  int sweeps = 0;
  int buffer = -1;
};

/// Rows that all read the same are in the first-level cache anyway.
constexpr bool may_hold(const statement_fields& s) {
  return s.what == action::load && !s.flag && !s.b.uniform;
}
constexpr int units_of(dtype d) { return size_of(compute_dtype(d)) > 4 ? 2 : 1; }

template <class K> struct of;
template <class Shape, class C, class... P> struct of<kernel<Shape, C, P...>> {
  struct found {
    list<array, Shape::accesses + 1> arrays;
    int units = Shape::buffers;  // of all row buffers, in lane elements
    int sum_bytes = 0;           // of the sums of a column
    bool wide = false;           // one of the buffers has elements wider than a lane's

    constexpr int find(const statement_fields& s) const {
      for (int i = 0; i < arrays.size(); ++i)
        if (arrays[i].access == s.a.index && arrays[i].type == s.dst.type &&
            arrays[i].stored == s.c.type)
          return i;
      return -1;
    }
    constexpr void see(const statement_fields& s, int phase) {
      if (s.what == action::recall) widen(s.dst.type);
      if (s.what == action::accumulate) sum_bytes += size_of(s.c.type);
      if (!may_hold(s)) return;
      int i = find(s);
      if (i < 0) {
        if (arrays.size() > Shape::accesses) return;
        i = arrays.size();
        arrays.push_back({s.a.index, s.dst.type, s.c.type, phase});
      }
      arrays[i].sweeps += arrays[i].last != phase;
      arrays[i].last = phase;
    }
    constexpr void widen(dtype d) { wide = wide || size_of(compute_dtype(d)) > Shape::lane_bytes; }
  };
  template <bool Sweep, class... S> static constexpr void see(found& f, phase<Sweep, S...>, int n) {
    if constexpr (Sweep) (f.see(S::fields, n), ...);
  }
  static constexpr found find() {
    found f;
    int n = 0;
    (see(f, P{}, ++n), ...);
    for (auto& a : f.arrays) {
      if (a.sweeps < 2) continue;
      a.buffer = f.units;
      f.units += units_of(a.type);
      f.widen(a.type);
    }
    return f;
  }
  static constexpr found value = find();

  static constexpr statement_word rewritten(statement_fields s, int phase) {
    const int i = may_hold(s) ? value.find(s) : -1;
    if (i < 0 || value.arrays[i].buffer < 0) return s.pack();
    const auto& a = value.arrays[i];
    if (phase == a.first) s.b.index = a.buffer + 1;
    else s = {action::recall, false, s.dst, {a.buffer, dtype::bool_, false}, {}, {}};
    return s.pack();
  }
  template <int Phase, bool Sweep, class... S>
  static auto rewrite(phase<Sweep, S...>)
      -> phase<Sweep,
               stmt<typename S::op, Sweep ? rewritten(S::fields, Phase) : S::fields.pack()>...>;
  template <class Sh, class Numbers> struct build;
  template <class Rows, std::int64_t Columns, int Axes, int Accesses, int Buffers, int LaneBytes,
            int... N>
  struct build<loop_shape<Columns, Axes, Accesses, Buffers, LaneBytes, Rows>,
               std::integer_sequence<int, N...>> {
    using type = kernel<loop_shape<Columns, Axes, Accesses, value.units, LaneBytes, Rows>, C,
                        decltype(rewrite<N + 1>(P{}))...>;
  };
  using type =
      typename build<Shape, std::make_integer_sequence<int, static_cast<int>(sizeof...(P))>>::type;
};

}  // namespace held_rows

/// The kernel that loads each array once a row, as far as row buffers can hold it.
template <class K> using holding = typename held_rows::of<K>::type;

}  // namespace primal
