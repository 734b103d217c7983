// fusion: which statements of a primitive program run in one kernel, and what lies in memory.
//
// A value is in memory, or inside a cluster, or floating: it depends on memory alone and can be
// calculated wherever it is needed. Elementwise statements float until one of their operands is bound to
// a cluster; they then join that cluster. Reductions open one. What cannot join reads memory, in a
// cluster of a later level. Levels grow along every dependency between clusters, so that no cycle can
// arise.
#pragma once

#include <primal/plan/nested_joins.hpp>
#include <primal/plan/products.hpp>

namespace primal {

class fusion : public nested_joins {
 public:
  constexpr explicit fusion(const program& source) : nested_joins(source) {
    for (int i = 0; i < p.size(); ++i)
      if (!put_off(i)) visit(p.at(i));
    visit_waiting();
    for (int i = 0; i < out.outputs; ++i) write_output(i);
    join_neighbours();
    out.extents = p.extents;  // with those that were needed on the way
  }

 private:
  // ---- order --------------------------------------------------------------------------------

  /// Sums along a long chain of elements, gradients of what every step of a loop uses, wait until the chain
  /// has been cut into pieces: each would end a piece behind its own step.
  constexpr bool put_off(int index) {
    const auto& s = p.at(index);
    bool behind = false;
    for (int u : p.operands_of(s)) behind = behind || (u >= 0 && state(u).waits);
    if (behind && !s.op->elementwise && !is_view(s.op)) {
      visit_waiting();
      behind = false;
    }
    if (!behind && !(is_reduction(s.op) && is_cut_later(p.operand(s, 0)))) return false;
    for (int k = 0; k < s.result_count; ++k) state(s.first_result + k).waits = true;
    waiting.push_back(index);
    return true;
  }
  constexpr void visit_waiting() {
    for (int i : waiting)
      for (int k = 0; k < p.at(i).result_count; ++k) state(p.at(i).first_result + k).waits = false;
    for (int i : std::exchange(waiting, {})) visit(p.at(i));
  }
  sequence<int> waiting;

  // ---- statements ---------------------------------------------------------------------------

  constexpr void visit(const statement& s) {
    if (s.result_count == 0) return;
    const int v = s.first_result;
    switch (kind_of(s.op)) {
      case plan_kind::input_of_call: return visit_input(s, v);
      case plan_kind::source:        return float_value(s, v);
      case plan_kind::reduction:     return visit_reduction(s, v);
      case plan_kind::view:          return visit_view(s, v);
      case plan_kind::product:       return visit_matmul(s, v);
      case plan_kind::scattering:    return visit_scatter(s, v);
      case plan_kind::joining:       return visit_concat(s, v);
      case plan_kind::padding:       return visit_pad(s, v);
      case plan_kind::gathering:     force(p.operand(s, 0)); return visit_elementwise(s, v);
      case plan_kind::element:
        if (!is<add_op>(s.op) || !add_products(s, v)) visit_elementwise(s, v);
        return;
      case plan_kind::unknown: core::refuse("primal: no kernel has this primitive");
    }
  }

  constexpr void visit_input(const statement&, int v) {
    const int port = input_number(v);
    const location w = new_memory(v);
    out.buffers.back().where = storage::input;
    out.buffers.back().port = port;
    remember(v, w, 0);
  }
  constexpr int input_number(int v) {
    for (int i = 0; i < p.inputs.size(); ++i)
      if (p.inputs[i] == v) return static_cast<int>(i);
    return -1;
  }

  /// Slices, reshapes and transposes of memory are memory; repeating it, and moving the axes of what is calculated, is
  /// done by naming them anew.
  constexpr void visit_view(const statement& s, int v) {
    const int from = p.operand(s, 0);
    if (!renames_axes(p, s) || (in_memory(from) && !is<broadcast_to_op>(s.op))) {
      const location base = force(from);
      location w;
      if (view_of(p, s, base, is_contiguous(base, p.shape_of(from)), w))
        return remember(v, w, state(from).ready);
      // A reshape of something strided: copy it first.
      const int copied = copy_of(from);
      view_of(p, s, state(copied).memory, true, w);
      return remember(v, w, state(copied).ready);
    }
    visit_elementwise(s, v);
  }
  /// Memory with the elements of `v` one after another.
  constexpr int copy_of(int v) {
    const int n = node_of_its_own(v);
    const int c = at(n).cluster;
    const location w = new_memory(v);
    group(c).stores.push_back({n, w});
    if (state(v).uncopied.buffer < 0) state(v).uncopied = state(v).memory;
    remember(v, w, group(c).level + 1);
    return v;
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
    if (n < 0) {
      settle_user(u);
      n = is_settled(u) && suits(state(u).node, reduced) ? state(u).node : bind(u);
    }
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
    const int a = p.operand(s, 0), b = p.operand(s, 1);
    for (int u : {a, b}) {
      settle_user(u);
      force(u);
    }
    for (int u : {a, b})
      if (!matmul_takes(state(u).memory, p.shape_of(u))) copy_of(u);
    const location w = new_memory(v);
    const int level = state(a).ready > state(b).ready ? state(a).ready : state(b).ready;
    out.matmuls.push_back(describe_matmul(p, s, state(a).memory, state(b).memory, w));
    out.steps.push_back({step_kind::matmul, out.matmuls.size() - 1, level});
    remember(v, w, level + 1);
  }

  /// The last product in the sum that `v` is, if `v` has no other use and the shape of `total`; else -1.
  constexpr int product_of(int v, int total) {
    const auto* op = p.maker(v).op;
    if (!(is<matmul_op>(op) || is<add_op>(op)) || !in_memory(v) || state(v).uses != 1) return -1;
    if (p.dtype_of(v) != dtype::float32 && p.dtype_of(v) != dtype::float64) return -1;
    if (p.shape_of(v).size() != p.shape_of(total).size()) return -1;
    for (int i = 0; i < p.shape_of(v).size(); ++i)
      if (extent(v, i) != extent(total, i)) return -1;
    int last = -1;
    for (int m = 0; m < out.matmuls.size(); ++m)
      if (out.matmuls[m].c == state(v).memory.buffer) last = m;
    return last;
  }
  /// A sum of products: the later one adds to the result of the earlier one.
  constexpr bool add_products(const statement& s, int v) {
    int first = p.operand(s, 0), second = p.operand(s, 1);
    if (first == second || product_of(first, v) < 0 || product_of(second, v) < 0) return false;
    const auto goes_before = [&](int a, int b) {
      return state(a).ready != state(b).ready ? state(a).ready < state(b).ready
                                              : product_of(a, v) < product_of(b, v);
    };
    if (goes_before(second, first)) std::swap(first, second);
    if (is<add_op>(p.maker(second).op)) return false;  // a sum, whose products may be early ones
    auto& later = out.matmuls[product_of(second, v)];
    later.c = state(first).memory.buffer;
    later.accumulates = true;
    remember(v, state(first).memory, state(second).ready);
    return true;
  }

  /// Stores `v` into a part of a buffer.
  constexpr int store_into(int v, const location& w, int at_least) {
    int n = bound(v) ? state(v).node : -1;
    bool whole =
        n >= 0 && group(at(n).cluster).level >= at_least && at(unviewed(n)).kind != node::reduce;
    for (int i = 0; whole && i < at(n).map.size(); ++i)
      whole = at(n).map[i] >= 0 || extent(v, i) == 1;
    if (!whole) {
      if (bound(v)) materialise(v);
      if (state(v).ready < at_least) state(v).ready = at_least;
      n = bind(v);
    }
    group(at(n).cluster).stores.push_back({n, w});
    return group(at(n).cluster).level + 1;
  }
  constexpr void visit_concat(const statement& s, int v) {
    const location whole = place_of(v);
    const int axis = concat_axis(p, s);
    location part = whole;
    int ready = 0;
    for (int u : p.operands_of(s)) {
      const int r = is_at(u, part) ? state(u).ready : store_into(u, part, 0);
      if (r > ready) ready = r;
      part.offset =
          p.extents.add(part.offset, p.extents.multiply(extent(u, axis), whole.strides[axis]));
    }
    remember(v, whole, ready);
  }
  constexpr bool is_at(int v, const location& w) {
    const auto& own = state(v).memory;
    return own.buffer == w.buffer && own.offset == w.offset;
  }
  constexpr void fill(const location& w, std::int64_t bits) {
    out.fills.push_back({w.buffer, bits});
    out.steps.push_back({step_kind::fill, out.fills.size() - 1, 0});
  }
  constexpr void visit_pad(const statement& s, int v) {
    const location whole = new_memory(v);
    fill(whole, pad_bits(p, s));
    const int u = p.operand(s, 0);
    location part = whole;
    part.offset = pad_offset(p, s, whole.strides);
    remember(v, whole, store_into(u, part, 0));
  }
  constexpr void visit_scatter(const statement& s, int v) {
    // result = operand 0, then += operand 2 at the places operand 1 says
    const int base = p.operand(s, 0), index = p.operand(s, 1), updates = p.operand(s, 2);
    const location w = new_memory(v);
    const int written = store_into(base, w, 0);
    for (int u : {index, updates})
      if (bound(u)) materialise(u);
    if (state(updates).ready < written) state(updates).ready = written;
    if (state(index).ready > state(updates).ready) state(updates).ready = state(index).ready;
    const int n = bind(updates);
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
    const int v = p.outputs[port];
    settle_user(v);
    location w = force(v);
    auto& b = out.buffers[w.buffer];
    if (b.where == storage::workspace && is_contiguous(w, p.shape_of(v)) &&
        b.size == size_of_shape(p.shape_of(v))) {
      b.where = storage::output;
      b.port = port;
      return;
    }
    w = new_memory(v);
    out.buffers.back().where = storage::output;
    out.buffers.back().port = port;
    store_into(v, w, 0);
  }

  /// Clusters of one level that read the same array along the same axes, or write to the same, become one kernel.
  constexpr void join_neighbours() {
    for (int b = 0; b < clusters.size(); ++b) {
      if (group(b).dead) continue;
      for (int a = 0; a < b && !group(b).dead; ++a) {
        if (group(a).dead || group(a).level != group(b).level ||
            group(a).extents.size() != group(b).extents.size())
          continue;
        axis_map_wide pairs;
        if (shared_load(a, b, pairs) ||
            (same_axes(a, b, pairs) && (only_numbers(a, b) || one_target(a, b))))
          merge(a, b, pairs);
      }
    }
  }
  constexpr bool same_axes(int a, int b, axis_map_wide& pairs) {
    pairs = {};
    for (int i = 0; i < group(a).extents.size(); ++i) {
      if (group(a).extents[i] != group(b).extents[i]) return false;
      pairs.push_back(static_cast<std::int8_t>(i));
    }
    return true;
  }
  /// Does one of two clusters over the same axes read nothing? What it writes is written by the way.
  constexpr bool only_numbers(int a, int b) {
    for (int c : {a, b}) {
      bool numbers = true;
      for (int n : group(c).nodes)
        numbers = numbers && at(n).kind == node::source && is<full_op>(at(n).op);
      if (numbers) return true;
    }
    return false;
  }
  /// Do both write parts of one array?
  constexpr bool one_target(int a, int b) {
    for (const auto& x : group(a).stores)
      for (const auto& y : group(b).stores)
        if (x.to.buffer == y.to.buffer && !x.scatters && !y.scatters) return true;
    return false;
  }
  constexpr bool shared_load(int a, int b, axis_map_wide& pairs) {
    for (int n : group(b).nodes) {
      if (at(n).kind != node::load || at(n).axes() == 0) continue;
      for (int m : group(a).nodes) {
        if (at(m).kind != node::load || at(m).value != at(n).value ||
            at(m).map.size() != at(n).map.size())
          continue;
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
