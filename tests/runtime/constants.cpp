// Models and parts of models that are made from constants alone.
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using pm::test::same;

namespace {

const xt::xtensor<float, 1> x{1, 2, 3};

}  // namespace

TEST_CASE("a model of constants alone is a model") {
  CHECK(pm::compile([]() { return pm::sum(pm::ones({4})); })() == 4);
  const auto [steps, three, unit] =
      pm::compile([]() { return std::tuple(pm::arange(5), 3, pm::eye(2)); })();
  CHECK(same(steps, xt::xtensor<float, 1>{0, 1, 2, 3, 4}));
  CHECK(three == 3);
  CHECK(same(unit, xt::xtensor<float, 2>{{1, 0}, {0, 1}}));
  const auto product = pm::compile([]() { return pm::matmul(pm::eye(2), pm::ones({2, 3}) * 2); })();
  CHECK(same(product, xt::xtensor<float, 2>{{2, 2, 2}, {2, 2, 2}}));
}

TEST_CASE("a result may depend on no input") {
  CHECK(pm::compile([](auto) { return pm::sum(pm::ones({4})); })(x) == 4);
  CHECK(pm::compile([](auto a) { return pm::sum(pm::ones({a.extent(0)})); })(x) == 3);
  CHECK(pm::compile([](auto a) { return pm::sum(pm::zeros_like(a)); })(x) == 0);
  const auto slope = pm::grad<0>([](auto) { return pm::sum(pm::arange(4)); })(x);
  CHECK(same(slope, xt::xtensor<float, 1>{0, 0, 0}));
}

TEST_CASE("constants are calculated with before they meet a tensor") {
  const auto masked = [](auto a) {
    const auto rows = pm::arange(3)(pm::all, pm::newaxis), columns = pm::arange(3);
    return pm::where(columns <= rows, a, 0);
  };
  CHECK(same(pm::compile(masked)(x), xt::xtensor<float, 2>{{1, 0, 0}, {1, 2, 0}, {1, 2, 3}}));
  const auto waves = [](auto a) {
    const auto angle = pm::arange(3) / 2;
    return a * (pm::square(pm::sin(angle)) + pm::square(pm::cos(angle)));
  };
  CHECK(xt::allclose(pm::compile(waves)(x), x));
  const auto powers = [](auto a) {
    auto c = pm::arange(1, 4, 1, {.dtype = pm::dtype::int32});
    for (int i = 0; i < 3; ++i) c = c * c;
    return a + c;
  };
  CHECK(same(pm::compile(powers)(x), xt::xtensor<float, 1>{2, 258, 6564}));
}

TEST_CASE("extents that are known only at the call make constants") {
  const auto scaled = [](auto a) {
    const auto n = a.extent(0);
    return a * pm::reshape(pm::sin(pm::arange(n)) * 0 + pm::arange(n) / n, {n});
  };
  CHECK(xt::allclose(pm::compile(scaled)(x), xt::xtensor<float, 1>{0, 2.f / 3, 2}));
  CHECK(pm::compile([](auto a) { return a.extent(0) * 2; })(x) == 6);
}

TEST_CASE("an input is a result as it is") {
  const auto [same_once, same_twice] = pm::compile([](auto a) { return std::tuple(a, a); })(x);
  CHECK(same(same_once, x));
  CHECK(same(same_twice, x));
}

TEST_CASE("several results of an operator on constants") {
  const auto result = pm::compile([]() {
    const auto [y, mean, variance] = pm::layer_norm.outputs(pm::arange(4));
    return std::tuple(mean, variance);
  })();
  CHECK(std::get<0>(result) == 1.5f);
  CHECK(std::get<1>(result) == 1.25f);
}

TEST_CASE("a cast of constants") {
  const auto whole = pm::compile([]() { return pm::cast<int>(pm::arange(0, 2, 0.5)); })();
  CHECK(same(whole, xt::xtensor<std::int32_t, 1>{0, 0, 1, 1}));
  const auto more = pm::compile([]() { return pm::cast<int>(pm::arange(4) / 2); })();
  CHECK(same(more, xt::xtensor<std::int32_t, 1>{0, 0, 1, 1}));
}
