// joining: an elementwise statement and the clusters that its operands are bound to.
#pragma once

#include <primal/plan/floating.hpp>

namespace primal {

/// Finds the cluster that an elementwise statement can be calculated in, or lets it float.
class joining_clusters : public floating_values {
 public:
  using floating_values::floating_values;

 protected:
  /// Would cluster `c` find something by an index, or an index itself, to calculate a value?
  constexpr bool floating_index(int c, int v) {
    next_mark();
    return index_within(c, v);
  }
  constexpr bool index_within(int c, int v) {
    const bool read = in_memory(v) && !(state(v).floating && is_late(c, v));
    if (read || bound(v) || !visit_once(v)) return false;
    const auto* op = p.maker(v).op;
    if (is<take_along_axis_op>(op) || is<arange_op>(op)) return true;
    for (int u : p.operands_of(p.maker(v)))
      if (u >= 0 && index_within(c, u)) return true;
    return false;
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
    for (int i = 0; i < s.operand_count;
         ++i) {  // what was calculated on an earlier level comes through memory
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
    // Those that are there are found from the last one on: axes of one extent keep their order.
    for (int i = map.size() - 1; i >= 0; --i)
      if (map[i] == open_axis && extent(v, i) != 1 && varies(s, i))
        if (const int axis = find_axis(home, extent(v, i), map, false); axis >= 0)
          map[i] = static_cast<std::int8_t>(axis);
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
      if (has_wide_row(home) && floating_index(home, u)) return false;
    }
    state(v).node = -1;
    state(v).ready = group(home).level;
    if (!add_sums(s, v, map)) state(v).node = node_in(home, v, map);
    return true;
  }
  /// Sums along the same axes that are used for nothing but their sum are one, of the sums of their elements:
  /// `sum(x) + sum(y)`, and `(z + sum(x)) + sum(y)`, as totals of the steps of a loop are.
  constexpr bool add_sums(const statement& s, int v, const axis_map& map) {
    if (!is<add_op>(s.op)) return false;
    const int a = p.operand(s, 0), b = p.operand(s, 1);
    if (a == b || !is_lone(a) || !is_lone(b)) return false;
    const int n = state(a).node;
    if (at(n).map != map) return false;  // other axes, along which they are repeated
    const int x = sum_in(n), y = lone_sum(state(b).node);
    if (x < 0 || y < 0) return false;
    const int both = one_sum(x, y);
    if (both < 0) return false;
    node outer = at(n == x ? both : n);
    for (int& in : outer.in)
      if (in >= 0 && unviewed(in) == x) in = both;
    outer.value = v;
    outer.type.dims = p.shape_of(v);
    state(v).node = add_node(outer.cluster, outer);
    return true;
  }
  constexpr bool is_lone(int v) { return bound(v) && state(v).uses == 1; }
  /// The sum, under whatever names of axes, that a node with one use is; else -1.
  constexpr int lone_sum(int n) {
    const int x = unviewed(n);
    if (at(x).kind != node::reduce || at(x).how != combiner::sum) return -1;
    const int v = at(x).value;
    return v < 0 || is_lone(v) ? x : -1;
  }
  /// That sum, or the one that is added to something there.
  constexpr int sum_in(int n) {
    if (const int x = lone_sum(n); x >= 0) return x;
    if (at(n).kind != node::calculate || !is<add_op>(at(n).op)) return -1;
    for (int in : {at(n).in[1], at(n).in[0]})
      if (const int x = lone_sum(in); x >= 0 && at(in).map == at(n).map) return x;
    return -1;
  }
  /// The reduction of the sum of what two of them add up; -1 if they do not run along the same axes.
  constexpr int one_sum(int x, int y) {
    node total = at(x), both = at(total.in[0]);
    const auto &second = at(y), &other = at(second.in[0]);
    if (total.cluster != second.cluster || total.map != second.map || total.type != second.type ||
        total.reduced != second.reduced || both.map != other.map || both.type != other.type)
      return -1;
    both.kind = node::calculate;
    both.op = &info_of<add_op>;
    both.value = total.value = -1;
    both.in[0] = total.in[0], both.in[1] = second.in[0], both.in[2] = -1;
    total.in[0] = add_node(total.cluster, both);
    return add_node(total.cluster, total);
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
  /// Carries the axes of operand i over to the result; false if they contradict what is there, or if two axes of the
  /// result would be one: x beside its own transpose.
  constexpr bool transfer(const statement& s, int i, const axis_map& own, axis_map& map) {
    for (int k = 0; k < map.size(); ++k) {
      const int axis = operand_axis(p, s, i, k);
      if (axis < 0 || own[axis] < 0) continue;
      if (map[k] == own[axis]) continue;
      if (map[k] >= 0 || map.contains(own[axis])) return false;
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
};

}  // namespace primal
