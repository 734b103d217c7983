// placement: which sweep over the row calculates what.
#pragma once

#include <primal/plan/loops.hpp>

namespace primal {

/// Places every value of a cluster in a sweep over the row, and keeps expensive values in row buffers.
class sweep_placement {
 public:
  constexpr sweep_placement(fusion& own, int cluster_index, const loop_nest& loops)
      : f(own), c(own.clusters[cluster_index]), nest(loops), count(c.nodes.size()) {
    local_of.assign(f.nodes.size(), -1);
    for (int i = 0; i < count; ++i) local_of[c.nodes[i]] = i;
    items.resize(count);
    describe();
    find_stages();
    place_sinks();
  }

 protected:
  /// What the planner knows about one node.
  struct item {
    bool varies = false;   // along the row
    bool per_row = false;  // uniform, but not the same for every row
    bool row_sum = false;  // a reduction along the row
    bool used = false;
    int stage = 0;        // earliest sweep it can be calculated in
    int first = 1 << 20;  // the first sweep that may need it
    int complete = 0;     // the first sweep before which all row sums that it needs are complete
    int placed = -1;      // of a sink: its sweep
    int buffer = -1;      // row buffer
    int ready = 0;        // of a uniform: the phase that calculates it
    int uniform = -1;     // its slot
    int alias = -1;       // the node whose value it is: of a view, and of a reduction over nothing
  };
  /// A value leaves the sweep here.
  struct sink {
    int node = 0;    // local index of what is written, or of a reduction
    int store = -1;  // request, or -1 for a row sum
    bool column = false;
    unsigned axes = 0;  // that what is written runs along; a value may repeat along some
  };
  enum : std::uint8_t { absent, calculated, recalled };

  fusion& f;
  const cluster& c;
  const loop_nest& nest;
  sequence<int> local_of;
  int count;
  sequence<item> items;
  sequence<sink> sinks;
  sequence<sequence<std::uint8_t>> need;  // per sweep and node
  sequence<int> seen;
  int mark = 0, sweeps = 0, buffer_units = 0;
  bool any_expensive = false;

  constexpr const node& at(int i) const { return f.nodes[c.nodes[i]]; }
  constexpr int operand(int i, int k) {
    const int n = at(i).in[k];
    if (n < 0) return -1;
    const int own = local_of[n];
    return items[own].alias >= 0 ? items[own].alias : own;
  }
  /// The axes that the operand of a reduction runs along; its value may repeat along them.
  constexpr unsigned axes_of_operand(int i) const { return f.nodes[at(i).in[0]].axes(); }
  constexpr bool expensive(int i) const {
    return at(i).kind == node::calculate && at(i).op->elementwise && costs_much(at(i).op);
  }

  constexpr void describe() {
    for (int i = 0; i < count; ++i) {
      const auto& n = at(i);
      auto& x = items[i];
      if (n.kind == node::calculate && is_view(n.op)) {  // only names axes anew
        x.alias = operand(i, 0);
        x.varies = items[x.alias].varies;
        x.per_row = items[x.alias].per_row;
        x.row_sum = items[x.alias].row_sum;
        continue;
      }
      if (n.kind == node::reduce) {
        const int from = operand(i, 0);
        const bool spread = (axes_of_operand(i) & nest.row) != 0;  // also of a repeated number
        if (n.reduced == 0) x.alias = from;
        x.row_sum = spread && (n.reduced & nest.row) != 0;
        x.varies = spread && !x.row_sum;
        x.per_row = !x.varies;
        if (x.alias >= 0) x.varies = items[from].varies, x.per_row = items[from].per_row;
        continue;
      }
      const bool same_everywhere = n.kind == node::source && !is<arange_op>(n.op);
      x.varies = !same_everywhere && (n.axes() & nest.row) != 0;
      x.per_row = !same_everywhere && !x.varies && (n.axes() & ~nest.row) != 0;
      for (int k = 0; k < 3; ++k)
        if (const int o = operand(i, k); o >= 0)
          x.per_row = x.per_row || (!x.varies && (items[o].per_row || items[o].row_sum));
      any_expensive = any_expensive || (x.varies && expensive(i));
    }
    for (int k = 0; k < c.stores.size(); ++k) {
      int i = local_of[c.stores[k].node];
      if (items[i].alias >= 0) i = items[i].alias;
      const bool column = at(i).kind == node::reduce && !items[i].row_sum;
      const bool adds = at(i).kind == node::reduce && !ends_with_row(i);
      sinks.push_back({i, static_cast<int>(k), column,
                       adds ? axes_of_operand(i) : f.nodes[c.stores[k].node].axes()});
      use(i);
      if (const int index = index_of(sinks.back()); index >= 0) use(index);
    }
    for (int i = count - 1; i >= 0; --i)
      if (items[i].used)
        for (int k = 0; k < 3; ++k)
          if (const int o = operand(i, k); o >= 0) use(o);
    for (int i = 0; i < count; ++i)
      if (items[i].used && items[i].row_sum && items[i].alias < 0)
        sinks.push_back({i, -1, false, 0});
  }
  constexpr void use(int i) {
    if (items[i].alias >= 0) i = items[i].alias;
    items[i].used = true;
  }
  /// The node that says where a sink scatters to; -1: it does not.
  constexpr int index_of(const sink& s) {
    const int n = s.store < 0 ? -1 : c.stores[s.store].index;
    if (n < 0) return -1;
    const int own = local_of[n];
    return items[own].alias >= 0 ? items[own].alias : own;
  }
  /// Is the sink evaluated in a sweep?
  constexpr bool in_sweep(const sink& s) {
    if (s.store < 0) return true;
    if (s.column) return (s.axes & nest.row) != 0;
    return at(s.node).kind == node::reduce ? false : (s.axes & nest.row) != 0;
  }
  /// Does a reduction cover the row exactly, so that its result is complete at the end of the row?
  constexpr bool ends_with_row(int i) { return primal::ends_with_row(f, at(i), nest); }
  constexpr int root(const sink& s) {
    return s.store < 0 || s.column ? operand(s.node, 0) : s.node;
  }

  constexpr void find_stages() {
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k)
        if (const int o = operand(i, k); o >= 0) {
          const int s = items[o].stage + (items[o].row_sum ? 1 : 0);
          if (s > items[i].stage) items[i].stage = s;
        }
    for (const auto& s : sinks)
      if (in_sweep(s) && stage_of(s) + 1 > sweeps) sweeps = stage_of(s) + 1;
    for (const auto& s : sinks)
      if (in_sweep(s)) needed_by(root(s), stage_of(s));
    for (int i = count - 1; i >= 0; --i)
      if (items[i].used && !items[i].row_sum)
        for (int k = 0; k < 3; ++k)
          if (const int o = operand(i, k); o >= 0) needed_by(o, items[i].first);
    for (int i = 0; i < count; ++i)  // sums may be placed in later sweeps than their stages
      for (int k = 0; k < 3; ++k)
        if (const int o = operand(i, k); o >= 0) {
          const int s = items[o].row_sum ? items[o].first : items[o].complete;
          if (s > items[i].complete) items[i].complete = s;
        }
  }
  constexpr void needed_by(int i, int sweep) {
    if (sweep < items[i].first) items[i].first = sweep;
  }
  constexpr int stage_of(const sink& s) {
    int stage = items[root(s)].stage;
    if (const int index = index_of(s); index >= 0 && items[index].stage > stage)
      stage = items[index].stage;
    return stage;
  }

  // ---- which sweep evaluates what -----------------------------------------------------------

  constexpr bool visit(int i) {
    if (seen[i] == mark) return false;
    seen[i] = mark;
    return true;
  }
  constexpr std::uint8_t& needs(int sweep, int i) { return need[sweep][i]; }
  /// Does the cone of i, cut at buffers, hold an expensive value that an earlier sweep calculates anyway?
  constexpr bool paid(int i, int sweep) {
    if (!items[i].varies || items[i].buffer >= 0 || !visit(i)) return false;
    if (expensive(i))
      for (int t = 0; t < sweep; ++t)
        if (needs(t, i) == calculated) return true;
    for (int k = 0; k < 3; ++k)
      if (const int o = operand(i, k); o >= 0 && paid(o, sweep)) return true;
    return false;
  }
  constexpr void demand(int sweep, int i) {
    if (!items[i].varies || needs(sweep, i)) return;
    const int earliest = items[i].complete;
    if (earliest < sweep && at(i).kind == node::calculate) {
      bool keep = items[i].buffer >= 0;
      if (!keep && any_expensive) {
        ++mark;
        keep = paid(i, sweep);
      }
      if (keep) {
        if (items[i].buffer < 0) {
          items[i].buffer = buffer_units;
          buffer_units += size_of(compute_dtype(at(i).type.dtype)) > 4 ? 2 : 1;
          demand(earliest, i);
        }
        needs(sweep, i) = recalled;
        return;
      }
    }
    needs(sweep, i) = calculated;
    for (int k = 0; k < 3; ++k)
      if (const int o = operand(i, k); o >= 0) demand(sweep, o);
  }
  /// How many values a sweep would have to add.
  constexpr int price(int sweep, int i) {
    if (!items[i].varies || needs(sweep, i) || !visit(i)) return 0;
    int n = 1;
    for (int k = 0; k < 3; ++k)
      if (const int o = operand(i, k); o >= 0) n += price(sweep, o);
    return n;
  }
  constexpr void demand_sink(const sink& s, int sweep) {
    demand(sweep, root(s));
    if (const int index = index_of(s); index >= 0) demand(sweep, index);
  }
  constexpr int last_sweep(const sink& s) {
    if (s.store < 0 && items[s.node].first - 1 < sweeps - 1) return items[s.node].first - 1;
    return sweeps - 1;
  }
  sequence<int> sink_sweep;
  constexpr void place_sinks() {
    seen.assign(count, 0);
    need.assign(sweeps, sequence<std::uint8_t>(count, absent));
    sink_sweep.assign(sinks.size(), -1);
    for (int sweep = 0; sweep < sweeps; ++sweep)  // those without a choice first
      for (int k = 0; k < sinks.size(); ++k)
        if (in_sweep(sinks[k]) && stage_of(sinks[k]) == sweep && last_sweep(sinks[k]) == sweep)
          place(k, sweep);
    for (int k = 0; k < sinks.size(); ++k) {
      if (!in_sweep(sinks[k]) || sink_sweep[k] >= 0) continue;
      int best = stage_of(sinks[k]), cost = 1 << 20;
      for (int sweep = best; sweep <= last_sweep(sinks[k]); ++sweep) {
        ++mark;
        if (const int p = price(sweep, root(sinks[k])); p <= cost) cost = p, best = sweep;
      }
      place(k, best);
    }
  }
  constexpr void place(int k, int sweep) {
    sink_sweep[k] = sweep;
    if (sinks[k].store < 0) items[sinks[k].node].placed = sweep;
    demand_sink(sinks[k], sweep);
  }
};

}  // namespace primal
