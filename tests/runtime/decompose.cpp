// decompose: policies, places, annotations, dead code.
// test: sanitize
#include <primal/expr/print.hpp>
#include <primal/interpret/interpret.hpp>
#include <primal/op/operators.hpp>
#include <primal/testing/recording.hpp>
#include <support/catch.hpp>

namespace primal::test {

/// Says float32 for every input.
struct promising_op : composite<promising_op> {
  static constexpr op_name name{"promising"};
  static constexpr tensor_type infer(tensor x) { return {x.type().dims, dtype::float32}; }
  static constexpr tensor decompose(tensor x) { return exp(x); }
};

namespace {

int count(const program& p, op_name name) {
  int n = 0;
  for (const auto& s : p.statements) n += s.op->name == name;
  return n;
}

const std::vector<dense> matrix{interpretation::filled({2, 3}, 0.5)};

program model(testing::extents_are mode = testing::extents_are::known) {
  return testing::record(
      matrix,
      [](const tensors& x) -> tensors { return {cross_entropy(softmax(gelu(x[0])), x[0])}; }, mode);
}

}  // namespace

TEST_CASE("everything is decomposed unless the policy says otherwise") {
  const auto p = decompose(model());
  CHECK(interpretation::is_primitive(p));
  CHECK(p.inputs.size() == 1);
  CHECK(p.outputs.size() == 1);
  CHECK(p.type(p.outputs[0]) == model().type(model().outputs[0]));
}

TEST_CASE("what a policy keeps stays whole") {
  const auto p = decompose(model(), {.keep = {"softmax", "no such operator"}});
  CHECK(count(p, "softmax") == 1);
  CHECK(count(p, "gelu") == 0);
  CHECK(interpret(p, matrix) == interpret(model(), matrix));
}

TEST_CASE("with .only nothing else is expanded") {
  const auto p = decompose(model(), {.only = {"gelu"}});
  CHECK(count(p, "softmax") == 1);
  CHECK(count(p, "cross_entropy") == 1);
  CHECK(count(p, "gelu") == 0);
}

TEST_CASE("composites inside a rule follow the policy as well") {
  const auto mean_of_rows =
      testing::record(matrix, [](const tensors& x) -> tensors { return {primal::std(x[0])}; });
  CHECK(count(decompose(mean_of_rows, {.keep = {"var"}}), "var") == 1);
  CHECK(count(decompose(mean_of_rows, {.only = {"std"}}), "var") == 1);
}

TEST_CASE("a policy that requires primitives names the composite that is left") {
  CHECK_NOTHROW(decompose(model(), {.require_primitive = true}));
  CHECK_THROWS_WITH(decompose(model(), {.keep = {"softmax"}, .require_primitive = true}),
                    Catch::Contains("softmax") && Catch::Contains("decompose.cpp:"));
}

TEST_CASE("statements of a rule have the place and the annotation of the composite") {
  auto whole = model();
  for (auto& s : whole.statements)
    if (s.op->name == "softmax")
      s.annotation = 7, s.where = place(), s.where.file = "there.cpp", s.where.line = 42;
  const auto p = decompose(whole);
  const auto exps = [&](const statement& s) { return s.op->name == "exp" && s.annotation == 7; };
  const auto found = std::find_if(p.statements.begin(), p.statements.end(), exps);
  REQUIRE(found != p.statements.end());
  CHECK(std::string(found->where.file) == "there.cpp");
  CHECK(found->where.line == 42);
}

TEST_CASE("extents, their names and what they must fulfil are kept") {
  recorder r;
  const auto n = r.extents.symbol(0, 0), m = r.extents.symbol(1, 0);
  const auto x = record_input(r, {{n, 3}, dtype::float32}, "x"),
             y = record_input(r, {{m, 3}, dtype::float32}, "y");
  r.outputs = {softmax(x + y).id};
  const auto p = decompose(r);
  CHECK(p.extents.requirements.size() == 1);
  CHECK(p.extents.to_text(p.shape_of(p.inputs[0])[0]).str() == "n0");
  CHECK_THROWS_AS(interpret(p, {interpretation::filled({2, 3}, 1, dtype::float32),
                                interpretation::filled({4, 3}, 1, dtype::float32)}),
                  shape_error);
}

TEST_CASE("what no output needs is dropped, but never an input") {
  recorder r;
  const auto inputs = testing::record_inputs(r, {matrix[0], matrix[0], matrix[0]});
  const auto kept = inputs[0] * 2;
  exp(inputs[1]) + softmax(inputs[1]);
  r.outputs = {kept.id, inputs[2].id};
  const auto p = without_dead_code(r);
  CHECK(p.size() == 5);
  CHECK(p.inputs.size() == 3);
  CHECK(count(p, "exp") == 0);
  CHECK(p.outputs[1] == p.inputs[2]);
}

TEST_CASE("a rule that does not give what the operator promises is an error") {
  const auto p = testing::record(
      matrix, [](const tensors& x) -> tensors { return {op<promising_op>{}(x[0])}; });
  CHECK_THROWS_WITH(decompose(p), Catch::Contains("promising") &&
                                      Catch::Contains("f64[2,3] instead of f32[2,3]"));
}

TEST_CASE("results that a rule passes through stay the values they are") {
  const auto p = decompose(
      testing::record(matrix, [](const tensors& x) -> tensors { return {stop_gradient(x[0])}; }));
  CHECK(p.size() == 1);
  CHECK(p.outputs == p.inputs);
}

}  // namespace primal::test
