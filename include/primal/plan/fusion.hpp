// fusion: which statements of a primitive program run in one kernel, and what lies in memory.
//
// A value is in memory, or inside a cluster, or floating: it depends on memory alone and can be
// calculated wherever it is needed. Elementwise statements float until one of their operands is bound to
// a cluster; they then join that cluster. Reductions open one. What cannot join reads memory, in a
// cluster of a later level. Levels grow along every dependency between clusters, so that no cycle can
// arise.
#pragma once

#include <primal/plan/cluster.hpp>
#include <primal/plan/kinds.hpp>

namespace primal {

class fusion {
 public:
  constexpr explicit fusion(const program& source) : p(source), values(source.values.size()) {
    out.inputs = static_cast<int>(p.inputs.size());
    out.outputs = static_cast<int>(p.outputs.size());
    count_uses();
    for (int i = 0; i < p.size(); ++i) visit(p.at(i));
    for (int i = 0; i < out.outputs; ++i) write_output(i);
    join_neighbours();
    out.extents = p.extents;  // with those that were needed on the way
  }

  program p;
  plan out;  // buffers, products and fills; kernels come from the clusters
  std::vector<node> nodes;
  std::vector<cluster> clusters;

 private:
  struct value_state {
    view memory;         // buffer -1: not in memory
    int node = -1;       // where it was calculated first
    int ready = 0;       // level from which it can be read, or, floating, calculated
    bool floating = false;
    int uses = 0;
    int cone = 0;        // statements needed to calculate a floating value again
  };
  std::vector<value_state> values;

  constexpr value_state& state(int v) { return values[static_cast<std::size_t>(v)]; }
  constexpr node& at(int n) { return nodes[static_cast<std::size_t>(n)]; }
  constexpr cluster& group(int c) { return clusters[static_cast<std::size_t>(c)]; }
  constexpr bool in_memory(int v) { return state(v).memory.buffer >= 0; }
  constexpr bool bound(int v) { return !in_memory(v) && !state(v).floating; }
  constexpr std::int64_t extent(int v, int axis) { return p.extents.resolve(p.shape_of(v)[axis]); }

  constexpr void count_uses() {
    for (const auto& s : p.statements)
      for (int v : p.operands_of(s))
        if (v >= 0) ++state(v).uses;
    for (int v : p.outputs) ++state(v).uses;
  }

  // ---- memory -------------------------------------------------------------------------------

  constexpr std::int64_t size_of_shape(const shape& s) {
    std::int64_t n = 1;
    for (auto e : s) n = p.extents.multiply(n, p.extents.resolve(e));
    return n;
  }
  constexpr shape contiguous(const shape& dims) {
    shape strides;
    strides.resize(dims.size());
    std::int64_t n = 1;
    for (int i = dims.size() - 1; i >= 0; --i) {
      strides[i] = n;
      n = p.extents.multiply(n, p.extents.resolve(dims[i]));
    }
    return strides;
  }
  constexpr bool is_contiguous(const view& w, const shape& dims) {
    if (w.offset != 0) return false;
    const auto strides = contiguous(dims);
    for (int i = 0; i < dims.size(); ++i)
      if (p.extents.resolve(dims[i]) != 1 && w.strides[i] != strides[i]) return false;
    return true;
  }
  constexpr int new_buffer(dtype d, const shape& dims) {
    buffer b;
    b.type = d;
    b.size = size_of_shape(dims);
    out.buffers.push_back(b);
    return static_cast<int>(out.buffers.size()) - 1;
  }

  /// The memory of a value; calculates it if need be.
  constexpr view force(int v) {
    if (in_memory(v)) return state(v).memory;
    const auto& s = p.maker(v);
    if (state(v).node < 0 && is_view(s.op)) {
      const int from = p.operand(s, 0);
      const view base = force(from);
      view w;
      if (view_of(p, s, base, is_contiguous(base, p.shape_of(from)), w)) {
        remember(v, w, state(from).ready);
        return w;
      }
    }
    if (state(v).node < 0) bind(v);
    return materialise(v);
  }
  constexpr void remember(int v, const view& w, int ready) {
    state(v).memory = w;
    state(v).ready = ready;
  }
  /// Writes a value that a cluster has. Axes that it does not vary along are not written: stride 0.
  constexpr view materialise(int v) {
    const auto n = at(state(v).node);
    shape dims = p.shape_of(v);
    for (int i = 0; i < dims.size(); ++i) {
      dims[i] = p.extents.resolve(dims[i]);
      if (n.map[i] < 0) dims[i] = 1;
    }
    view w;
    w.buffer = new_buffer(p.dtype_of(v), dims);
    w.strides = contiguous(dims);
    for (int i = 0; i < dims.size(); ++i)
      if (n.map[i] < 0) w.strides[i] = 0;
    group(n.cluster).stores.push_back({state(v).node, w});
    remember(v, w, group(n.cluster).level + 1);
    return w;
  }

  // ---- clusters -----------------------------------------------------------------------------

  constexpr int new_cluster(int level) {
    cluster c;
    c.level = level;
    clusters.push_back(c);
    return static_cast<int>(clusters.size()) - 1;
  }
  /// A cluster with the axes of `v`, which is not bound yet; returns the node.
  constexpr int bind(int v) {
    const int c = new_cluster(state(v).ready);
    axis_map map;
    for (int i = 0; i < p.shape_of(v).size(); ++i) {
      const auto e = extent(v, i);
      if (e == 1) {
        map.push_back(fixed_axis);
      } else {
        map.push_back(static_cast<std::int8_t>(group(c).extents.size()));
        group(c).extents.push_back(e);
      }
    }
    const int n = node_in(c, v, map);
    if (state(v).node < 0) state(v).node = n;
    return n;
  }
  constexpr int add_node(int c, node n) {
    n.cluster = c;
    nodes.push_back(n);
    group(c).nodes.push_back(static_cast<int>(nodes.size()) - 1);
    return static_cast<int>(nodes.size()) - 1;
  }
  /// The value `v` inside cluster `c`, along the given axes. It is there, or in memory, or floating.
  constexpr int node_in(int c, int v, const axis_map& map) {
    for (int n : group(c).nodes)
      if (at(n).value == v && at(n).map == map) return n;
    if (!in_memory(v) && state(v).node >= 0) {
      const auto& own = at(state(v).node);
      if (own.cluster == c && !state(v).floating) return state(v).node;
      if (group(own.cluster).level < group(c).level && (!state(v).floating || state(v).cone > 6)) materialise(v);
    }
    node n;
    n.value = v;
    n.map = map;
    n.type = p.type(v);
    if (in_memory(v)) {
      n.kind = node::load;
      n.from = state(v).memory;
      return add_node(c, n);
    }
    const auto& s = p.maker(v);
    n.op = s.op;
    if (is_source(s.op)) {
      n.kind = node::source;
      return add_node(c, n);
    }
    if (s.op == &info_of<take_along_axis_op>) {
      const int from = p.operand(s, 0), index = p.operand(s, 1);
      n.kind = node::gather;
      n.in[1] = node_in(c, index, operand_map(p, s, 1, map));
      set_indexed(n, from, indexed_axis(p, s));
      return add_node(c, n);
    }
    for (int i = 0; i < s.operand_count; ++i) n.in[i] = node_in(c, p.operand(s, i), operand_map(p, s, i, map));
    const int made = add_node(c, n);
    if (state(v).node < 0) state(v).node = made;
    return made;
  }
  constexpr void set_indexed(node& n, int from, int axis) {
    n.from = force(from);
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
    if (!may_grow || group(c).reduces() || group(c).nodes.size() > 24 || group(c).extents.size() >= 12) return -1;
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
    if (!(mask & last)) return false;  // rows along an outer axis are strided
    if ((mask & (mask - 1)) != 0 && gathers(c)) return false;  // several axes are walked as one
    group(c).inner = mask;
    return true;
  }
  constexpr bool gathers(int c) {
    for (int n : group(c).nodes)
      if (at(n).kind == node::gather) return true;
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

  /// Brings cluster `b` into `a`: `pairs[x]` is the axis of `a` for axis x of `b`, or open.
  constexpr bool merge(int a, int b, axis_map_wide pairs) {
    if (a == b) return false;
    if (group(a).nodes.size() + group(b).nodes.size() > 96) return false;
    const auto saved_extents = group(a).extents;
    for (int x = 0; x < group(b).extents.size(); ++x) {
      if (pairs[x] >= 0) continue;
      int found = -1;
      for (int y = 0; y < group(a).extents.size() && found < 0; ++y)
        if (group(a).extents[y] == group(b).extents[x] && !pairs.contains(static_cast<std::int8_t>(y))) found = y;
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
      if (!row_is_valid(a, row)) return false;
      for (int n : group(b).nodes) {
        if (at(n).kind != node::reduce) continue;
        node r = at(n);
        r.reduced = moved(r.reduced);
        const unsigned varies = moved(at(r.in[0]).axes());
        if (r.fed_back ? r.reduced != row : ((varies & row) != 0 && (r.reduced & row) != 0 && (row & ~r.reduced) != 0))
          return false;
      }
    }
    group(a).inner = row;
    std::vector<int> becomes(nodes.size(), -1);  // nodes that `a` has already
    const auto now = [&](int n) { return n >= 0 && becomes[static_cast<std::size_t>(n)] >= 0 ? becomes[static_cast<std::size_t>(n)] : n; };
    const auto own = group(a).nodes;
    for (int n : group(b).nodes) {
      auto& m = at(n);
      m.cluster = a;
      m.reduced = moved(m.reduced);
      for (auto& axis : m.map)
        if (axis >= 0) axis = pairs[axis];
      for (int& in : m.in) in = now(in);
      if (m.kind != node::reduce && m.value >= 0)
        for (int twin : own)
          if (at(twin).value == m.value && at(twin).kind == m.kind && at(twin).map == m.map) becomes[static_cast<std::size_t>(n)] = twin;
      if (now(n) == n) group(a).nodes.push_back(n);
      else if (state(m.value).node == n) state(m.value).node = now(n);
    }
    for (auto s : group(b).stores) {
      s.node = now(s.node);
      s.index = now(s.index);
      group(a).stores.push_back(s);
    }
    group(b).dead = true;
    return true;
  }

  // ---- statements ---------------------------------------------------------------------------

  constexpr void visit(const statement& s) {
    if (s.result_count == 0) return;
    const int v = s.first_result;
    if (s.op == &info_of<input_op>) return visit_input(s, v);
    if (is_source(s.op)) return float_value(s, v);
    if (is_reduction(s.op)) return visit_reduction(s, v);
    if (s.op == &info_of<matmul_op>) return visit_matmul(s, v);
    if (s.op == &info_of<scatter_add_op>) return visit_scatter(s, v);
    if (s.op == &info_of<concat_op>) return visit_concat(s, v);
    if (s.op == &info_of<pad_op>) return visit_pad(s, v);
    if (is_view(s.op)) return visit_view(s, v);
    if (s.op == &info_of<take_along_axis_op>) force(p.operand(s, 0));
    visit_elementwise(s, v);
  }

  constexpr void visit_input(const statement&, int v) {
    const int port = input_number(v);
    view w;
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    out.buffers.back().where = storage::input;
    out.buffers.back().port = port;
    w.strides = contiguous(p.shape_of(v));
    remember(v, w, 0);
  }
  constexpr int input_number(int v) {
    for (std::size_t i = 0; i < p.inputs.size(); ++i)
      if (p.inputs[i] == v) return static_cast<int>(i);
    return -1;
  }

  constexpr void float_value(const statement& s, int v) {
    int ready = 0, cone = 1;
    for (int u : p.operands_of(s)) {
      if (state(u).ready > ready) ready = state(u).ready;
      if (!in_memory(u)) cone += state(u).cone;
    }
    state(v).floating = true;
    state(v).ready = ready;
    state(v).cone = s.op->elementwise && costs_much(s.op) ? cone + 8 : cone;
  }

  /// Slices and reshapes of memory are memory; moving axes is done by naming them anew.
  constexpr void visit_view(const statement& s, int v) {
    const int from = p.operand(s, 0);
    if (!renames_axes(p, s) || in_memory(from)) {
      const view base = force(from);
      view w;
      if (view_of(p, s, base, is_contiguous(base, p.shape_of(from)), w)) return remember(v, w, state(from).ready);
      // A reshape of something strided: copy it first.
      const int copied = copy_of(from);
      view_of(p, s, state(copied).memory, true, w);
      return remember(v, w, state(copied).ready);
    }
    visit_elementwise(s, v);
  }
  /// Memory with the elements of `v` one after another.
  constexpr int copy_of(int v) {
    const view old = state(v).memory;
    axis_map map;
    const int c = new_cluster(state(v).ready);
    for (int i = 0; i < p.shape_of(v).size(); ++i) {
      const auto e = extent(v, i);
      map.push_back(e == 1 ? fixed_axis : static_cast<std::int8_t>(group(c).extents.size()));
      if (e != 1) group(c).extents.push_back(e);
    }
    const int n = node_in(c, v, map);
    view w;
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    w.strides = contiguous(p.shape_of(v));
    group(c).stores.push_back({n, w});
    remember(v, w, group(c).level + 1);
    static_cast<void>(old);
    return v;
  }

  constexpr void visit_elementwise(const statement& s, int v) {
    bool any_bound = false;
    for (int u : p.operands_of(s)) any_bound = any_bound || bound(u);
    if (any_bound && !join(s, v))
      for (int u : p.operands_of(s))
        if (bound(u)) materialise(u);
    if (!bound_to_cluster(v)) float_value(s, v);
  }
  constexpr bool bound_to_cluster(int v) { return state(v).node >= 0; }

  /// Puts an elementwise statement into the cluster of its bound operands, merging several if need be.
  constexpr bool join(const statement& s, int v) {
    int level = 0;
    for (int i = 0; i < s.operand_count; ++i) {
      const int u = p.operand(s, i);
      const int l = bound(u) ? group(at(state(u).node).cluster).level : state(u).ready;
      if (l > level) level = l;
    }
    int home = -1;
    for (int i = 0; i < s.operand_count; ++i) {  // what was calculated on an earlier level comes through memory
      const int u = p.operand(s, i);
      if (!bound(u)) continue;
      const int c = at(state(u).node).cluster;
      if (group(c).level < level || !(is_view(s.op) || feeds_back(state(u).node))) materialise(u);
      else if (home < 0) home = c;
    }
    if (home < 0) return true;  // nothing is bound any more
    for (int i = 0; i < s.operand_count; ++i)
      if (state(p.operand(s, i)).ready > group(home).level && !bound(p.operand(s, i))) return false;

    axis_map map;
    map.resize(p.shape_of(v).size(), open_axis);
    if (!propose(s, map, home)) return false;
    for (int i = 0; i < s.operand_count; ++i) {
      const int u = p.operand(s, i);
      if (!bound(u)) continue;
      const int c = at(state(u).node).cluster;
      if (c != home && !merge_through(s, i, map, home, c)) return false;
    }
    for (int i = 0; i < map.size(); ++i) {
      if (map[i] != open_axis) continue;
      map[i] = fixed_axis;
      if (extent(v, i) == 1 || !varies(s, i)) continue;
      const int axis = find_axis(home, extent(v, i), map, true);
      if (axis < 0) return false;
      map[i] = static_cast<std::int8_t>(axis);
    }
    for (int i = 0; i < s.operand_count; ++i) {
      const int u = p.operand(s, i);
      if (bound(u) && !agrees(at(state(u).node).map, operand_map(p, s, i, map))) return false;
    }
    state(v).node = -1;
    state(v).ready = group(home).level;
    state(v).node = node_in(home, v, map);
    return true;
  }
  /// The node whose value it is, under whatever names of axes.
  constexpr int unviewed(int n) {
    while (at(n).kind == node::calculate && is_view(at(n).op)) n = at(n).in[0];
    return n;
  }
  /// A reduction can be used in its own kernel if it runs along the row.
  constexpr bool feeds_back(int n) {
    n = unviewed(n);
    if (at(n).kind != node::reduce) return true;
    if (!fix_inner(at(n).cluster, at(n).reduced)) return false;
    at(n).fed_back = true;
    return true;
  }
  /// The axes of the result as far as the operands bound to `home` say.
  constexpr bool propose(const statement& s, axis_map& map, int home) {
    for (int i = 0; i < s.operand_count; ++i) {
      const int u = p.operand(s, i);
      if (!bound(u) || at(state(u).node).cluster != home) continue;
      if (!transfer(s, i, at(state(u).node).map, map)) return false;
    }
    return true;
  }
  /// Carries the axes of operand i over to the result; false if they contradict what is there.
  constexpr bool transfer(const statement& s, int i, const axis_map& own, axis_map& map) {
    for (int k = 0; k < map.size(); ++k) {
      const int axis = operand_axis(p, s, i, k);
      if (axis < 0 || own[axis] < 0) continue;
      if (map[k] >= 0 && map[k] != own[axis]) return false;
      map[k] = own[axis];
    }
    return true;
  }
  constexpr bool merge_through(const statement& s, int i, axis_map& map, int home, int other) {
    axis_map_wide pairs;
    pairs.resize(group(other).extents.size(), open_axis);
    const auto& own = at(state(p.operand(s, i)).node).map;
    for (int k = 0; k < map.size(); ++k) {
      const int axis = operand_axis(p, s, i, k);
      if (axis >= 0 && own[axis] >= 0 && map[k] >= 0) pairs[own[axis]] = map[k];
    }
    if (!merge(home, other, pairs)) return false;
    return transfer(s, i, at(state(p.operand(s, i)).node).map, map);
  }
  /// Does the result vary along its axis k because of some operand?
  constexpr bool varies(const statement& s, int k) {
    for (int i = 0; i < s.operand_count; ++i) {
      const int axis = operand_axis(p, s, i, k);
      if (axis < 0 || extent(p.operand(s, i), axis) == 1) continue;
      const int u = p.operand(s, i);
      if (!bound(u) || at(state(u).node).map[axis] >= 0) return true;
    }
    return false;
  }
  static constexpr bool agrees(const axis_map& own, const axis_map& wanted) {
    for (int i = 0; i < own.size(); ++i)
      if (own[i] >= 0 && own[i] != wanted[i]) return false;
    return true;
  }

  constexpr void visit_reduction(const statement& s, int v) {
    const int u = p.operand(s, 0);
    const auto reduced = reduced_axes(p, s);
    int n = bound(u) ? state(u).node : -1;
    if (n >= 0 && (!feeds_back(n) || !suits(n, reduced))) {
      materialise(u);
      n = -1;
    }
    for (int a : reduced)  // repeated elements must be counted: read them from memory
      if (n >= 0 && at(n).map[a] < 0 && extent(u, a) != 1) {
        materialise(u);
        n = -1;
      }
    if (n < 0) n = bind(u);
    n = widened(n, p.dtype_of(v));
    node r;
    r.kind = node::reduce;
    r.op = s.op;
    r.value = v;
    r.type = p.type(v);
    r.in[0] = n;
    r.how = combiner_of(s.op);
    const bool keep = keeps_axes(p, s);
    for (int a = 0; a < at(n).map.size(); ++a) {
      const auto axis = at(n).map[a];
      if (!reduced.contains(a)) {
        r.map.push_back(axis);
        continue;
      }
      if (axis >= 0) r.reduced |= 1u << axis;
      if (keep) r.map.push_back(fixed_axis);
    }
    state(v).node = add_node(at(n).cluster, r);
    state(v).ready = group(at(n).cluster).level;
  }
  /// The node in the dtype in which it is added up.
  constexpr int widened(int n, dtype d) {
    if (compute_dtype(at(n).type.dtype) == compute_dtype(d)) return n;
    node wide;
    wide.op = &info_of<cast_op>;
    wide.type = {at(n).type.dims, d};
    wide.in[0] = n;
    wide.map = at(n).map;
    return add_node(at(n).cluster, wide);
  }
  constexpr bool suits(int n, const list<int, max_rank>& reduced) {
    node r;
    r.in[0] = n;
    for (int a : reduced)
      if (at(n).map[a] >= 0) r.reduced |= 1u << at(n).map[a];
    const unsigned row = group(at(n).cluster).inner;
    return row == 0 || reduction_fits(r, row);
  }

  constexpr void visit_matmul(const statement& s, int v) {
    matmul_plan m;
    const int a = p.operand(s, 0), b = p.operand(s, 1);
    force(a);
    force(b);
    for (int u : {a, b})
      if (!matmul_takes(state(u).memory, p.shape_of(u), p.extents)) copy_of(u);
    describe_matmul(p, s, state(a).memory, state(b).memory, m);
    view w;
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    w.strides = contiguous(p.shape_of(v));
    m.c = w.buffer;
    const int level = state(a).ready > state(b).ready ? state(a).ready : state(b).ready;
    out.matmuls.push_back(m);
    out.steps.push_back({step_kind::matmul, static_cast<int>(out.matmuls.size()) - 1, level});
    remember(v, w, level + 1);
  }

  /// Stores `v` into a part of a buffer.
  constexpr int store_into(int v, const view& w, int at_least) {
    int n = bound(v) ? state(v).node : -1;
    bool whole = n >= 0 && group(at(n).cluster).level >= at_least && at(unviewed(n)).kind != node::reduce;
    for (int i = 0; whole && i < at(n).map.size(); ++i) whole = at(n).map[i] >= 0 || extent(v, i) == 1;
    if (!whole) {
      if (bound(v)) materialise(v);
      if (state(v).ready < at_least) state(v).ready = at_least;
      const int old = state(v).node;
      n = bind(v);
      if (old >= 0) state(v).node = old;
    }
    group(at(n).cluster).stores.push_back({n, w});
    return group(at(n).cluster).level + 1;
  }
  constexpr void visit_concat(const statement& s, int v) {
    view whole;
    whole.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    whole.strides = contiguous(p.shape_of(v));
    const int axis = concat_axis(p, s);
    view part = whole;
    int ready = 0;
    for (int u : p.operands_of(s)) {
      const int r = store_into(u, part, 0);
      if (r > ready) ready = r;
      part.offset = p.extents.add(part.offset, p.extents.multiply(extent(u, axis), whole.strides[axis]));
    }
    remember(v, whole, ready);
  }
  constexpr void fill(const view& w, std::int64_t bits) {
    out.fills.push_back({w.buffer, bits});
    out.steps.push_back({step_kind::fill, static_cast<int>(out.fills.size()) - 1, 0});
  }
  constexpr void visit_pad(const statement& s, int v) {
    view whole;
    whole.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    whole.strides = contiguous(p.shape_of(v));
    fill(whole, pad_bits(p, s));
    const int u = p.operand(s, 0);
    view part = whole;
    part.offset = pad_offset(p, s, whole.strides);
    remember(v, whole, store_into(u, part, 0));
  }
  constexpr void visit_scatter(const statement& s, int v) {
    // result = operand 0, then += operand 2 at the places operand 1 says
    const int base = p.operand(s, 0), index = p.operand(s, 1), updates = p.operand(s, 2);
    view w;
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    w.strides = contiguous(p.shape_of(v));
    const int written = store_into(base, w, 0);
    for (int u : {index, updates})
      if (bound(u)) materialise(u);
    if (state(updates).ready < written) state(updates).ready = written;
    if (state(index).ready > state(updates).ready) state(updates).ready = state(index).ready;
    const int old = state(updates).node;
    const int n = bind(updates);
    if (old >= 0) state(updates).node = old;
    const int axis = indexed_axis(p, s);
    store_request r{n, w};
    r.scatters = true;
    r.index = node_in(at(n).cluster, index, at(n).map);
    r.index_stride = w.strides[axis];
    r.index_extent = extent(v, axis);
    r.to.strides[axis] = 0;
    group(at(n).cluster).stores.push_back(r);
    remember(v, w, group(at(n).cluster).level + 1);
  }

  constexpr void write_output(int port) {
    const int v = p.outputs[static_cast<std::size_t>(port)];
    view w = force(v);
    auto& b = out.buffers[static_cast<std::size_t>(w.buffer)];
    if (b.where == storage::workspace && is_contiguous(w, p.shape_of(v)) && b.size == size_of_shape(p.shape_of(v))) {
      b.where = storage::output;
      b.port = port;
      return;
    }
    w.buffer = new_buffer(p.dtype_of(v), p.shape_of(v));
    w.offset = 0;
    w.strides = contiguous(p.shape_of(v));
    out.buffers.back().where = storage::output;
    out.buffers.back().port = port;
    store_into(v, w, 0);
  }

  /// Clusters of one level that read the same array along the same axes become one kernel.
  constexpr void join_neighbours() {
    for (int b = 0; b < static_cast<int>(clusters.size()); ++b) {
      if (group(b).dead) continue;
      for (int a = 0; a < b && !group(b).dead; ++a) {
        if (group(a).dead || group(a).level != group(b).level || group(a).extents.size() != group(b).extents.size()) continue;
        axis_map_wide pairs;
        if (shared_load(a, b, pairs)) merge(a, b, pairs);
      }
    }
  }
  constexpr bool shared_load(int a, int b, axis_map_wide& pairs) {
    for (int n : group(b).nodes) {
      if (at(n).kind != node::load || at(n).axes() == 0) continue;
      for (int m : group(a).nodes) {
        if (at(m).kind != node::load || at(m).value != at(n).value || at(m).map.size() != at(n).map.size()) continue;
        pairs = {};
        pairs.resize(group(b).extents.size(), open_axis);
        int matched = 0;
        for (int i = 0; i < at(n).map.size(); ++i)
          if (at(n).map[i] >= 0 && at(m).map[i] >= 0) pairs[at(n).map[i]] = at(m).map[i], ++matched;
        if (matched == group(b).extents.size()) return true;
      }
    }
    return false;
  }
};

}  // namespace primal
