// Programs as text and as graphs.
#include <primal/expr/print.hpp>
#include <primal/op/operators.hpp>
#include <primal/testing/recording.hpp>
#include <support/catch.hpp>

#include <sstream>

namespace primal::test {

namespace {

program attention() {
  recorder r;
  const auto n = r.extents.symbol(0, 0);
  const auto x = record_input(r, {{n, 64}, dtype::float32}, "x");
  const auto y = softmax(matmul(x, x, {.transpose_b = true}), {.axis = 0});
  r.outputs = {y.id, sum(y, {.axes = {0, 1}}).id};
  return r;
}

}  // namespace

TEST_CASE("a statement is listed with operands, attributes, type and place") {
  const auto text = to_text(attention()).str();
  INFO(text);
  CHECK_THAT(text, Catch::Contains("%0 = input x : f32[n0,64]\n"));
  CHECK_THAT(
      text,
      Catch::Contains(
          "%1 = matmul(%0, %0) {transpose_a=false, transpose_b=true} : f32[n0,n0]   print.cpp:"));
  CHECK_THAT(text, Catch::Contains("%2 = softmax(%1) {axis=0} : f32[n0,n0]   print.cpp:"));
  CHECK_THAT(text,
             Catch::Contains("%3 = sum(%2) {axes={0, 1}, keepdims=false} : f32[]   print.cpp:"));
  CHECK_THAT(text, Catch::EndsWith("return %2, %3\n"));
}

TEST_CASE("several results, absent operands and lists of extents can be read") {
  recorder r;
  const auto x = record_input(r, {{2, 3}, dtype::float64}, "x");
  const auto all = layer_norm.outputs(x);
  r.outputs = {reshape(all[0], {3, -1}).id};
  const auto text = to_text(r).str();
  INFO(text);
  CHECK_THAT(text, Catch::Contains("%1, %2, %3 = layer_norm(%0, none, none) {axes={1}, "
                                   "epsilon=0.00001} : f64[2,3], f64[2], f64[2]"));
  CHECK_THAT(text, Catch::Contains("%4 = reshape(%1) {{3, 2}} : f64[3,2]"));
}

TEST_CASE("a constant is listed with its value") {
  recorder r;
  const auto x = record_input(r, {{3}, dtype::float32}, "x");
  r.outputs = {(x * 0.044715).id};
  const auto text = to_text(r).str();
  INFO(text);
  CHECK_THAT(text, Catch::Contains("%1 = full() {value=0.044715} : f32[]"));
}

TEST_CASE("numbers of attributes are short") {
  const std::pair<double, const char*> numbers[] = {
      {0.1, "0.1"},   {1e-5, "0.00001"}, {1. / 3, "0.333333"}, {-2.5, "-2.5"},
      {1e20, "1e20"}, {1e-12, "1e-12"},  {100000.5, "100001"}, {0, "0"},
      {-3, "-3"},     {1 / 0., "inf"}};
  for (const auto& [x, wanted] : numbers) CHECK(attribute_text::number(x).str() == wanted);
  CHECK(attribute_text::number(0 / 0. * -1).str() == "nan");
}

TEST_CASE("a graph has a node for each statement and an edge for each operand") {
  const auto dot = to_dot(attention()).str();
  INFO(dot);
  CHECK_THAT(dot, Catch::StartsWith("digraph program {"));
  CHECK_THAT(dot, Catch::Contains("s2 [label=\"softmax {axis=0}\\nf32[n0,n0]\"];"));
  CHECK_THAT(dot, Catch::Contains("s0 -> s1;\n  s0 -> s1;"));
  CHECK_THAT(dot, Catch::Contains("s3 -> out1;"));
}

TEST_CASE("texts can be streamed") {
  std::ostringstream out;
  out << to_text(attention());
  CHECK(out.str() == to_text(attention()).str());
}

}  // namespace primal::test
