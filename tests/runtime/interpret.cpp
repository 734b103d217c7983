// The interpreter, called by hand: what references and laws do not see.
// test: sanitize
#include <primal/primal.hpp>
#include <primal/testing/recording.hpp>
#include <support/catch.hpp>

namespace primal::test {

namespace {

template <class F>
std::vector<dense> run(const std::vector<dense>& in, const F& f, interpretation_options o = {}) {
  return interpret(testing::record(in, f, testing::extents_are::unknown), in, o);
}

constexpr auto scaled_rows = [](auto x, auto w) { return softmax(matmul(x, w) * x.extent(0)); };

}  // namespace

TEST_CASE("results are exact in double, or rounded to their dtypes") {
  const std::vector<dense> in{{{2}, {1, 0.1}, dtype::float32}};
  const auto third = [](const tensors& x) -> tensors { return {x[0] / 3}; };
  CHECK(run(in, third)[0].values == std::vector<double>{1. / 3, 0.1 / 3});
  CHECK(run(in, third, {.round = true})[0].values[0] == static_cast<double>(1.f / 3));
  const auto half =
      run(in, [](const tensors& x) -> tensors { return {cast(x[0], dtype::float16)}; },
          {.round = true});
  CHECK(half[0].values[1] == 0.0999755859375);
  CHECK(half[0].dtype == dtype::float16);
}

TEST_CASE("integers wrap and comparisons give 0 or 1") {
  const std::vector<dense> in{{{2}, {127, -128}, dtype::int8}};
  CHECK(run(in, [](const tensors& x) -> tensors { return {x[0] + 1}; })[0].values ==
        std::vector<double>{-128, -127});
  CHECK(run(in, [](const tensors& x) -> tensors { return {x[0] > 0}; })[0].values ==
        std::vector<double>{1, 0});
  CHECK(interpretation::wrapped_integer(-1, 64, true) == -1);
  CHECK(interpretation::wrapped_integer(300, 8, false) == 44);
  CHECK(interpretation::wrapped_integer(-129, 8, true) == 127);
}

TEST_CASE("an extent known only at the call is a number") {
  const std::vector<dense> in{interpretation::filled({2, 3}, 1)};
  const auto out =
      run(in, [](const tensors& x) -> tensors { return {x[0] * x[0].extent(1) + x[0].size()}; });
  CHECK(out[0].values == std::vector<double>(6, 9));
}

TEST_CASE("arrays that do not fit the program are an error") {
  const std::vector<dense> in{interpretation::filled({2, 3}, 1), interpretation::filled({3}, 1)};
  const auto p = testing::record(in, [](const tensors& x) -> tensors { return {x[0] + x[1]}; });
  const auto q = testing::record(
      in, [](const tensors& x) -> tensors { return {x[0] + x[1]}; }, testing::extents_are::unknown);
  const auto other =
      std::vector<dense>{interpretation::filled({2, 4}, 1), interpretation::filled({3}, 1)};
  CHECK_THROWS_AS(interpret(p, other), shape_error);
  CHECK_THROWS_WITH(interpret(q, other),
                    Catch::Contains("add") && Catch::Contains("must be equal"));
  CHECK_THROWS_AS(interpret(p, {in[0]}), shape_error);
  CHECK_THROWS_AS(interpret(p, {in[1], in[0]}), shape_error);
  CHECK_NOTHROW(interpret(q, in));
}

TEST_CASE("composites are decomposed where the program still has them") {
  const std::vector<dense> in{interpretation::filled({2, 3}, 1)};
  const auto whole =
      testing::record(in, [](const tensors& x) -> tensors { return {softmax(x[0])}; });
  const auto pieces = decompose(whole);
  CHECK(whole.size() == 2);
  CHECK(pieces.size() > 5);
  CHECK(interpret(whole, in) == interpret(pieces, in));
}

TEST_CASE("a frozen program takes the arrays of a caller") {
  static constexpr auto p = program_of<array<float, dyn, 2>, array<double, 2, 3>>(
      [](auto x, auto w) { return scaled_rows(cast(x, dtype::float64), w); });
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  const xt::xtensor<double, 2> w{{1, 0, 2}, {0, 1, 1}};
  const auto y = interpret(p, x, w);
  REQUIRE(y.size() == 1);
  CHECK(y[0].extents == std::vector<std::int64_t>{2, 3});
  CHECK(y[0].values[0] == Approx(1 / (1 + std::exp(2.) + std::exp(6.))));
  const auto columns = xt::view(x, xt::all(), xt::range(0, 2));
  CHECK(interpret(p, columns, w) == y);
}

TEST_CASE("numbers are arrays of rank 0") {
  static constexpr auto p = program_of<double, float>([](auto a, auto b) { return a + b; });
  CHECK(interpret(p, 1.5, 2.f)[0].values == std::vector<double>{3.5});
}

}  // namespace primal::test
