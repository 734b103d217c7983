// Decomposition, dead code and listings while compiling.
#include <primal/expr/print.hpp>
#include <primal/op/input.hpp>
#include <primal/op/operators.hpp>
#include <primal/transform/decompose.hpp>
#include <primal/transform/reverse.hpp>

namespace primal::test {

constexpr recorder recorded() {
  recorder r;
  const auto n = r.extents.symbol(0, 0);
  const auto x = record_input(r, {{n, 3}, dtype::float16}, "x");
  r.outputs = {softmax(gelu(x) + mean(x)).id};
  return r;
}

constexpr int count(const program& p, op_name name) {
  int n = 0;
  for (const auto& s : p.statements) n += s.op->name == name;
  return n;
}
constexpr bool is_primitive(const program& p) {
  for (const auto& s : p.statements)
    if (s.op->composite) return false;
  return true;
}

static_assert(count(recorded(), "softmax") == 1);
static_assert(is_primitive(decompose(recorded())));
static_assert(is_primitive(decompose(recorded(), {.require_primitive = true})));
static_assert(count(decompose(recorded(), {.keep = {"gelu"}}), "gelu") == 1);
static_assert(count(decompose(recorded(), {.only = {"gelu"}}), "softmax") == 1);
static_assert([] {
  const program p = recorded(), q = decompose(p);
  return p.type(p.outputs[0]) == q.type(q.outputs[0]) && q.inputs.size() == 1;
}());

static_assert([] {
  diagnostics report;
  decompose(recorded(), {.keep = {"softmax"}, .require_primitive = true}, report);
  return report.message.view().starts_with("decompose: the composite softmax is left");
}());

static_assert([] {
  auto r = recorded();
  exp(tensor{&r, r.inputs[0]});
  return without_dead_code(r).size() == r.size() - 1;
}());

static_assert(to_text(recorded()).view().starts_with("%0 = input x : f16[n0,3]\n"));
static_assert(to_dot(recorded()).view().starts_with("digraph"));

// A gradient is decomposed like any other program.
static_assert([] {
  recorder r;
  const auto x = record_input(r, {{4, 3}, dtype::float32}, "x"),
             dy = record_input(r, {{4, 3}, dtype::float32}, "dy");
  reverse_sweep sweep(r, r.size());
  sweep.want(x);
  sweep.seed(log_softmax(x), dy);
  sweep.run();
  r.outputs = {sweep.cotangent(x).id};
  const auto p = decompose(r);
  return is_primitive(p) && p.inputs.size() == 2 && p.type(p.outputs[0]) == p.type(p.inputs[0]);
}());

}  // namespace primal::test
