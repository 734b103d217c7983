// Values that kernels calculate anew or find in memory: the same in every place, whichever comes first.
// With optimisation, because only then g++ fuses products with sums.
// test: optimized
#include <support/lanes.hpp>

namespace pm = primal;
using namespace primal::test;

namespace {
constexpr double tolerance = 2e-5;
constexpr auto parts = [](auto x, auto w) {
  const auto v = 2 - x * w;
  const auto s = pm::sum(pm::exp(pm::tanh(x)), {.keepdims = true});
  const auto l = v - pm::logsumexp(v, {.keepdims = true});
  return std::tuple((x - s) * (x + s), l, pm::abs(l), v);
};
}  // namespace

TEST_CASE("sums of products, whichever of them is ready first") {
  const auto a = sample<float, 2>({5, 5}, 50), b = sample<float, 2>({5, 5}, 51);
  same_as_interpreter(
      [](auto x, auto y) {
        return pm::matmul(pm::exp(x), y) + pm::matmul(x, y) + pm::matmul(y, x);
      },
      tolerance, a, b);
}

TEST_CASE("one index of rows of a known shape gathers and scatters") {
  auto index = xt::xtensor<int, 1>::from_shape({5});
  for (std::size_t i = 0; i < 5; ++i) index(i) = static_cast<int>(i * 3 % 2);
  same_as_interpreter(
      [](auto a, auto i) {
        return pm::grad<0>(
            [](auto p, auto q) { return pm::sum(pm::square(pm::take(p, q, {.axis = 2}))); })(a, i);
      },
      tolerance, sample<float, 3>({5, 4, 2}, 52), index);
}

TEST_CASE("a value beside its own transpose") {
  const auto row = sample<float, 2>({1, 8}, 53);
  using rows = pm::array<float, 1, pm::dyn>;
  constexpr auto outer = [](auto x) {
    const auto s = x - pm::max(x * x, {.axes = 0, .keepdims = true});
    return pm::transpose(s) * s;
  };
  const auto got = pm::compile<rows>(outer)(row);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      const auto s = [&](std::size_t k) { return row(0, k) - row(0, k) * row(0, k); };
      CHECK(got(i, j) == Approx(s(i) * s(j)).epsilon(1e-5));
    }
  same_as_interpreter(
      [](auto x) {
        const auto y = pm::transpose(x, {1, 0, 2}) * 2 + x;
        return std::tuple(y, y * 3 + pm::transpose(y, {1, 0, 2}));
      },
      tolerance, sample<float, 3>({8, 8, 3}, 54));
}

TEST_CASE("values that were written or copied after others had been found to depend on them") {
  using one = pm::array<float, 1>;
  const auto a = sample<float, 1>({1}, 55), b = sample<float, 1>({1}, 56);
  xt::xtensor<int, 1> places = xt::zeros<int>({2});
  constexpr auto copied = [](auto x, auto y, auto i) {
    const auto m = pm::maximum(x, y);
    return std::tuple(pm::exp(m), pm::take(m, i) * 2, pm::matmul(x, m), pm::matmul(m, y));
  };
  const auto [e, taken, p, q] = pm::compile<one, one, pm::array<int, 2>>(copied)(a, b, places);
  const float m = std::max(a(0), b(0));
  CHECK(e(0) == Approx(std::exp(m)));
  CHECK(taken(1) == Approx(2 * m));
  CHECK(p == Approx(a(0) * m));
  CHECK(q == Approx(b(0) * m));
  same_as_interpreter(
      [](auto x, auto y) {
        const auto ones = pm::ones_like(x);
        return std::tuple(pm::where(y > x, y, x * 0.5f), ones, pm::where(y > x, 0, ones * 0.5f));
      },
      tolerance, sample<float, 2>({16, 16}, 57), sample<float, 2>({16, 16}, 58));
}

TEST_CASE("places along one axis in rows of several") {
  same_as_interpreter(
      [](auto a) {
        const auto y = a * pm::arange(a.extent(1), {a.dtype()});
        const auto z = a / pm::sum(pm::abs(a), {.keepdims = true});
        return std::tuple(y / pm::sum(pm::abs(y), {.keepdims = true}),
                          z * pm::arange(a.extent(1), {a.dtype()}));
      },
      tolerance, sample<float, 2>({4, 6}, 59));
}

TEST_CASE("values kept in a row after every sum that they need") {
  same_as_interpreter(
      [](auto a, auto b) {
        const auto [y, l, m, v] = parts(a, b);
        const auto slope = pm::grad<0>([](auto x, auto w) {
          const auto [p, q, r, t] = parts(x, w);
          return pm::sum(pm::square(p)) * 0.25f + pm::sum(q) + pm::sum(r) + pm::sum(t);
        })(a, b);
        return std::tuple(v, y, l, m, slope);
      },
      tolerance, sample<float, 1>({17}, 60), sample<float, 1>({1}, 61)(0));
}

TEST_CASE("extremes are found again where their value is calculated anew") {
  same_as_interpreter(
      [](auto a, auto b) {
        return std::tuple(pm::argmax(a * b + 1, {.axis = 1}), pm::argmin(a - a * b, {.axis = 0}),
                          pm::grad<0>([](auto x, auto y) {
                            const auto z = x * y;
                            const auto least = pm::min(z + 1, {.axes = 0, .keepdims = true});
                            return pm::sum(pm::square(z - least));
                          })(a, b));
      },
      tolerance, sample<float, 2>({7, 33}, 62), sample<float, 2>({7, 33}, 63));
}

TEMPLATE_TEST_CASE("the greatest element is found where its products are results as well", "",
                   float, double) {
  // One sweep finds the greatest, another one compares: a compiler may fuse a product in one of them.
  constexpr auto found = [](auto x, auto y, auto z) {
    const auto product = x * y, own = pm::square(z);
    const auto v = product + own, w = pm::gelu(x) + z;
    const auto hits = [](auto a) {
      return pm::sum(pm::cast<TestType>(a == pm::max(a, {.axes = 1, .keepdims = true})),
                     {.axes = 1});
    };
    return std::tuple(hits(v), hits(w), hits(z - own), product, own, pm::gelu(x));
  };
  for (std::size_t n : {5u, 16u, 33u, 200u}) {
    CAPTURE(n);
    const auto x = sample<TestType, 2>({60, n}, 61), y = sample<TestType, 2>({60, n}, 62),
               z = sample<TestType, 2>({60, n}, 63);
    const auto check = [](const auto& results) {
      for (const auto& hits : {std::get<0>(results), std::get<1>(results), std::get<2>(results)})
        for (const auto count : hits) CHECK(count == 1);
    };
    check(pm::compile(found)(x, y, z));
    check(pm::compile(found, pm::emulated<32, 4>{})(x, y, z));
  }
}

TEST_CASE("gradients of what every step of a long loop uses") {
  same_as_interpreter(
      [](auto p, auto z) {
        return pm::grad<0, 1>([](auto q, auto noise) {
          auto x = q(0) + 0 * noise(0);
          for (int i = 0; i < 16; ++i)
            x = x + pm::tanh(x) * q(1) + pm::sqrt(pm::abs(x)) * (q(2) * q(1)) * noise(i);
          return pm::mean(x);
        })(p, z);
      },
      1e-3, sample<float, 1>({5}, 60), sample<float, 2>({16, 37}, 61));
}
