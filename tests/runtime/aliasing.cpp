// test: sanitize
// Outputs that share memory with inputs: the result is as if computed first and stored afterwards.
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using pm::test::same;

namespace {

inline constexpr auto reversed_plus = [](auto x, auto y) { return pm::transpose(x) + y; };
inline constexpr auto normalised = [](auto x) {
  return x - pm::sum(x, {.axes = {-1}, .keepdims = true});
};

}  // namespace

TEST_CASE("an output may be the input itself") {
  xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  pm::compile(normalised).into(x)(x);
  CHECK(same(x, xt::xtensor<float, 2>{{-2, -1}, {-4, -3}}));
  pm::compile([](auto a) { return a * 2; }).into(x)(x);
  CHECK(same(x, xt::xtensor<float, 2>{{-4, -2}, {-8, -6}}));
}

TEST_CASE("an output may be an input that is read transposed") {
  xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  const xt::xtensor<float, 2> zero = xt::zeros<float>({2, 2});
  pm::compile(reversed_plus).into(x)(x, zero);
  CHECK(same(x, xt::xtensor<float, 2>{{1, 3}, {2, 4}}));
}

TEST_CASE("an output may overlap an input shifted") {
  float data[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto doubled = pm::compile([](auto a) { return a * 2; });
  doubled.into(pm::view(data + 1, 8))(pm::view(data, 8));
  for (int i = 0; i < 8; ++i) CHECK(data[i + 1] == static_cast<float>(2 * (i + 1)));
  float back[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  doubled.into(pm::view(back, 8))(pm::view(back + 1, 8));
  for (int i = 0; i < 8; ++i) CHECK(back[i] == static_cast<float>(2 * (i + 2)));
}

TEST_CASE("each of two outputs may be an input of both") {
  xt::xtensor<float, 1> a{1, 2, 3}, b{10, 20, 30};
  pm::compile([](auto x, auto y) { return std::tuple(x + y, x - y); }).into(a, b)(a, b);
  CHECK(same(a, xt::xtensor<float, 1>{11, 22, 33}));
  CHECK(same(b, xt::xtensor<float, 1>{-9, -18, -27}));
}

TEST_CASE("an output may be an input that is read after it is known") {
  xt::xtensor<float, 1> x{1, 2, 3}, sum{0, 0, 0};
  const xt::xtensor<float, 1> y{0, 0, 0};
  pm::compile([](auto a, auto b) {
    return std::tuple(pm::exp(b), pm::exp(b) + a);
  }).into(x, sum)(x, y);
  CHECK(same(x, xt::xtensor<float, 1>{1, 1, 1}));
  CHECK(same(sum, xt::xtensor<float, 1>{2, 3, 4}));
}

TEST_CASE("an output may be an input that every row reads") {
  xt::xtensor<float, 1> a{1, 2, 3};
  const xt::xtensor<float, 2> b{{10, 20, 30}, {40, 50, 60}};
  xt::xtensor<float, 2> sum = xt::zeros<float>({2, 3});
  pm::compile([](auto x, auto y) { return std::tuple(x * 2, x + y); }).into(a, sum)(a, b);
  CHECK(same(a, xt::xtensor<float, 1>{2, 4, 6}));
  CHECK(same(sum, xt::xtensor<float, 2>{{11, 22, 33}, {41, 52, 63}}));

  float scale = 2, total = 0;
  const xt::xtensor<float, 1> many = xt::ones<float>({200'000});
  pm::compile([](auto s, auto y) {
    return std::tuple(s * 2, pm::sum(s * y + s));
  }).into(scale, total)(scale, many);
  CHECK(scale == 4);
  CHECK(total == 800'000);
}

TEST_CASE("two outputs may swap their inputs") {
  xt::xtensor<float, 1> a{1, 2, 3}, b{10, 20, 30};
  pm::compile([](auto x, auto y) { return std::tuple(y, x); }).into(a, b)(a, b);
  CHECK(same(a, xt::xtensor<float, 1>{10, 20, 30}));
  CHECK(same(b, xt::xtensor<float, 1>{1, 2, 3}));
}

TEST_CASE("outputs may lie between each other") {
  const auto both = pm::compile([](auto x, auto y) { return std::tuple(x + y, x - y); });
  const xt::xtensor<float, 1> a{1, 2, 3}, b{10, 20, 30};
  xt::xtensor<float, 1> pairs = xt::zeros<float>({6});
  float* const p = pairs.data();
  both.into(pm::view(p, 3, pm::strides(2)), pm::view(p + 1, 3, pm::strides(2)))(a, b);
  CHECK(same(pairs, xt::xtensor<float, 1>{11, -9, 22, -18, 33, -27}));
  both.into(pm::view(p + 5, 3, pm::strides(-2)), pm::view(p, 3, pm::strides(2)))(a, b);
  CHECK(same(pairs, xt::xtensor<float, 1>{-9, 33, -18, 22, -27, 11}));

  // The left and the right part of one matrix, which are also the inputs.
  xt::xtensor<float, 2> rows{{1, 2, 10, 20, 99}, {3, 4, 30, 40, 99}};
  const auto part = [&](int column) {
    return pm::view(rows.data() + column, 2, 2, pm::strides(5, 1));
  };
  const auto left = part(0), right = part(2);
  both.into(right, left)(left, right);
  CHECK(same(rows, xt::xtensor<float, 2>{{-9, -18, 11, 22, 99}, {-27, -36, 33, 44, 99}}));

  CHECK_THROWS_AS(both.into(left, part(1))(left, right), pm::value_error);
  CHECK_THROWS_AS(both.into(left, left)(left, right), pm::value_error);
  CHECK(rows(0, 0) == -9);
}

TEST_CASE("a number may be an output and an input") {
  float x = 3;
  pm::compile([](auto a) { return a * a; }).into(x)(x);
  CHECK(x == 9);
}
