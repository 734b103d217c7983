// lower: clusters become kernels with arrays, steps get an order, and buffers their place in memory.
#pragma once

#include <primal/plan/epilogues.hpp>
#include <primal/plan/in_place.hpp>
#include <primal/plan/products.hpp>
#include <primal/plan/sweeps.hpp>
#include <primal/plan/used_extents.hpp>

#include <limits>

namespace primal {

/// Turns what fusion found into a plan.
class lowering {
 public:
  /// `has_epilogues`: the products of the back end have.
  constexpr lowering(const program& p, bool has_epilogues) : f(p) {
    place_products();
    for (int i = 0; i < f.clusters.size(); ++i)  // grows while copies are added
      if (!f.clusters[i].dead && !f.clusters[i].stores.empty()) lower(i, 0);
    if (has_epilogues) epilogue_folding{f.out};
    order_steps();
    find_lifetimes();
    number_temporaries();
  }

  constexpr plan take() { return std::move(f.out); }

 private:
  fusion f;

  constexpr node& at(int n) { return f.nodes[n]; }
  constexpr extent_space& space() { return f.out.extents; }

  /// A product whose result is only copied writes where the copy would go.
  constexpr void place_products() {
    sequence<int> reads(f.out.buffers.size(), 0), reader(f.out.buffers.size(), -1);
    for (const auto& m : f.out.matmuls)  // a sum of products stays where it is
      if (m.accumulates) reads[m.c] = 2;
    const auto read = [&](int b, int cluster) {
      ++reads[b];
      reader[b] = cluster;
    };
    for (const auto& m : f.out.matmuls)
      for (int b : {m.a, m.b}) read(b, -1);
    for (int i = 0; i < f.clusters.size(); ++i)
      if (const auto& c = f.clusters[i]; !c.dead)
        for (int n : c.nodes)
          if (at(n).from.buffer >= 0) read(at(n).from.buffer, i);
    for (auto& m : f.out.matmuls) {
      const auto c = m.c;
      if (reads[c] == 1 && reader[c] >= 0 && f.out.buffers[c].where == storage::workspace) {
        auto& copy = f.clusters[reader[c]];
        if (copy.nodes.size() == 1 && copy.stores.size() == 1 &&
            write_to_copy(m, at(copy.nodes[0]), copy.stores[0].to))
          copy.dead = true;
      }
      join_batches(m, space());
    }
  }

  /// `early` < 0: before the kernels of its level, > 0: after them.
  constexpr void lower(int index, int early) {
    const loop_nest nest = loop_finder(f, index).nest;
    const cluster c = f.clusters[index];
    const bool side_by_side = nest.crosses && may_walk_side_by_side(c);
    sequence<access> arrays;
    sequence<int> loads(c.nodes.size(), -1), stores(c.stores.size(), -1);
    for (int i = 0; i < c.nodes.size(); ++i) {
      const node n = at(c.nodes[i]);
      if (n.kind != node::load && n.kind != node::gather) continue;
      location from = n.from;
      auto strides = along_cluster(space(), from, n.map, c.extents.size());
      auto inner = loop_finder::inner_stride(space(), nest, c, strides);
      if (inner == loop_finder::broken_row && n.kind == node::load) {
        from = copy_for_rows(c, n, nest, strides);
        inner = 1;
      }
      if (inner == loop_finder::broken_row)
        core::refuse(
            "primal: rows of several axes cannot be gathered in one kernel; add a reshape");
      auto a = make_access(nest, from, strides, inner, n.type.dtype);
      a.index_stride = n.index_stride;
      a.index_extent = n.index_extent;
      loads[i] = add(arrays, a);
    }
    for (int k = 0; k < c.stores.size(); ++k) {
      const auto& s = c.stores[k];
      const node n = at(s.node);
      const node value = at(f.unviewed(s.node));
      location to = s.to;
      auto strides = along_cluster(space(), to, n.map, c.extents.size());
      auto inner = loop_finder::inner_stride(space(), nest, c, strides);
      const bool accumulates =
          value.kind == node::reduce && value.reduced != 0 && !ends_with_row(f, value, nest);
      // Sums of rows are added up in rows or in one element, except where rows are walked side by side.
      if (inner == loop_finder::broken_row ||
          (accumulates && !side_by_side && inner != 0 && inner != 1)) {
        to = place_for_rows(c, n, nest, strides, s.to);
        inner = 1;
      }
      auto a = make_access(nest, to, strides, inner, f.out.buffers[to.buffer].type);
      a.written = true;
      a.index_stride = s.index_stride;
      a.index_extent = s.index_extent;
      if (accumulates) {
        a.accumulates = true;
        a.how = value.how;
        fill(to.buffer, value.how, c.level);
      }
      stores[k] = add(arrays, a);
    }
    sweep_planner planner(f, index, nest, std::move(arrays), std::move(loads), std::move(stores));
    auto& kernel = planner.kernel;
    kernel.extents = nest.extents;
    kernel.columns = nest.columns;
    kernel.flat = nest.flat;
    kernel.serial = scatters(c);
    kernel.lane_bytes = lane_bytes(c);
    kernel.bundled = side_by_side   ? bundling::always
                     : nest.crosses ? bundling::never
                                    : bundles(kernel);
    note_statements(kernel);
    f.out.kernels.push_back(std::move(kernel));
    f.out.steps.push_back({step_kind::kernel, f.out.kernels.size() - 1, 3 * c.level + 1 + early});
  }
  static constexpr void note_statements(kernel_plan& kernel) {
    int number = 0;
    for (const auto& phase : kernel.phases)
      for (const auto& s : phase.statements) {
        ++number;
        const auto what = s.fields.what;
        if (what == action::load || what == action::gather)
          kernel.accesses[s.fields.a.index].statement = number;
        if (what == action::store || what == action::accumulate || what == action::scatter)
          kernel.accesses[s.fields.b.index].statement = number;
      }
  }
  static constexpr int add(sequence<access>& arrays, const access& a) {
    for (int i = 0; i < arrays.size(); ++i)
      if (arrays[i] == a) return static_cast<int>(i);
    arrays.push_back(a);
    return arrays.size() - 1;
  }
  constexpr access make_access(const loop_nest& nest, const location& v,
                               const strided_array& strides, std::int64_t inner, dtype d) {
    access a;
    a.buffer = v.buffer;
    a.type = d;
    a.offset = v.offset;
    a.inner = inner;
    for (int l = 0; l < nest.joined.size(); ++l)
      a.strides.push_back(loop_finder::outer_stride(nest, strides, l));
    return a;
  }
  /// The elements of a load, copied so that each row lies in one piece. `strides` become those of the copy.
  constexpr location copy_for_rows(const cluster& c, const node& n, const loop_nest& nest,
                                   strided_array& strides) {
    return copied(c, n, nest, strides, n.from, true);
  }
  /// A place where each row of what is stored lies in one piece; it is copied to `target` afterwards.
  constexpr location place_for_rows(const cluster& c, const node& n, const loop_nest& nest,
                                    strided_array& strides, const location& target) {
    return copied(c, n, nest, strides, target, false);
  }
  /// New memory for the elements at `other`, with the copy to it (`before` the cluster's kernel) or from it.
  constexpr location copied(const cluster& c, const node& n, const loop_nest& nest,
                            strided_array& strides, location other, bool before) {
    cluster copy;
    copy.level = c.level;
    axis_map map;
    location rows;
    other.strides = {};
    list<int, 16> kept;  // axes of the cluster
    for (int a = 0; a < c.extents.size(); ++a) {
      if (!(nest.row >> a & 1) && strides.strides[a] == 0) continue;  // repeated along it
      map.push_back(static_cast<std::int8_t>(copy.extents.size()));
      kept.push_back(a);
      copy.extents.push_back(c.extents[a]);
      other.strides.push_back(strides.strides[a]);
      rows.strides.push_back(0);
    }
    buffer b;
    b.type = before ? n.type.dtype : f.out.buffers[other.buffer].type;
    b.size = 1;
    for (bool in_row : {true, false})  // rows may run along any axis
      for (int i = kept.size() - 1; i >= 0; --i) {
        if ((nest.row >> kept[i] & 1) != in_row) continue;
        rows.strides[i] = strides.strides[kept[i]] = b.size;
        b.size = space().multiply(b.size, copy.extents[i]);
      }
    f.out.buffers.push_back(b);
    rows.buffer = f.out.buffers.size() - 1;

    node load;
    load.kind = node::load;
    load.value = n.value;
    load.type = n.type;
    load.map = map;
    load.cluster = f.clusters.size();
    load.from = before ? other : rows;
    f.nodes.push_back(load);
    copy.nodes.push_back(f.nodes.size() - 1);
    copy.stores.push_back({copy.nodes[0], before ? rows : other});
    f.clusters.push_back(copy);
    const int index = f.clusters.size() - 1;
    f.clusters[index].dead = true;  // lowered here, not again
    lower(index, before ? -1 : 1);
    return rows;
  }
  constexpr void fill(int buffer, combiner how, int level) {
    const auto d = f.out.buffers[buffer].type;
    f.out.fills.push_back({buffer, identity_bits(how, d)});
    f.out.steps.push_back({step_kind::fill, f.out.fills.size() - 1, 3 * level});
  }
  static constexpr std::int64_t identity_bits(combiner how, dtype d) {
    const bool point = is_floating(d);
    if (how == combiner::sum) return 0;
    if (how == combiner::product) return point ? std::bit_cast<std::int64_t>(1.0) : 1;
    const bool low = how == combiner::maximum;
    if (point) {
      const double infinity = std::numeric_limits<double>::infinity();
      return std::bit_cast<std::int64_t>(low ? -infinity : infinity);
    }
    if (d == dtype::bool_) return low ? 0 : 1;
    const int bits = 8 * size_of(d);
    if (is_unsigned(d)) return low ? 0 : bits == 64 ? -1 : (std::int64_t{1} << bits) - 1;
    const std::int64_t greatest =
        bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
    return low ? -greatest - 1 : greatest;
  }
  /// The width of the elements that fill a register: 8 bytes if nothing narrower is calculated.
  constexpr int lane_bytes(const cluster& c) {
    bool wide = false;
    for (int n : c.nodes) {
      const auto d = compute_dtype(at(n).type.dtype);
      if (d == dtype::float32 || d == dtype::int32) return 4;
      wide = wide || size_of(d) == 8;
    }
    return wide ? 8 : 4;
  }

  static constexpr bool scatters(const cluster& c) {
    for (const auto& s : c.stores)
      if (s.scatters) return true;
    return false;
  }
  /// Bundles know their arrays by masks.
  static constexpr int most_arrays = 64;
  /// Rows that are not dense, with which no register can be filled, are walked side by side unless they depend on each
  /// other.
  constexpr bool may_walk_side_by_side(const cluster& c) const {
    int arrays = c.stores.size();
    for (int n : c.nodes)
      arrays += f.nodes[n].kind == node::load || f.nodes[n].kind == node::gather;
    return !scatters(c) && arrays <= most_arrays;
  }
  /// Short rows may be, as a team sees fit.
  static constexpr bundling bundles(const kernel_plan& k) {
    if (k.serial || k.flat || k.extents.empty() || k.accesses.size() > most_arrays)
      return bundling::never;
    const bool few = is_number(k.extents.back()) && k.extents.back() < least_bundle;
    const bool are_long = is_number(k.columns) && k.columns * k.lane_bytes > longest_short_row;
    return few || are_long ? bundling::never : bundling::of_short_rows;
  }

  constexpr void order_steps() {
    for (auto& s : f.out.steps)
      if (s.kind == step_kind::matmul) s.level = 3 * s.level + 1;
    auto& steps = f.out.steps;
    sequence<step> sorted;
    int last = 0;
    for (const auto& s : steps) last = s.level > last ? s.level : last;
    sequence<sequence<step>> by_level(last + 1);
    for (const auto& s : steps) by_level[s.level].push_back(s);
    for (const auto& level : by_level)
      for (auto kind : {step_kind::fill, step_kind::kernel, step_kind::matmul})
        for (const auto& s : level)
          if (s.kind == kind) sorted.push_back(s);
    steps = std::move(sorted);
  }
  constexpr void touch(int b, int step) {
    auto& x = f.out.buffers[b];
    if (x.first_step < 0) x.first_step = step;
    x.last_step = step;
  }
  constexpr void find_lifetimes() {
    for (int i = 0; i < f.out.steps.size(); ++i) {
      const auto& s = f.out.steps[i];
      const auto k = s.index;
      if (s.kind == step_kind::fill) touch(f.out.fills[k].buffer, i);
      if (s.kind == step_kind::kernel)
        for (const auto& a : f.out.kernels[k].accesses) touch(a.buffer, i);
      if (s.kind == step_kind::matmul)
        for (int b :
             {f.out.matmuls[k].a, f.out.matmuls[k].b, f.out.matmuls[k].c, f.out.matmuls[k].bias})
          if (b >= 0) touch(b, i);
    }
  }
  /// A temporary that a kernel writes where it reads another one for the last time takes that one's place.
  constexpr void number_temporaries() {
    for (int i = 0; i < f.out.steps.size(); ++i) {
      const auto& s = f.out.steps[i];
      if (s.kind == step_kind::kernel) {
        const auto& kernel = f.out.kernels[s.index];
        for (const auto& a : kernel.accesses)
          if (begins(a.buffer, i)) f.out.buffers[a.buffer].port = port_in(kernel, a.buffer, i);
      }
      if (s.kind == step_kind::fill) number(f.out.fills[s.index].buffer, i);
      if (s.kind == step_kind::matmul) number(f.out.matmuls[s.index].c, i);
    }
  }
  constexpr bool begins(int b, int step) const {
    const auto& x = f.out.buffers[b];
    return x.where == storage::workspace && x.first_step == step && x.port < 0;
  }
  constexpr void number(int b, int step) {
    if (begins(b, step)) f.out.buffers[b].port = f.out.temporaries++;
  }
  constexpr int port_in(const kernel_plan& kernel, int b, int step) {
    const auto& own = f.out.buffers[b];
    const kernel_columns columns(kernel);
    for (const auto& a : kernel.accesses) {
      const auto& other = f.out.buffers[a.buffer];
      if (other.where == storage::workspace && other.last_step == step && other.first_step < step &&
          other.size == own.size && other.type == own.type && !is_taken(other.port, kernel, step) &&
          in_place_kernel(columns, false).replaces(b, a.buffer))
        return other.port;
    }
    return f.out.temporaries++;
  }
  /// Does a temporary of this number begin in this step?
  constexpr bool is_taken(int port, const kernel_plan& kernel, int step) const {
    for (const auto& a : kernel.accesses) {
      const auto& x = f.out.buffers[a.buffer];
      if (x.where == storage::workspace && x.first_step == step && x.port == port) return true;
    }
    return false;
  }
};

/// The plan of a primitive program whose extents are settled: of one that is simplified.
constexpr plan make_plan(const program& p, bool has_epilogues = false) {
  plan out = lowering(p, has_epilogues).take();
  used_extents{out};
  return out;
}

}  // namespace primal
