// Transforms: gradients with respect to any arguments, nested, of trees, with rules of one's own.
// test: sanitize
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using pm::test::close;
using pm::test::same;

namespace {

using vector = xt::xtensor<double, 1>;
using matrix = xt::xtensor<double, 2>;

inline constexpr auto cube = [](auto x) { return x * x * x; };
inline constexpr auto product_sum = [](auto x, auto w) { return pm::sum(x * w); };
inline constexpr auto bilinear = [](auto x, auto w) { return pm::sum(pm::exp(pm::matmul(x, w))); };

// A composite without a rule of its own, made of another one.
struct squared_op : pm::composite<squared_op> {
  static constexpr pm::op_name name{"squared"};
  static constexpr pm::tensor decompose(pm::tensor x) { return x * x; }
};
inline constexpr pm::op<squared_op> squared{};
struct sum_of_squares_op : pm::composite<sum_of_squares_op> {
  static constexpr pm::op_name name{"sum_of_squares"};
  static constexpr pm::tensor decompose(pm::tensor x) { return pm::sum(squared(x)); }
};
inline constexpr pm::op<sum_of_squares_op> sum_of_squares{};

// Composites of two results.
struct both_op : pm::composite<both_op> {
  static constexpr pm::op_name name{"both"};
  static constexpr auto decompose(pm::tensor x) { return std::tuple(x * x, pm::sum(x)); }
};
inline constexpr pm::op<both_op> both{};
struct sine_and_cosine_op : pm::composite<sine_and_cosine_op> {
  static constexpr pm::op_name name{"sine_and_cosine"};
  static constexpr std::pair<pm::tensor, pm::tensor> decompose(pm::tensor x) {
    return {pm::sin(x), pm::cos(x)};
  }
  static constexpr pm::tensor vjp(pm::saved s, pm::cotangents dy) {
    const auto by_sine = dy.has(0) ? dy[0] * s.output(1) : pm::zeros_like(s.input());
    return dy.has(1) ? by_sine - dy[1] * s.output(0) : by_sine;
  }
};
inline constexpr pm::op<sine_and_cosine_op> sine_and_cosine{};

}  // namespace

TEST_CASE("gradients are taken by position, of the first argument by default") {
  const vector x{1, 2, 3}, w{4, 5, 6};
  CHECK(same(pm::grad(product_sum)(x, w), w));
  CHECK(same(pm::grad<1>(product_sum)(x, w), x));
  const auto [dw, dx] = pm::grad<1, 0>(product_sum)(x, w);
  CHECK(same(dw, x));
  CHECK(same(dx, w));
}

TEST_CASE("value_and_grad gives one gradient, or a tuple of several") {
  const vector x{1, 2, 3}, w{4, 5, 6};
  const auto [value, gradient] = pm::value_and_grad<1>(product_sum)(x, w);
  CHECK(value == 32);
  CHECK(same(gradient, x));
  const auto [again, gradients] = pm::value_and_grad<0, 1>(product_sum)(x, w);
  CHECK(again == 32);
  CHECK(same(std::get<0>(gradients), w));
  CHECK(same(std::get<1>(gradients), x));
}

TEST_CASE("gradients nest") {
  CHECK(pm::grad(cube)(2.0) == 12);
  CHECK(pm::grad(pm::grad(cube))(2.0) == 12);
  CHECK(pm::grad(pm::grad(pm::grad(cube)))(2.0) == 6);
  CHECK(pm::grad(pm::grad(pm::grad(pm::grad(cube))))(2.0) == 0);
  const auto squared_norm_of_gradient = [](auto x, auto w) {
    const auto g = pm::grad<0>([](auto a, auto b) { return pm::sum(a * a * b); })(x, w);
    return pm::sum(g * g);  // sum of (2 x w)^2
  };
  CHECK(same(pm::grad<1>(squared_norm_of_gradient)(vector{1, 2}, vector{3, 4}), vector{24, 128}));
}

TEST_CASE("the slope of a power depends on its exponent, also where that is 0") {
  const auto slope = pm::grad<0>([](auto x, auto y) { return pm::pow(x, y); });
  CHECK(pm::grad<1>(slope)(2.0, 0.0) == 0.5);
  CHECK(std::abs(pm::grad<1>(slope)(2.0, 1.0) - 1 - std::log(2.0)) < 1e-14);
  CHECK(slope(0.0, 0.0) == 0);
  CHECK(slope(1e-310, 0.0) == 0);
  CHECK(slope(std::nan(""), 0.0) == 0);
}

TEST_CASE("broadcasting is undone") {
  const matrix x{{1, 2, 3}, {4, 5, 6}};
  const auto [dx, db, ds] = pm::grad<0, 1, 2>(
      [](auto a, auto b, auto s) { return pm::sum(a * b * s); })(x, vector{1, 10, 100}, 2.0);
  CHECK(same(dx, matrix{{2, 20, 200}, {2, 20, 200}}));
  CHECK(same(db, vector{10, 14, 18}));
  CHECK(ds == 975);
  const auto dc = pm::grad<1>(product_sum)(x, pm::as<pm::dyn, 1>(matrix{{1}, {2}}));
  CHECK(same(dc, matrix{{6}, {15}}));
}

TEST_CASE("a composite without a rule is differentiated piece by piece") {
  CHECK(same(pm::grad([](auto x) { return sum_of_squares(x) * 3; })(vector{1, 2}), vector{6, 12}));
  CHECK(pm::grad(pm::grad([](auto x) { return sum_of_squares(x); }))(3.0) == 2);
}

TEST_CASE("a composite of several results returns an array, a pair or a tuple") {
  const auto total = [](auto x) {
    const auto [squares, sum] = both.outputs(x);
    return pm::sum(squares) * sum;
  };
  CHECK(same(pm::grad(total)(vector{1, 2}), vector{11, 17}));
  const auto wave = [](auto x) {
    const auto [sine, cosine] = sine_and_cosine.outputs(x);
    return 2 * sine + cosine * cosine;
  };
  CHECK(std::abs(pm::grad(wave)(1.0) - 2 * std::cos(1.0) + std::sin(2.0)) < 1e-14);
  CHECK(std::abs(pm::grad(pm::grad(wave))(1.0) + 2 * std::sin(1.0) + 2 * std::cos(2.0)) < 1e-14);
}

TEST_CASE("what nothing depends on has the gradient zero") {
  const auto [dx, dw] =
      pm::grad<0, 1>([](auto x, auto) { return pm::sum(x); })(vector{1, 2}, matrix{{1}, {2}});
  CHECK(same(dx, vector{1, 1}));
  CHECK(same(dw, matrix{{0}, {0}}));
  CHECK(pm::grad([](auto) { return pm::ones({}); })(2.0) == 0);
  CHECK(same(pm::grad([](auto x) { return pm::sum(pm::stop_gradient(x) * x); })(vector{1, 2}),
             vector{1, 2}));
}

TEST_CASE("the gradient goes to the argument, not to the tensor that it happens to be") {
  CHECK(pm::compile([](auto x) {
          return pm::grad([](auto a, auto b) { return a * a * b; })(x, x);
        })(3.0) == 18);
  CHECK(pm::compile([](auto x) { return pm::grad([&](auto a) { return a * a * x; })(x); })(3.0) ==
        18);
  CHECK(pm::compile([](auto x) { return pm::grad([](auto a) { return a * a; })(x * x); })(3.0) ==
        18);
}

TEST_CASE("a gradient is of the dtype of its input") {
  const auto [d32, d64] = pm::grad<0, 1>(product_sum)(xt::xtensor<float, 1>{1, 2}, vector{3, 4});
  STATIC_REQUIRE(std::is_same_v<decltype(d32), const xt::xtensor<float, 1>>);
  STATIC_REQUIRE(std::is_same_v<decltype(d64), const vector>);
  CHECK(same(d32, xt::xtensor<float, 1>{3, 4}));
  const auto with_integers =
      pm::grad<0>(product_sum)(vector{1, 2}, xt::xtensor<std::int32_t, 1>{3, 4});
  CHECK(same(with_integers, vector{3, 4}));
}

TEST_CASE("vjp takes the cotangents after the arguments") {
  const matrix x{{1, 2}}, w{{3}, {4}};
  const auto [y, ct_x] =
      pm::vjp<0>([](auto a, auto b) { return pm::matmul(a, b); })(x, w, matrix{{10}});
  CHECK(same(y, matrix{{11}}));
  CHECK(same(ct_x, matrix{{30, 40}}));

  const auto two = [](auto a, auto b) { return std::tuple(a * b, a + b); };
  const auto [results, ct_a, ct_b] =
      pm::vjp<0, 1>(two)(vector{1, 2}, vector{3, 4}, vector{1, 1}, vector{10, 20});
  CHECK(same(std::get<1>(results), vector{4, 6}));
  CHECK(same(ct_a, vector{13, 24}));
  CHECK(same(ct_b, vector{11, 22}));
  const auto [same_results, from_tree] =
      pm::vjp<0>(two)(vector{1, 2}, vector{3, 4}, std::tuple(vector{1, 1}, vector{10, 20}));
  CHECK(same(from_tree, vector{13, 24}));
  CHECK(same(std::get<0>(same_results), vector{3, 8}));
}

TEST_CASE("cotangents must fit their results") {
  CHECK_THROWS_AS(pm::vjp<0>(cube)(vector{1, 2}, vector{1, 2, 3}), pm::shape_error);
}

TEST_CASE("a piece of a model with a rule of its own, and the rule, stand at their own lines") {
  static constexpr auto picked = pm::custom_vjp(
      [](auto x, auto i) { return pm::take(x, i); },
      [](pm::saved, pm::tensor dy) { return pm::tensors{pm::reshape(dy, {2}), pm::tensor{}}; });
  const auto total = [](auto x, auto i) { return pm::sum(picked(x, i)); };
  const std::vector<int> three(3), late{2};
  CHECK_THROWS_WITH(pm::compile(total)(vector{1, 2}, late), Catch::Contains("at transforms.cpp:"));
  CHECK_THROWS_WITH(pm::grad<0>(total)(vector{1, 2}, three), Catch::Contains("at transforms.cpp:"));
}

TEST_CASE("a piece of a model may have a rule of its own") {
  static constexpr auto clipped = pm::custom_vjp(
      [](auto x, auto y) { return x * y; },
      [](pm::saved s, pm::tensor dy) { return pm::tensors{10 * dy * s.input(1), pm::tensor{}}; });
  const auto [dx, dy] = pm::grad<0, 1>([](auto x, auto y) { return pm::sum(clipped(x, y)); })(
      vector{1, 2}, vector{3, 4});
  CHECK(same(dx, vector{30, 40}));
  CHECK(same(dy, vector{0, 0}));
  CHECK(same(clipped(vector{1, 2}, vector{3, 4}), vector{3, 8}));

  static constexpr auto of_a_tree =
      pm::custom_vjp([](auto p) { return std::tuple(std::get<0>(p) * 2, std::get<1>(p) * 3); },
                     [](pm::saved, pm::cotangents d) {
                       return pm::tensors{d.has(1) ? d[1] : pm::tensor{}, d[0]};
                     });
  const auto total = [](auto p) {
    const auto [a, b] = of_a_tree(p);
    return pm::sum(a * 5) + pm::sum(b * 7);
  };
  const auto [da, db] = pm::grad(total)(std::tuple(vector{1, 1}, vector{1, 1}));
  CHECK(same(da, vector{7, 7}));
  CHECK(same(db, vector{5, 5}));
}

TEST_CASE("a transform is a model inside another one") {
  const auto step = [](auto x, auto w) {
    const auto [value, g] = pm::value_and_grad<1>(bilinear)(x, w);
    return std::tuple(value, w - 0.1 * g);
  };
  const matrix x{{0.5, 1}}, w{{0}, {0}};
  const auto [value, next] = pm::compile(step)(x, w);
  CHECK(value == 1);
  CHECK(close(next, matrix{{-0.05}, {-0.1}}));
  constexpr auto declared = pm::compile<pm::array<double, pm::dyn, 2>, pm::array<double, 2, 1>>(
      pm::value_and_grad<1>(bilinear));
  CHECK(close(std::get<1>(declared(x, w)), matrix{{0.5}, {1}}));
}

TEST_CASE("gradients are written into arrays of the caller's") {
  const vector x{1, 2}, w{3, 4};
  double value = 0;
  vector dx{0, 0}, dw{0, 0};
  pm::compile(pm::value_and_grad<0, 1>(product_sum)).into(value, dx, dw)(x, w);
  CHECK(value == 11);
  CHECK(same(dx, w));
  CHECK(same(dw, x));
}
