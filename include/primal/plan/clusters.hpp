// clusters: where values lie while a program is being fused: in memory, or in the clusters that become kernels.
#pragma once

#include <primal/plan/axes.hpp>
#include <primal/plan/cluster.hpp>
#include <primal/plan/kinds.hpp>

#include <bit>
#include <utility>

namespace primal {

/// The values, buffers and clusters of a program, and the moves between them: a value is calculated in a cluster,
/// written to memory, or read from there; clusters merge.
class cluster_space {
 public:
  constexpr explicit cluster_space(const program& source)
      : p(source), values(source.values.size()) {
    out.inputs = p.inputs.size();
    out.outputs = p.outputs.size();
    count_uses();
    find_compared();
  }

  program p;
  plan out;  // buffers, products and fills; kernels come from the clusters
  sequence<node> nodes;
  sequence<cluster> clusters;

  /// May a product be rounded together with the sum that it goes into? What is compared, such as a value with the
  /// maximum of all, must have the same bits wherever it is calculated.
  constexpr bool may_round_once(int product) const {
    const auto& v = values[product];
    return !v.compared || (v.uses == 1 && v.latest >= 0 && nodes[v.latest].sibling < 0);
  }

  /// The node whose value it is, under whatever names of axes.
  constexpr int unviewed(int n) const {
    const auto own = [&](int k) -> const node& { return nodes[k]; };
    while (own(n).kind == node::calculate && is_view(own(n).op)) n = own(n).in[0];
    return n;
  }

 protected:
  struct value_state {
    location memory;    // buffer -1: not in memory
    location uncopied;  // where it was before it was copied
    int node = -1;      // where it was calculated first
    int latest = -1;    // of its nodes, the last one made
    int ready = 0;      // level from which it can be read, or, floating, calculated
    bool floating = false;
    int uses = 0;
    bool compared = false;  // a comparison depends on it through elements and extremes alone
    int cone = 0;           // statements needed to calculate a floating value again
    bool settled = false;   // floating, and a part of a piece that is calculated somewhere
    bool reads_pieces = false;
    bool waits = false;  // its statement will be visited later
    int again = -1;      // the cluster that calculates it once more instead of reading it
  };
  sequence<value_state> values;

  constexpr value_state& state(int v) { return values[v]; }
  constexpr node& at(int n) { return nodes[n]; }
  constexpr cluster& group(int c) { return clusters[c]; }
  constexpr bool in_memory(int v) { return state(v).memory.buffer >= 0; }
  constexpr bool bound(int v) { return !in_memory(v) && !state(v).floating; }
  constexpr std::int64_t extent(int v, int axis) { return p.shape_of(v)[axis]; }

  constexpr void count_uses() {
    for (const auto& s : p.statements)
      for (int v : p.operands_of(s))
        if (v >= 0) ++state(v).uses;
    for (int v : p.outputs) ++state(v).uses;
  }

  constexpr void find_compared() {
    for (int i = p.size() - 1; i >= 0; --i) {
      const auto& s = p.at(i);
      if (s.result_count == 0) continue;
      const bool passes = s.op->elementwise || is_view(s.op) ||
                          (is_reduction(s.op) && combiner_of(s.op) != combiner::sum);
      if (!passes || !(state(s.first_result).compared || compares(p, s))) continue;
      for (int u : p.operands_of(s))
        if (u >= 0) state(u).compared = true;
    }
  }

  // ---- memory -------------------------------------------------------------------------------

  constexpr std::int64_t size_of_shape(const shape& s) {
    std::int64_t n = 1;
    for (auto e : s) n = p.extents.multiply(n, e);
    return n;
  }
  constexpr shape contiguous(const shape& dims) {
    shape strides;
    strides.resize(dims.size());
    std::int64_t n = 1;
    for (int i = dims.size() - 1; i >= 0; --i) {
      strides[i] = n;
      n = p.extents.multiply(n, dims[i]);
    }
    return strides;
  }
  constexpr bool is_contiguous(const location& w, const shape& dims) {
    if (w.offset != 0) return false;
    const auto strides = contiguous(dims);
    for (int i = 0; i < dims.size(); ++i)
      if (dims[i] != 1 && w.strides[i] != strides[i]) return false;
    return true;
  }
  constexpr int new_buffer(dtype d, const shape& dims) {
    buffer b;
    b.type = d;
    b.size = size_of_shape(dims);
    out.buffers.push_back(b);
    return out.buffers.size() - 1;
  }

  /// A new buffer for all elements of `v`, one after another.
  constexpr location new_memory(int v) {
    location w;
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    w.strides = contiguous(p.shape_of(v));
    return w;
  }

  /// The memory of a value; calculates it if need be.
  constexpr location force(int v) {
    if (in_memory(v)) return state(v).memory;
    const auto& s = p.maker(v);
    if (state(v).node < 0 && is_view(s.op)) {
      const int from = p.operand(s, 0);
      const location base = force(from);
      location w;
      if (view_of(p, s, base, is_contiguous(base, p.shape_of(from)), w)) {
        remember(v, w, state(from).ready);
        return w;
      }
    }
    if (state(v).node < 0) bind(v);
    return materialise(v);
  }
  constexpr void remember(int v, const location& w, int ready) {
    state(v).memory = w;
    state(v).ready = ready;
  }
  /// Writes a value that a cluster has. Axes that it does not vary along are not written: stride 0.
  constexpr location materialise(int v) {
    const auto n = at(state(v).node);
    shape dims = p.shape_of(v);
    for (int i = 0; i < dims.size(); ++i)
      if (n.map[i] < 0) dims[i] = 1;
    location w;
    w.buffer = new_buffer(p.dtype_of(v), dims);
    w.strides = contiguous(dims);
    for (int i = 0; i < dims.size(); ++i)
      if (n.map[i] < 0) w.strides[i] = 0;
    group(n.cluster).stores.push_back({state(v).node, w});
    remember(v, w, group(n.cluster).level + 1);
    ++state(v).uses;  // who reads it compares what is rounded here with what is calculated again
    return w;
  }

  // ---- clusters -----------------------------------------------------------------------------

  constexpr int new_cluster(int level) {
    cluster c;
    c.level = level;
    clusters.push_back(c);
    return clusters.size() - 1;
  }
  /// A cluster with the axes of `v`, which is not bound yet; returns the node.
  constexpr int bind(int v) {
    const int n = node_of_its_own(v);
    if (state(v).node < 0) state(v).node = n;
    return n;
  }
  /// The node of `v` in a new cluster with its axes.
  constexpr int node_of_its_own(int v) {
    const int c = new_cluster(state(v).ready);
    return node_in(c, v, axes_for(c, v));
  }
  /// Gives a new cluster the axes of `v`.
  constexpr axis_map axes_for(int c, int v) {
    axis_map map;
    for (int i = 0; i < p.shape_of(v).size(); ++i) {
      const auto e = extent(v, i);
      map.push_back(e == 1 ? fixed_axis : static_cast<std::int8_t>(group(c).extents.size()));
      if (e != 1) group(c).extents.push_back(e);
    }
    return map;
  }
  constexpr int add_node(int c, node n) {
    n.cluster = c;
    if (n.value >= 0) n.sibling = std::exchange(state(n.value).latest, nodes.size());
    nodes.push_back(n);
    group(c).nodes.push_back(nodes.size() - 1);
    return nodes.size() - 1;
  }
  /// Was a value written or copied after a cluster had found its level? Its memory is not there yet.
  constexpr bool is_late(int c, int v) { return state(v).ready > group(c).level; }
  constexpr location memory_for(int c, int v) {
    return is_late(c, v) && state(v).uncopied.buffer >= 0 ? state(v).uncopied : state(v).memory;
  }
  /// The value `v` inside cluster `c`, along the given axes. It is there, or in memory, or floating.
  constexpr int node_in(int c, int v, const axis_map& map) {
    for (int n = state(v).latest; n >= 0; n = at(n).sibling)
      if (at(n).cluster == c && at(n).map == map) return n;
    if (!in_memory(v) && state(v).node >= 0) {
      const auto& own = at(state(v).node);
      if (own.cluster == c && !state(v).floating) return state(v).node;
      if (group(own.cluster).level < group(c).level && (!state(v).floating || is_stored(v, c)))
        materialise(v);
    }
    node n;
    n.value = v;
    n.map = map;
    n.type = p.type(v);
    if (in_memory(v) && !(state(v).floating && is_late(c, v))) {
      n.kind = node::load;
      n.from = memory_for(c, v);
      return add_node(c, n);
    }
    const auto& s = p.maker(v);
    n.op = s.op;
    if (is_source(s.op)) {
      n.kind = node::source;
      return add_node(c, n);
    }
    if (is<take_along_axis_op>(s.op)) {
      const int from = p.operand(s, 0), index = p.operand(s, 1);
      n.kind = node::gather;
      n.in[1] = node_in(c, index, operand_map(p, s, 1, map));
      set_indexed(n, c, from, indexed_axis(p, s));
      return add_node(c, n);
    }
    for (int i = 0; i < s.operand_count; ++i)
      n.in[i] = node_in(c, p.operand(s, i), operand_map(p, s, i, map));
    const int made = add_node(c, n);
    if (state(v).node < 0) state(v).node = made;
    return made;
  }
  /// Is a floating value that another cluster has read by cluster `c`, instead of calculated again?
  constexpr bool is_stored(int v, int c) {
    return state(v).cone > cheap_cone && state(v).again != c;
  }
  static constexpr int cheap_cone = 6;
  constexpr void set_indexed(node& n, int c, int from, int axis) {
    force(from);
    n.from = memory_for(c, from);
    n.index_stride = n.from.strides[axis];
    n.index_extent = extent(from, axis);
    for (int i = 0; i < n.from.strides.size(); ++i)
      if (i == axis || extent(from, i) == 1) n.from.strides[i] = 0;
  }

  /// An axis of cluster `c` with extent `e` that `map` does not use yet; a new one if there is none and
  /// the cluster may grow; -1 if not.
  constexpr int find_axis(int c, std::int64_t e, const axis_map& map, bool may_grow) {
    for (int a = group(c).extents.size() - 1; a >= 0; --a)
      if (group(c).extents[a] == e && !map.contains(static_cast<std::int8_t>(a))) return a;
    if (!may_grow || group(c).reduces() || group(c).nodes.size() > 24 ||
        group(c).extents.size() >= 12)
      return -1;
    for (int n : group(c).nodes)
      if (at(n).kind == node::reduce) return -1;
    group(c).extents.push_back(e);
    return group(c).extents.size() - 1;
  }

  /// Makes the reductions along a row possible: true if `mask` are now the row's axes.
  constexpr bool fix_inner(int c, unsigned mask) {
    if (group(c).inner == mask) return true;
    if (group(c).inner != 0 || !row_is_valid(c, mask)) return false;
    const unsigned last = 1u << (group(c).extents.size() - 1);
    if (!(mask & last) && !can_cross(group(c), mask)) return false;
    if (!is_one_axis(c, mask)) return false;
    group(c).inner = mask;
    return true;
  }
  /// Can the axes in `mask` be walked as one? Several if they are the last ones, and no index is asked for.
  constexpr bool is_one_axis(int c, unsigned mask) {
    if (std::has_single_bit(mask)) return true;
    return mask + (mask & (0u - mask)) == 1u << group(c).extents.size() && !indexes(c);
  }
  constexpr bool has_wide_row(int c) { return std::popcount(group(c).inner) > 1; }
  constexpr bool indexes(int c) {
    for (int n : group(c).nodes)
      if (at(n).kind == node::gather || (at(n).kind == node::source && is<arange_op>(at(n).op)))
        return true;
    for (const auto& s : group(c).stores)
      if (s.scatters) return true;
    return false;
  }
  /// May the axes in `mask` be the row, as far as the reductions of the cluster are concerned?
  constexpr bool row_is_valid(int c, unsigned mask) {
    for (int n : group(c).nodes)
      if (at(n).kind == node::reduce && !reduction_fits(at(n), mask)) return false;
    return true;
  }
  constexpr bool reduction_fits(const node& r, unsigned row) {
    const unsigned varies = at(r.in[0]).axes();
    if (r.fed_back) return r.reduced == row;
    if ((varies & row) == 0 || (r.reduced & row) == 0) return true;
    return (row & ~r.reduced) == 0;
  }

  /// A kernel of more statements takes compilers longer than what it saves: 1,500 in one, minutes.
  static constexpr int most_nodes = 160;
  /// The nodes of two clusters; what both calculate counts once if they are many.
  constexpr int size_together(int a, int b) {
    int size = group(a).nodes.size() + group(b).nodes.size();
    if (size <= most_nodes) return size;
    for (int n : group(b).nodes) {
      const int v = at(n).value;
      for (int m = v >= 0 ? state(v).latest : -1; m >= 0; m = at(m).sibling)
        if (at(m).cluster == a && at(m).kind != node::reduce) {
          --size;
          break;
        }
    }
    return size;
  }

  /// Brings cluster `b` into `a`: `pairs[x]` is the axis of `a` for axis x of `b`, or open.
  constexpr bool merge(int a, int b, axis_map_wide pairs) {
    if (a == b) return false;
    if (size_together(a, b) > most_nodes) return false;
    const auto saved_extents = group(a).extents;
    for (int x = 0; x < group(b).extents.size(); ++x) {
      if (pairs[x] >= 0) continue;
      int found = -1;
      for (int y = 0; y < group(a).extents.size() && found < 0; ++y)
        if (group(a).extents[y] == group(b).extents[x] &&
            !pairs.contains(static_cast<std::int8_t>(y)))
          found = y;
      if (found < 0) {
        group(a).extents = saved_extents;
        return false;
      }
      pairs[x] = static_cast<std::int8_t>(found);
    }
    const auto moved = [&](unsigned mask) {
      unsigned m = 0;
      for (int x = 0; x < group(b).extents.size(); ++x)
        if (mask >> x & 1) m |= 1u << pairs[x];
      return m;
    };
    // The row must suit the reductions of both.
    const unsigned inner_b = moved(group(b).inner);
    if (group(a).inner != 0 && inner_b != 0 && group(a).inner != inner_b) return false;
    const unsigned row = group(a).inner | inner_b;
    if (row != 0) {
      if (!row_is_valid(a, row) || !is_one_axis(a, row)) return false;
      if (!std::has_single_bit(row) && indexes(b)) return false;
      for (int n : group(b).nodes) {
        if (at(n).kind != node::reduce) continue;
        node r = at(n);
        r.reduced = moved(r.reduced);
        const unsigned varies = moved(at(r.in[0]).axes());
        if (r.fed_back ? r.reduced != row
                       : ((varies & row) != 0 && (r.reduced & row) != 0 && (row & ~r.reduced) != 0))
          return false;
      }
    }
    group(a).inner = row;
    sequence<int> becomes(nodes.size(), -1);  // nodes that `a` has already
    const auto now = [&](int n) { return n >= 0 && becomes[n] >= 0 ? becomes[n] : n; };
    for (int n : group(b).nodes) {
      auto& m = at(n);
      m.cluster = a;
      m.reduced = moved(m.reduced);
      for (auto& axis : m.map)
        if (axis >= 0) axis = pairs[axis];
      for (int& in : m.in) in = now(in);
      if (m.kind != node::reduce && m.value >= 0)
        for (int twin = state(m.value).latest; twin >= 0; twin = at(twin).sibling)
          if (twin != n && at(twin).cluster == a && at(twin).kind == m.kind &&
              at(twin).map == m.map)
            becomes[n] = twin;
      if (now(n) == n) {
        group(a).nodes.push_back(n);
        continue;
      }
      m.cluster = -1;
      if (state(m.value).node == n) state(m.value).node = now(n);
    }
    for (auto s : group(b).stores) {
      s.node = now(s.node);
      s.index = now(s.index);
      group(a).stores.push_back(s);
    }
    group(b).dead = true;
    return true;
  }
};

}  // namespace primal
