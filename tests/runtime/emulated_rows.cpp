// Rows so long and so few that several blocks share each, on the lanes of CUDA blocks: every sweep is a launch of its
// own, and later ones combine what the blocks of earlier ones have left.
// test: sanitize-long
#include <support/lanes.hpp>

#include <cstdint>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 1e-4;

/// As many rows as blocks may share, and more.
template <class F> void for_each_size(const F& f) {
  for (std::size_t rows : {1u, 2u, 3u, 9u})
    for (std::size_t columns : {100u, 130u, 1000u}) {
      CAPTURE(rows, columns);
      f(rows, columns);
    }
}

xt::xtensor<std::int32_t, 1> labels(std::size_t rows, std::size_t classes) {
  auto t = xt::xtensor<std::int32_t, 1>::from_shape({rows});
  for (std::size_t i = 0; i < rows; ++i) t(i) = static_cast<std::int32_t>((i + 1) * 83 % classes);
  return t;
}

}  // namespace

TEST_CASE("normalised long rows on lanes") {
  for_each_size([](std::size_t rows, std::size_t n) {
    const auto x = sample<float, 2>({rows, n}, 1), dy = sample<float, 2>({rows, n}, 2);
    const auto scale = sample<float, 1>({n}, 3), bias = sample<float, 1>({n}, 4);
    agrees(slopes_of_layer_norm, tolerance, x, scale, bias, dy);
  });
}

TEST_CASE("long rows with expensive functions that are kept on lanes") {
  for_each_size([](std::size_t rows, std::size_t n) {
    const auto x = sample<float, 2>({rows, n}, 5, -4, 4), dy = sample<float, 2>({rows, n}, 6);
    agrees_on_warps(
        [](auto p, auto ct) { return pm::vjp<0>([](auto s) { return pm::softmax(s); })(p, ct); },
        tolerance, x, dy);
  });
}

TEST_CASE("losses of long rows on lanes") {
  for_each_size([](std::size_t rows, std::size_t n) {
    const auto x = sample<float, 2>({rows, n}, 7, -4, 4);
    agrees(
        [](auto p, auto t) {
          return pm::value_and_grad<0>([](auto s, auto u) { return pm::cross_entropy(s, u); })(p,
                                                                                               t);
        },
        tolerance, x, labels(rows, n));
    // Sums of rows that leave the kernel after the last sweep.
    agrees(
        [](auto p) {
          auto m = pm::max(p, {.axes = {1}, .keepdims = true});
          return std::tuple(pm::sum(pm::exp(p - m), {.axes = {1}}), pm::max(p), m);
        },
        tolerance, x);
    // What rows add up to before the last sweep is added once.
    agrees(
        [](auto p) {
          auto m = pm::max(p, {.axes = {1}, .keepdims = true});
          return std::tuple(pm::sum(m), pm::sum(pm::exp(p - m), {.axes = {1}}), pm::exp(p - m));
        },
        tolerance, x);
  });
}

TEST_CASE("one long row of doubles on lanes") {
  agrees_on_warps([](auto p) { return std::tuple(pm::softmax(p), pm::log_softmax(p)); }, 1e-12,
                  sample<double, 1>({1000}, 8));
}
