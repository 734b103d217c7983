// Rows of every length give what the interpreter gives, with the registers of this machine and with narrower ones.
// test: sanitize-long narrow
#include <support/kernels.hpp>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 2e-5;

}  // namespace

TEST_CASE("elementwise statements and broadcasting") {
  for (std::size_t n : {1u, 2u, 7u, 15u, 16u, 17u, 31u, 33u, 64u, 100u}) {
    CAPTURE(n);
    const auto x = sample<float, 2>({3, n}, 1), y = sample<float, 2>({3, n}, 2);
    const auto row = sample<float, 1>({n}, 3);
    const auto column = sample<float, 1>({3}, 4);
    same_as_interpreter(
        [](auto a, auto b, auto r, auto c) {
          return std::tuple(a * b + 1, a * r - pm::reshape(c, {-1, 1}),
                            pm::exp(a) / (1 + pm::exp(b)), pm::where(a < b, a, r));
        },
        tolerance, x, y, row, column);
  }
}

TEST_CASE("reductions of long rows and many rows") {
  for (std::size_t rows : {1u, 5u, 127u, 128u, 200u, 1000u})
    for (std::size_t n : {1u, 17u, 70u}) {
      CAPTURE(rows, n);
      const auto x = sample<float, 2>({rows, n}, 6);
      same_as_interpreter(
          [](auto a) {
            return std::tuple(pm::sum(a), pm::sum(a, {.axes = 0}), pm::max(a, {.axes = 0}),
                              pm::sum(a * a, {.axes = 1}));
          },
          1e-4, x);
    }
  const auto long_row = sample<float, 1>({100000}, 7);
  same_as_interpreter([](auto a) { return std::tuple(pm::sum(a), pm::max(a), pm::mean(a * a)); },
                      1e-4, long_row);
}

TEST_CASE("sums of a million elements are as right as pairwise ones") {
  constexpr std::size_t n = 1000003;
  auto x = sample<float, 2>({2, n}, 45, 0, 1);
  for (std::size_t i = 0; i < n; ++i) x(0, i) = 0.1f;  // every rounding goes the same way
  const auto rows = pm::compile([](auto a) { return pm::sum(a, {.axes = 1}); })(x);
  const auto shares =
      pm::compile([](auto a) { return a / pm::sum(a, {.axes = 1, .keepdims = true}); })(x);
  const auto same = pm::compile([](auto a) { return pm::sum(a); })(x);
  double all = 0;
  for (std::size_t r = 0; r < 2; ++r) {
    double whole = 0;
    for (std::size_t i = 0; i < n; ++i) whole += static_cast<double>(x(r, i));
    CHECK(static_cast<double>(rows(r)) == Approx(whole).epsilon(2e-6));
    CHECK(static_cast<double>(shares(r, 7)) ==
          Approx(static_cast<double>(x(r, 7)) / whole).epsilon(2e-6));
    all += whole;
  }
  CHECK(static_cast<double>(same) == Approx(all).epsilon(2e-6));
}

TEST_CASE("normalisation, its gradient, for every tail length") {
  for (std::size_t n = 1; n <= 70; n += n < 40 ? 1 : 7) {
    CAPTURE(n);
    const auto x = sample<float, 2>({4, n}, 8), dy = sample<float, 2>({4, n}, 9);
    const auto g = sample<float, 1>({n}, 10), b = sample<float, 1>({n}, 11);
    same_as_interpreter(slopes_of_layer_norm, 1e-4, x, g, b, dy);
    same_as_interpreter(
        [](auto a, auto ct) { return pm::vjp<0>([](auto p) { return pm::softmax(p); })(a, ct); },
        tolerance, x, dy);
    same_as_interpreter(
        [](auto a, auto ct) { return pm::vjp<0>([](auto p) { return pm::gelu(p); })(a, ct); },
        tolerance, x, dy);
  }
}

TEST_CASE("cross entropy and its gradient") {
  for (std::size_t n : {1u, 3u, 10u, 16u, 40u}) {
    CAPTURE(n);
    const auto x = sample<float, 2>({9, n}, 13, -5, 5);
    auto t = xt::xtensor<std::int32_t, 1>::from_shape({9});
    for (std::size_t i = 0; i < 9; ++i) t(i) = static_cast<std::int32_t>((i * 7) % n);
    same_as_interpreter(
        [](auto a, auto b) {
          return pm::value_and_grad<0>([](auto p, auto q) { return pm::cross_entropy(p, q); })(a,
                                                                                               b);
        },
        tolerance, x, t);
  }
}

TEST_CASE("places in a row, of every dtype, for every tail length and in cut rows") {
  for (std::size_t n : {1u, 7u, 16u, 33u, 70u, 5000u}) {
    CAPTURE(n);
    const auto x = sample<float, 2>({n > 100 ? 1u : 3u, n}, 37);
    same_as_interpreter(
        [](auto a, auto sixth) {
          const auto in = [&](pm::dtype d) { return pm::arange(a.extent(1), {d}); };
          return std::tuple(
              a + in(pm::dtype::float32), pm::where(in(pm::dtype::int32) == sixth, a, 0),
              in(pm::dtype::int64)*pm::cast(a > 0, pm::dtype::int64),
              pm::where(a > 0, in(pm::dtype::int8), 1), pm::where(a > 0, in(pm::dtype::uint16), 1),
              pm::arange(5, -205, -3) + sixth, a + in(pm::dtype::float16));
        },
        tolerance, x, 6);
  }
}

TEST_CASE("a NaN in any lane comes out of maxima and sums") {
  for (std::size_t n : {1u, 5u, 16u, 33u, 70u})
    for (std::size_t at = 0; at < n; ++at) {
      auto x = sample<float, 1>({n}, 31);
      x(at) = std::numeric_limits<float>::quiet_NaN();
      CHECK(std::isnan(pm::max(x)));
      CHECK(std::isnan(pm::min(x)));
      CHECK(std::isnan(pm::sum(x)));
      CHECK(static_cast<std::size_t>(pm::argmax(x)) == at);
    }
}

TEST_CASE("conditions in memory") {
  const auto conditions = pm::compile([](auto x, auto y, auto c) {
    return std::tuple(x < y, pm::where(c, x, y), c && x == y, !c);
  });
  const auto check = [&]<class T>(T) {
    for (std::size_t n : {1u, 7u, 8u, 15u, 16u, 33u, 64u, 131u}) {
      auto x = xt::xtensor<T, 1>::from_shape({n}), y = x;
      auto c = xt::xtensor<bool, 1>::from_shape({n});
      for (std::size_t i = 0; i < n; ++i)
        x(i) = static_cast<T>(i % 5), y(i) = static_cast<T>(i % 3), c(i) = i % 7 < 3;
      const auto [less, chosen, both, others] = conditions(x, y, c);
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(less(i) == (x(i) < y(i)));
        CHECK(chosen(i) == (c(i) ? x(i) : y(i)));
        CHECK(both(i) == (c(i) && x(i) == y(i)));
        CHECK(others(i) == !c(i));
      }
    }
  };
  check(1.0F), check(1.0), check(std::int8_t{1}), check(std::uint16_t{1}), check(std::int64_t{1});
}
