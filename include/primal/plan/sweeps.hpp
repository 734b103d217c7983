// sweeps: the statements of a cluster as phases of a kernel: what runs once, once a row, and for every
// piece of a row.
#pragma once

#include <primal/plan/multiply_add.hpp>
#include <primal/plan/placement.hpp>

namespace primal {

/// Writes the phases of a kernel.
class sweep_planner : sweep_placement {
 public:
  constexpr sweep_planner(fusion& own, int cluster_index, const loop_nest& loops,
                          sequence<access> arrays, sequence<int> loads_at, sequence<int> stores_at)
      : sweep_placement(own, cluster_index, loops),
        load_access(std::move(loads_at)),
        store_access(std::move(stores_at)) {
    kernel.accesses = std::move(arrays);
    write();
  }

  kernel_plan kernel;

 private:
  sequence<int> load_access, store_access;
  int uniform_slots[16] = {}, local_slots[16] = {}, sum_slots[16] = {};
  sequence<int> local;   // register of each value in the current sweep
  sequence<char> fused;  // products that become part of a sum

  static constexpr dtype class_of(dtype d) { return compute_dtype(d); }
  constexpr dtype type_of(int i) const { return class_of(at(i).type.dtype); }
  constexpr slot operand_slot(int i) {
    if (i < 0) return {};
    if (items[i].alias >= 0) i = items[i].alias;
    if (!items[i].varies) return {items[i].uniform, type_of(i), true};
    return {local[i], type_of(i), false};
  }
  constexpr int constant(std::int64_t bits) {
    for (int i = 0; i < kernel.constants.size(); ++i)
      if (kernel.constants[i] == bits) return static_cast<int>(i);
    kernel.constants.push_back(bits);
    return kernel.constants.size() - 1;
  }
  constexpr slot index_slot(int i) const { return {i, dtype::bool_, false}; }

  /// The outer loops that do not move what is written: it is written once, not once per index.
  constexpr int guard(unsigned axes) {
    int mask = 0;
    for (int l = 0; l < nest.joined.size(); ++l)
      if ((nest.joined[l] & axes) == 0) mask |= 1 << l;
    return mask;
  }
  constexpr bool strided(int k) const { return kernel.accesses[k].inner != 1; }
  /// Do all rows read the same?
  constexpr bool repeats(int k) const {
    const auto& strides = kernel.accesses[k].strides;
    bool same = !strides.empty();
    for (auto s : strides) same = same && s == 0;
    return same;
  }

  /// The statement that calculates node i into `dst`.
  constexpr kernel_statement statement_of(int i, slot dst) {
    const auto& n = at(i);
    kernel_statement s;
    s.fields.dst = dst;
    if (n.kind == node::load || n.kind == node::gather) {
      const int k = load_access[i];
      s.fields.what = n.kind == node::load ? action::load : action::gather;
      s.fields.a = index_slot(k);
      s.fields.c = {0, n.type.dtype, false};
      s.fields.flag = strided(k);
      if (n.kind == node::gather) s.fields.b = operand_slot(operand(i, 1));
      else s.fields.b.uniform = repeats(k);
    } else if (n.kind == node::source) {
      write_source(n, s);
    } else if (is<cast_op>(n.op)) {
      s.fields.what = action::convert;
      s.fields.a = operand_slot(operand(i, 0));
      s.fields.b = {0, n.type.dtype, false};
    } else {
      s.op = n.op;
      s.fields.what = action::apply;
      s.fields.flag = is_floating(n.type.dtype) && n.value >= 0 && !f.may_round_once(n.value);
      s.fields.a = operand_slot(operand(i, 0));
      s.fields.b = operand_slot(operand(i, 1));
      s.fields.c = operand_slot(operand(i, 2));
    }
    return s;
  }
  constexpr void write_source(const node& n, kernel_statement& s) {
    const auto words = f.p.attributes_of(f.p.maker(n.value));
    const auto number = [&](double x) {
      return is_floating(n.type.dtype) ? std::bit_cast<std::int64_t>(x)
                                       : static_cast<std::int64_t>(x);
    };
    if (is<full_op>(n.op)) {
      s.fields.what = action::constant;
      s.fields.a = index_slot(constant(attributes_in<full_op>(words).bits));
    } else if (is<extent_op>(n.op)) {
      s.fields.what = action::extent;
      const auto code = attributes_in<extent_op>(words).code[0].code();
      if (is_number(code)) {
        s.fields.what = action::constant;
        s.fields.a = index_slot(constant(number(static_cast<double>(code))));
      } else {
        s.fields.a = index_slot(static_cast<int>(extent_space::index(code)));
      }
    } else {
      const auto a = attributes_in<arange_op>(words);
      s.fields.what = action::position;
      s.fields.a = index_slot(constant(number(a.start)));
      s.fields.b = index_slot(constant(number(a.step)));
      int axis = -1;
      for (auto own : n.map)
        if (own >= 0) axis = own;
      if (axis < 0) s.fields.what = action::constant;
      else s.fields.c = index_slot(nest.loop_of(axis) < 0 ? inner_axis : nest.loop_of(axis));
    }
  }
  constexpr kernel_statement store_of(const sink& k) {
    const auto& r = c.stores[k.store];
    const int to = store_access[k.store];
    const auto& array = kernel.accesses[to];
    kernel_statement s;
    s.fields.what = action::store;
    s.fields.a = operand_slot(k.column ? operand(k.node, 0) : k.node);
    s.fields.b = index_slot(to);
    s.fields.c = {guard(k.axes), array.type, false};
    s.fields.flag = !array.accumulates && strided(to);
    if (array.accumulates) {
      const int x = operand(k.node, 0);
      s.fields.what = action::accumulate;
      s.fields.dst = index_slot(static_cast<int>(array.how));
      s.fields.flag = k.column && items[x].varies && fused[x];
      if (s.fields.flag) {
        s.fields.a = operand_slot(operand(x, 0));
        s.fields.dst = operand_slot(operand(x, 1));
      }
    }
    if (r.scatters) {
      const auto index = operand_slot(index_of(k));
      s.fields.what = action::scatter;
      if (!in_sweep(k)) s.fields.dst = index;
      else s.fields.c = index, s.fields.dst = {0, array.type, false};
    }
    return s;
  }

  constexpr void write() {
    for (int i = 0; i < count; ++i)
      if (items[i].used && !items[i].varies && items[i].alias < 0 &&
          !(at(i).kind == node::reduce && !items[i].row_sum))
        items[i].uniform = uniform_slots[static_cast<int>(type_of(i))]++;
    for (int i = 0; i < count; ++i) {
      if (items[i].uniform < 0) continue;
      for (int k = 0; k < 3; ++k)
        if (const int o = operand(i, k);
            o >= 0 && !items[o].varies && items[o].ready > items[i].ready)
          items[i].ready = items[o].ready;
      if (items[i].row_sum) items[i].ready = items[i].placed + 1;
    }
    kernel_phase once;
    for (int i = 0; i < count; ++i)
      if (items[i].uniform >= 0 && !items[i].per_row && !items[i].row_sum)
        once.statements.push_back(statement_of(i, operand_slot(i)));
    kernel.phases.push_back(once);
    for (int s = 0; s <= sweeps; ++s) {
      write_uniforms(s);
      if (s < sweeps) write_sweep(s);
    }
    kernel.buffers = buffer_units;
  }
  constexpr void write_uniforms(int s) {
    kernel_phase phase;
    for (int i = 0; i < count; ++i)
      if (items[i].uniform >= 0 && items[i].per_row && !items[i].row_sum && items[i].ready == s)
        phase.statements.push_back(statement_of(i, operand_slot(i)));
    for (const auto& k : sinks) {
      if (k.store < 0 || in_sweep(k)) continue;
      const int i = k.column ? operand(k.node, 0) : k.node;
      if (items[i].ready == s) phase.statements.push_back(store_of(k));
    }
    if (!phase.statements.empty()) kernel.phases.push_back(phase);
  }
  constexpr bool lone_product(int i, const sequence<int>& uses, int s) {
    return i >= 0 && items[i].varies && needs(s, i) == calculated && is<multiply_op>(at(i).op) &&
           is_floating(at(i).type.dtype) && uses[i] == 1 && !fused[i];
  }
  constexpr bool is_sum(int i) {
    return at(i).kind == node::calculate && (is<add_op>(at(i).op) || is<subtract_op>(at(i).op));
  }
  constexpr void write_sweep(int s) {
    for (auto& n : local_slots) n = 0;
    for (auto& n : sum_slots) n = 0;
    local.assign(count, -1);
    fused.assign(count, 0);
    sequence<int> uses(count, 0), product(count, -1);
    const auto used = [&](int i) {
      if (i >= 0) ++uses[i];
    };
    for (int i = 0; i < count; ++i) {
      if (needs(s, i) != calculated) continue;
      for (int k = 0; k < 3; ++k) used(operand(i, k));
      if (items[i].buffer >= 0) used(i);
    }
    for (int k = 0; k < sinks.size(); ++k)
      if (sink_sweep[k] == s) used(root(sinks[k]));
    for (int i = 0; i < count; ++i)
      if (needs(s, i) == calculated && is_sum(i))
        for (int k : {1, 0})
          if (product[i] < 0 && lone_product(operand(i, k), uses, s) &&
              f.may_round_once(at(operand(i, k)).value)) {
            product[i] = k;
            fused[operand(i, k)] = 1;
          }
    for (int k = 0; k < sinks.size(); ++k)  // sums of products
      if (sink_sweep[k] == s && (sinks[k].store < 0 || sinks[k].column) &&
          at(sinks[k].node).how == combiner::sum && lone_product(root(sinks[k]), uses, s))
        fused[root(sinks[k])] = 1;
    kernel_phase phase;
    phase.sweep = true;
    for (int i = 0; i < count; ++i) {
      if (needs(s, i) != absent && !fused[i]) {
        local[i] = local_slots[static_cast<int>(type_of(i))]++;
        write_value(phase, s, i, product[i]);
      }
      for (int k = 0; k < sinks.size(); ++k)
        if (sink_sweep[k] == s && last_operand(sinks[k]) == i) write_sink(phase, sinks[k]);
    }
    kernel.phases.push_back(phase);
  }
  constexpr int last_operand(const sink& k) {
    const int i = root(k), index = index_of(k);
    return index > i ? index : i;
  }
  constexpr void write_value(kernel_phase& phase, int s, int i, int product) {
    const slot dst = operand_slot(i);
    if (needs(s, i) == recalled) {
      kernel_statement recall;
      recall.fields = {action::recall, false, dst, index_slot(items[i].buffer), {}, {}};
      phase.statements.push_back(recall);
      return;
    }
    auto statement = statement_of(i, dst);
    if (product >= 0) {  // x + p * q and its kin
      const int m = operand(i, product), other = operand(i, 1 - product);
      const bool minus = is<subtract_op>(at(i).op);
      statement.op = !minus         ? &info_of<multiply_add_op>
                     : product == 1 ? &info_of<subtract_product_op>
                                    : &info_of<multiply_subtract_op>;
      static_cast<void>(sizeof(reveal<multiply_add_op>) + sizeof(reveal<subtract_product_op>) +
                        sizeof(reveal<multiply_subtract_op>));
      statement.fields.a = operand_slot(operand(m, 0));
      statement.fields.b = operand_slot(operand(m, 1));
      statement.fields.c = operand_slot(other);
    }
    phase.statements.push_back(statement);
    if (items[i].buffer >= 0) {
      kernel_statement keep;
      keep.fields = {action::keep, false, {}, dst, index_slot(items[i].buffer), {}};
      phase.statements.push_back(keep);
    }
  }
  constexpr void write_sink(kernel_phase& phase, const sink& k) {
    if (k.store >= 0) return phase.statements.push_back(store_of(k));
    const auto type = type_of(k.node);
    kernel_statement s;
    const sum_field field{sum_slots[static_cast<int>(type)]++, at(k.node).how};
    const int x = operand(k.node, 0);
    s.fields = {action::reduce,          false, {items[k.node].uniform, type, true}, {}, {},
                index_slot(field.pack())};
    if (fused[x]) {
      s.fields.flag = true;
      s.fields.a = operand_slot(operand(x, 0));
      s.fields.b = operand_slot(operand(x, 1));
    } else {
      s.fields.a = operand_slot(x);
    }
    phase.statements.push_back(s);
  }
};

}  // namespace primal
