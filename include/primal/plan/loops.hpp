// loops: the axes of a cluster as a kernel walks them: outer axes, and rows of one axis.
#pragma once

#include <primal/plan/fusion.hpp>

#include <limits>

namespace primal {

/// How a cluster is walked.
struct loop_nest {
  list<int, 16> outer,
      inner;                  // axes of the cluster; the inner ones lie one after another in memory
  shape extents;              // of the outer loops, after joining
  list<unsigned, 16> joined;  // per outer loop: the axes of the cluster that it covers
  std::int64_t columns = 1;
  unsigned row = 0;  // mask of the inner axes
  bool flat = false;
  bool crosses = false;  // rows run along an axis that is not the last one

  /// The outer loop that covers an axis of the cluster; -1: it belongs to the row.
  constexpr int loop_of(int axis) const {
    for (int i = 0; i < joined.size(); ++i)
      if (joined[i] >> axis & 1) return i;
    return -1;
  }
};

/// An array along the axes of a cluster.
struct strided_array {
  list<std::int64_t, 16> strides;  // per axis of the cluster
};

/// The strides of a location whose axes run along the axes of a cluster.
constexpr strided_array along_cluster(extent_space& e, const location& v, const axis_map& map,
                                      int axes) {
  strided_array a;
  a.strides.resize(axes, 0);
  for (int i = 0; i < map.size(); ++i)
    if (map[i] >= 0) a.strides[map[i]] = e.add(a.strides[map[i]], v.strides[i]);
  return a;
}

class loop_finder {
 public:
  constexpr loop_finder(fusion& own, int cluster_index) : f(own), c(f.clusters[cluster_index]) {
    collect();
    choose_row();
    join_outer();
  }

  loop_nest nest;

 private:
  fusion& f;
  const cluster& c;
  sequence<strided_array> arrays;
  unsigned positions = 0;  // axes whose index is asked for

  constexpr int axes() const { return c.extents.size(); }
  constexpr std::int64_t extent(int a) const { return c.extents[a]; }
  constexpr const node& at(int n) const { return f.nodes[n]; }

  constexpr void collect() {
    for (int n : c.nodes) {
      const auto& x = at(n);
      if (x.kind == node::load || x.kind == node::gather)
        arrays.push_back(along_cluster(f.out.extents, x.from, x.map, axes()));
      if (x.kind == node::source && is<arange_op>(x.op)) positions |= x.axes();
    }
    for (const auto& s : c.stores)
      arrays.push_back(along_cluster(f.out.extents, s.to, at(s.node).map, axes()));
  }

  /// Can axes a and b (b next inside a) be walked as one in every array?
  constexpr bool joins(int a, int b) {
    if ((positions >> a & 1) || (positions >> b & 1)) return false;
    for (const auto& s : arrays)
      if (s.strides[a] != f.out.extents.multiply(s.strides[b], extent(b))) return false;
    for (int n : c.nodes) {  // a value or a sum along one of them only
      const auto own = at(n).axes();
      if ((own >> a & 1) != (own >> b & 1)) return false;
      if (at(n).kind == node::reduce && (at(n).reduced >> a & 1) != (at(n).reduced >> b & 1))
        return false;
    }
    return true;
  }
  constexpr bool valid_row(unsigned mask) const {
    for (int n : c.nodes) {
      const auto& r = at(n);
      if (r.kind != node::reduce) continue;
      const unsigned varies = at(r.in[0]).axes();
      if (r.fed_back) {
        if (r.reduced != mask) return false;
      } else if ((varies & mask) != 0 && (r.reduced & mask) != 0 && (mask & ~r.reduced) != 0) {
        return false;
      }
    }
    return true;
  }

  /// The axis in the middle that everything is reduced along, as a mask; 0 if there is none.
  constexpr unsigned crossed_axis() const {
    unsigned mask = 0;
    for (int n : c.nodes)
      if (at(n).kind == node::reduce) {
        if (mask != 0 && at(n).reduced != mask) return 0;
        mask = at(n).reduced;
      }
    return can_cross(c, mask) && valid_row(mask) ? mask : 0;
  }
  constexpr void choose_row() {
    unsigned mask = c.inner != 0 ? c.inner : crossed_axis();
    nest.crosses = axes() > 0 && mask != 0 && (mask >> (axes() - 1) & 1) == 0;
    if (mask == 0 && axes() > 0) {
      mask = 1u << (axes() - 1);
      for (int a = axes() - 2; a >= 0 && joins(a, a + 1) && valid_row(mask | 1u << a); --a)
        mask |= 1u << a;
    }
    nest.row = mask;
    for (int a = 0; a < axes(); ++a) {
      if (mask >> a & 1) {
        nest.inner.push_back(a);
        nest.columns = f.out.extents.multiply(nest.columns, extent(a));
      } else {
        nest.outer.push_back(a);
      }
    }
  }
  constexpr void join_outer() {
    for (int a : nest.outer) {
      if (!nest.joined.empty()) {
        const int before = nest.outer[index_of(nest.outer, a) - 1];
        if (before == a - 1 && joins(before, a)) {
          nest.joined[nest.joined.size() - 1] |= 1u << a;
          nest.extents[nest.extents.size() - 1] =
              f.out.extents.multiply(nest.extents.back(), extent(a));
          continue;
        }
      }
      nest.joined.push_back(1u << a);
      nest.extents.push_back(extent(a));
    }
    nest.flat = nest.joined.empty() && c.inner == 0 && axes() > 0;
  }
  static constexpr int index_of(const list<int, 16>& l, int x) {
    for (int i = 0; i < l.size(); ++i)
      if (l[i] == x) return i;
    return -1;
  }

 public:
  /// What inner_stride gives where the inner axes are not one axis in an array. (Strides are codes: they may
  /// be negative.)
  static constexpr std::int64_t broken_row = std::numeric_limits<std::int64_t>::min();
  /// The stride along the inner axes as one axis.
  static constexpr std::int64_t inner_stride(extent_space& e, const loop_nest& nest,
                                             const cluster& c, const strided_array& s) {
    if (nest.inner.empty()) return 0;
    const auto last = nest.inner.back();
    for (int i = 0; i + 1 < nest.inner.size(); ++i)
      if (s.strides[nest.inner[i]] !=
          e.multiply(s.strides[nest.inner[i + 1]], c.extents[nest.inner[i + 1]]))
        return broken_row;
    return s.strides[last];
  }
  /// The stride along an outer loop: that of the innermost axis it covers.
  static constexpr std::int64_t outer_stride(const loop_nest& nest, const strided_array& s,
                                             int loop) {
    int last = 0;
    for (int a = 0; a < s.strides.size(); ++a)
      if (nest.joined[loop] >> a & 1) last = a;
    return s.strides[last];
  }
};

/// Does a reduction cover the row exactly, so that its result is complete at the end of the row?
constexpr bool ends_with_row(const fusion& f, const node& n, const loop_nest& nest) {
  return n.reduced == nest.row && !nest.flat && (f.nodes[n.in[0]].axes() & nest.row) != 0;
}

}  // namespace primal
