// print: a plan as text for people: what its kernels read, calculate and write, and what that costs.
#pragma once

#include <primal/expr/op_info.hpp>
#include <primal/op/attribute_text.hpp>
#include <primal/plan/plan.hpp>

#include <bit>

namespace primal {

/// What a step costs: bytes that must move between memory and the core, and arithmetic, where every
/// function of an element counts once. Extents, as codes.
struct step_cost {
  std::int64_t bytes = 0, flops = 0;
};

namespace listing {

constexpr std::string_view name_of(combiner how) {
  switch (how) {
    case combiner::sum:     return "sum";
    case combiner::product: return "product";
    case combiner::maximum: return "maximum";
    default:                return "minimum";
  }
}

/// A shape as text, "[64,128]".
constexpr text bracketed(const shape& s, const extent_space& extents) {
  text t = "[";
  for (int i = 0; i < s.size(); ++i) {
    if (i > 0) t += ",";
    t += extents.to_text(s[i]);
  }
  t += "]";
  return t;
}

/// "1 kernel", "2 kernels".
constexpr text counted(std::int64_t n, std::string_view what) {
  return join(n, " ", what, n == 1 ? "" : "s");
}

/// Counts the work of steps.
class accountant {
 public:
  constexpr explicit accountant(const plan& own) : p(own), extents(own.extents) {}

  constexpr step_cost of(const step& s) {
    const auto i = s.index;
    if (s.kind == step_kind::kernel) return of(p.kernels[i]);
    if (s.kind == step_kind::matmul) return of(p.matmuls[i]);
    const auto& b = p.buffers[p.fills[i].buffer];
    return {extents.multiply(b.size, size_of(b.type)), 0};
  }
  constexpr step_cost total() {
    step_cost all;
    for (const auto& s : p.steps) {
      const auto own = of(s);
      all.bytes = extents.add(all.bytes, own.bytes);
      all.flops = extents.add(all.flops, own.flops);
    }
    return all;
  }
  constexpr text to_text(const step_cost& c) {
    return join(extents.to_text(c.bytes), " bytes, ", extents.to_text(c.flops), " flops");
  }

 private:
  const plan& p;
  extent_space extents;  // grows

  constexpr std::int64_t product(const shape& s) {
    std::int64_t n = 1;
    for (auto e : s) n = extents.multiply(n, e);
    return n;
  }
  constexpr step_cost of(const kernel_plan& k) {
    step_cost c;
    for (const auto& a : k.accesses) {
      const bool indexed = a.index_stride != 0;
      std::int64_t n =
          a.inner != 0 || (indexed && in_a_sweep(k, &a - k.accesses.data())) ? k.columns : 1;
      for (int x = 0; x < k.extents.size(); ++x)
        if (a.strides[x] != 0 || indexed) n = extents.multiply(n, k.extents[x]);
      const int times = a.accumulates || (a.written && indexed) ? 2 : 1;  // read, and written
      c.bytes = extents.add(c.bytes, extents.multiply(n, times * size_of(a.type)));
    }
    for (int phase = 0; phase < k.phases.size(); ++phase) {
      std::int64_t flops = 0;
      for (const auto& s : k.phases[phase].statements) flops += flops_of(s);
      if (phase > 0) flops = extents.multiply(flops, product(k.extents));
      if (k.phases[phase].sweep) flops = extents.multiply(flops, k.columns);
      c.flops = extents.add(c.flops, flops);
    }
    return c;
  }
  /// Is an indexed array used once for every element of the rows, or once a row?
  static constexpr bool in_a_sweep(const kernel_plan& k, std::ptrdiff_t access) {
    for (const auto& phase : k.phases)
      for (const auto& s : phase.statements) {
        const auto& f = s.fields;
        if ((f.what == action::gather && f.a.index == access) ||
            (f.what == action::scatter && f.b.index == access))
          return phase.sweep;
      }
    return false;
  }
  static constexpr std::int64_t flops_of(const kernel_statement& s) {
    switch (s.fields.what) {
      case action::apply:      return is_floating(s.fields.dst.type) ? 1 : 0;
      case action::reduce:
      case action::accumulate: return s.fields.flag ? 2 : 1;
      case action::scatter:    return 1;
      default:                 return 0;
    }
  }
  constexpr step_cost of(const matmul_plan& m) {
    const auto size = size_of(m.type);
    const auto operand = [&](std::int64_t rows, std::int64_t columns, const shape& steps) {
      auto n = extents.multiply(rows, columns);
      for (int x = 0; x < m.batch.size(); ++x)
        if (steps[x] != 0) n = extents.multiply(n, m.batch[x]);
      return extents.multiply(n, size);
    };
    const auto c = extents.multiply(product(m.batch), extents.multiply(m.rows, m.columns));
    step_cost cost;
    cost.bytes =
        extents.add(operand(m.rows, m.inner, m.a_batch), operand(m.inner, m.columns, m.b_batch));
    cost.bytes = extents.add(cost.bytes, extents.multiply(c, size));
    if (adds_bias(m.after)) cost.bytes = extents.add(cost.bytes, extents.multiply(m.columns, size));
    const int more = adds_bias(m.after) + takes_gelu(m.after);
    cost.flops = extents.multiply(c, extents.add(extents.multiply(2, m.inner), more));
    return cost;
  }
};

/// Writes a plan, step by step.
class plan_listing {
 public:
  /// `inputs`: the names of the inputs.
  constexpr plan_listing(const plan& own, sequence_view<const char*> inputs)
      : p(own), names(inputs), work(own) {}

  constexpr text write() {
    text t = join(counted(kernels(), "kernel"), ", ",
                  counted(static_cast<std::int64_t>(p.matmuls.size()), "matrix product"), ", ",
                  counted(static_cast<std::int64_t>(p.fills.size()), "fill"), "; ",
                  counted(p.temporaries, "buffer"), " in the workspace; ",
                  work.to_text(work.total()), "\n");
    for (const auto& s : p.steps) {
      t += "\n";
      const auto i = s.index;
      if (s.kind == step_kind::fill) t += join("fill ", name(p.fills[i].buffer));
      if (s.kind == step_kind::matmul) t += product(p.matmuls[i]);
      if (s.kind == step_kind::kernel) t += heading(s.index, p.kernels[i]);
      t += join(": ", work.to_text(work.of(s)), "\n");
      if (s.kind == step_kind::kernel) t += body(p.kernels[i]);
    }
    return t;
  }

 private:
  const plan& p;
  sequence_view<const char*> names;
  accountant work;

  constexpr std::int64_t kernels() const { return static_cast<std::int64_t>(p.kernels.size()); }
  constexpr text number(std::int64_t code) const { return p.extents.to_text(code); }

  constexpr text name(int index) const {
    const auto& b = p.buffers[index];
    switch (b.where) {
      case storage::input:  return names[b.port];
      case storage::output: return join("result ", b.port);
      default:              return join("temporary ", b.port);
    }
  }

  constexpr text product(const matmul_plan& m) const {
    text t = join("product ", name(m.c), m.accumulates ? " += " : " = ",
                  takes_gelu(m.after) ? "gelu(" : "", name(m.a), " * ", name(m.b));
    if (adds_bias(m.after)) t += join(" + ", name(m.bias));
    if (takes_gelu(m.after)) t += ")";
    t += join(", ", primal::name_of(m.type), " ");
    if (!m.batch.empty()) t += join(bracketed(m.batch, p.extents), " of ");
    t += join(number(m.rows), " x ", number(m.inner), " by ", number(m.inner), " x ",
              number(m.columns));
    return t;
  }

  constexpr text heading(int index, const kernel_plan& k) const {
    int statements = 0;
    for (const auto& phase : k.phases) statements += phase.statements.size();
    text rows = "one row";  // no conditional expression: g++ 12 frees its result
    if (!k.extents.empty()) rows = join("rows ", bracketed(k.extents, p.extents));
    return join("kernel ", index, ", ", rows, " of ", number(k.columns), ", ",
                counted(k.sweeps(), "sweep"), ", ", counted(statements, "statement"));
  }

  constexpr text body(const kernel_plan& k) const {
    text t;
    for (int i = 0; i < k.accesses.size(); ++i) {
      const auto& a = k.accesses[i];
      shape strides = a.strides;
      strides.push_back(a.inner);
      t += join("  a", i, " ",
                !a.written      ? "reads"
                : a.accumulates ? "adds to"
                                : "writes",
                " ", name(a.buffer), ", ", primal::name_of(a.type), ", steps ",
                bracketed(strides, p.extents));
      if (a.offset != 0) t += join(" from ", number(a.offset));
      if (a.index_stride != 0) t += join(", index times ", number(a.index_stride));
      t += "\n";
    }
    for (int i = 0; i < k.phases.size(); ++i) {
      const auto& phase = k.phases[i];
      if (phase.statements.empty()) continue;
      t += i == 0 ? "  once\n" : phase.sweep ? "  sweep\n" : "  row\n";
      for (const auto& s : phase.statements) t += join("    ", statement(s, k), "\n");
    }
    return t;
  }

  static constexpr text value(const slot& s) {
    return join(s.uniform ? "u" : "r", s.index, s.type == dtype::float32 ? "" : ":",
                s.type == dtype::float32 ? "" : primal::name_of(s.type));
  }
  static constexpr text array(const slot& s) { return join("a", s.index); }
  static constexpr text constant(const slot& s, const kernel_plan& k, dtype type) {
    const auto bits = k.constants[s.index];
    if (!is_floating(type)) return join(bits);
    return attribute_text::number(std::bit_cast<double>(bits));
  }
  constexpr text statement(const kernel_statement& s, const kernel_plan& k) const {
    const auto& f = s.fields;
    switch (f.what) {
      case action::apply: {
        text t = join(value(f.dst), " = ", s.op->name, "(", value(f.a));
        if (s.op->arity > 1) t += join(", ", value(f.b));
        if (s.op->arity > 2) t += join(", ", value(f.c));
        t += ")";
        return t;
      }
      case action::convert:  return join(value(f.dst), " = cast(", value(f.a), ")");
      case action::constant: return join(value(f.dst), " = ", constant(f.a, k, f.dst.type));
      case action::extent:   return join(value(f.dst), " = ", number(first_unknown - f.a.index));
      case action::position: {
        const auto start = constant(f.a, k, f.dst.type), step = constant(f.b, k, f.dst.type);
        text t = join(value(f.dst), " = ");
        if (start.view() != "0") t += join(start, " + ");
        if (step.view() != "1") t += join(step, " * ");
        t += f.c.index == inner_axis ? "place in the row" : "number of the row";
        return t;
      }
      case action::load:   return join(value(f.dst), " = ", array(f.a));
      case action::gather: return join(value(f.dst), " = ", array(f.a), " at ", value(f.b));
      case action::store:  return join(array(f.b), " = ", value(f.a));
      case action::accumulate:
        if (f.flag) return join(array(f.b), " += ", value(f.a), " * ", value(f.dst));
        if (static_cast<combiner>(f.dst.index) == combiner::sum)
          return join(array(f.b), " += ", value(f.a));
        return join(array(f.b), " = ", name_of(static_cast<combiner>(f.dst.index)), " with ",
                    value(f.a));
      case action::scatter: return join(array(f.b), " at ", value(f.c), " += ", value(f.a));
      case action::reduce:
        if (f.flag) return join(value(f.dst), " = sum of ", value(f.a), " * ", value(f.b));
        return join(value(f.dst), " = ", name_of(sum_field::from(f.c.index).how), " of ",
                    value(f.a));
      case action::keep:   return join("row buffer ", f.b.index, " = ", value(f.a));
      case action::recall: return join(value(f.dst), " = row buffer ", f.a.index);
    }
    return {};
  }
};

}  // namespace listing

/// Every step of a plan: what it reads and writes, what it costs, and the statements of kernels.
constexpr text to_text(const plan& p, sequence_view<const char*> inputs) {
  return listing::plan_listing(p, inputs).write();
}

}  // namespace primal
