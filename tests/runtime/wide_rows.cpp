// Rows of several axes: a reduction along more than one axis whose result is used for every element again.
#include <support/kernels.hpp>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 1e-12;

/// x over the sum of its exponentials along some axes.
constexpr auto shares = [](auto x, pm::axes along) {
  return x / pm::sum(pm::exp(x), {.axes = along, .keepdims = true});
};

xt::xtensor<double, 3> block(unsigned seed) { return sample<double, 3>({4, 3, 5}, seed); }

}  // namespace

TEST_CASE("statistics over every pair of axes, for each element") {
  same_as_interpreter(
      [](auto x) {
        return std::tuple(shares(x, {0, 1}), shares(x, {0, 2}), shares(x, {1, 2}),
                          shares(x, {0, 1, 2}));
      },
      tolerance, block(1));
  same_as_interpreter(
      [](auto x) {
        const pm::axes ends{0, 2};
        return std::tuple(pm::mean(x, {.axes = ends}), pm::var(x, {.axes = ends}),
                          pm::logsumexp(x, {.axes = ends}),
                          x * pm::max(x, {.axes = ends, .keepdims = true}));
      },
      tolerance, block(2));
}

TEST_CASE("batch_norm of images, and its gradient") {
  const auto x = sample<double, 4>({2, 3, 4, 5}, 3), weight = sample<double, 4>({2, 3, 4, 5}, 4);
  const auto scale = sample<double, 1>({3}, 5), bias = sample<double, 1>({3}, 6);
  same_as_interpreter(
      [](auto a, auto s, auto b) { return pm::batch_norm.outputs(a, s, b, {.training = true}); },
      tolerance, x, scale, bias);
  same_as_interpreter(pm::grad<0, 1, 2>([](auto a, auto s, auto b, auto w) {
                        return pm::sum(pm::batch_norm(a, s, b, {.training = true}) * w);
                      }),
                      1e-10, x, scale, bias, weight);
}

TEST_CASE("what is written or read is not one axis along the row") {
  same_as_interpreter(
      [](auto x, auto y) {
        const auto s = shares(x, {1, 2});
        return std::tuple(pm::concat({s, y}, {.axis = 2}), pm::pad(s, {.low = {0, 1, 1}}),
                          pm::concat({s, y}, {.axis = 1}), pm::transpose(s, {2, 0, 1}));
      },
      tolerance, block(7), block(8));
  same_as_interpreter(
      [](auto x, auto y) {
        const auto turned = pm::transpose(y, {1, 0, 2});
        return std::tuple(shares(pm::transpose(x), {1, 2}),
                          shares(x(pm::all, pm::range(1, pm::none), pm::range(0, 3)), {1, 2}),
                          shares(x, {1, 2}) * pm::transpose(shares(turned, {0, 2}), {1, 0, 2}),
                          shares(y, {1, 2}) * shares(x, {0, 1}));
      },
      tolerance, block(9), block(10));
}

TEST_CASE("gathers and scatters beside them") {
  xt::xtensor<int, 3> places = xt::zeros<int>({4, 3, 5});
  int k = 0;
  for (auto& i : places) i = k++ * 7 % 3;
  same_as_interpreter(
      [](auto x, auto y, auto i) {
        return std::tuple(shares(x, {1, 2}) * pm::take_along_axis(y, i, {.axis = 1}),
                          shares(pm::take_along_axis(y, i, {.axis = 1}), {1, 2}) * x,
                          pm::scatter_add(x, i, shares(y, {1, 2}), {.axis = 1}));
      },
      tolerance, block(11), block(12), places);
  same_as_interpreter(
      [](auto x, auto y, auto i) {
        return std::tuple(pm::scatter_add(x, i, y, {.axis = 1}), shares(y, {1, 2}));
      },
      tolerance, block(13), block(14), places);
}
