// Rows side by side, one a lane: short rows, and rows along an axis that is not the last one.
// test: sanitize
#include <primal/primal.hpp>
#include <support/catch.hpp>
#include <support/kernels.hpp>

#include <limits>

namespace pm = primal;
using namespace pm::test;

namespace {

/// Nearly all that a kernel can do: sums, products and extremes of rows and of columns, values of a row, places along
/// every axis, conditions, wider numbers, elements that an index picks, values kept from one sweep to the next.
constexpr auto everything = [](auto x, auto s, auto weight, auto label) {
  const auto r = pm::reshape(weight, {-1, 1});
  const auto y = pm::softmax(x * s + r);
  const auto row = pm::reshape(pm::arange(x.extent(0)), {-1, 1});
  const auto column = pm::arange(x.extent(1));
  const auto wide = pm::sum(pm::cast<double>(x) * 3, {1});
  return std::tuple(y, pm::sum(y * x, {0}), pm::max(x, {1}), pm::min(x, {0}), pm::prod(x, {1}),
                    pm::where(x > r, x, s) * pm::cast<float>(row + 2 * column), wide,
                    pm::take_along_axis(y, pm::reshape(label, {-1, 1}), {1}),
                    pm::layer_norm(x, s, s), pm::argmax(x, {.axis = 1}), pm::sum(weight * 2));
};
constexpr auto slopes = [](auto x, auto s, auto weight, auto label) {
  return pm::grad<0, 1>([](auto p, auto q, auto w, auto l) {
    const auto y = pm::layer_norm(p, q, q) * pm::reshape(w, {-1, 1});
    return pm::cross_entropy(y, l) + pm::sum(pm::square(pm::softmax(p)));
  })(x, s, weight, label);
};

void check_same(const pm::dense& got, const pm::dense& wanted) {
  REQUIRE(got.extents == wanted.extents);
  REQUIRE(distance(got, wanted, 1e-4) < 2e-5);
}
template <class A, class B> void check_leaves(const A& got, const B& wanted) {
  std::vector<pm::dense> a, b;
  pm::for_each_leaf(got, [&](const auto& leaf) { a.push_back(to_dense(leaf)); });
  pm::for_each_leaf(wanted, [&](const auto& leaf) { b.push_back(to_dense(leaf)); });
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    check_same(a[i], b[i]);
  }
}

/// n rows of a length, and what goes with them.
template <class T> struct rows_of {
  xt::xtensor<T, 2> x;
  xt::xtensor<T, 1> s, weight;
  xt::xtensor<std::int32_t, 1> label;

  rows_of(std::size_t n, std::size_t length)
      : x(sample<T, 2>({n, length}, static_cast<unsigned>(n))),
        s(sample<T, 1>({length}, 90)),
        weight(sample<T, 1>({n}, 91)),
        label(xt::xtensor<std::int32_t, 1>::from_shape({n})) {
    for (std::size_t i = 0; i < n; ++i) label(i) = static_cast<std::int32_t>(i * 7 % length);
  }
};

/// Rows whose length is known give what those give whose length the call decides.
template <class T, std::int64_t Length> void check_known_length() {
  using rows = pm::array<T, pm::dyn, Length>;
  using row = pm::array<T, Length>;
  using column = pm::array<T, pm::dyn>;
  using labels = pm::array<std::int32_t, pm::dyn>;
  for (std::size_t n = 1; n <= 36; n += n < 20 ? 1 : 3) {
    CAPTURE(Length, n);
    const rows_of<T> in(n, static_cast<std::size_t>(Length));
    check_leaves(
        pm::compile<rows, row, column, labels>(everything)(in.x, in.s, in.weight, in.label),
        pm::compile(everything)(in.x, in.s, in.weight, in.label));
    check_leaves(pm::compile<rows, row, column, labels>(slopes)(in.x, in.s, in.weight, in.label),
                 pm::compile(slopes)(in.x, in.s, in.weight, in.label));
  }
}

}  // namespace

TEST_CASE("rows of any length side by side, or one by one where they are long or few") {
  for (std::size_t length : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 31, 32, 40})
    for (std::size_t n : {1, 7, 8, 9, 15, 16, 17, 36}) {
      CAPTURE(length, n);
      const rows_of<float> in(n, length);
      check_compiled<dynamic_extents>(everything, 3e-5, in.x, in.s, in.weight, in.label);
      check_compiled<dynamic_extents>(slopes, 3e-5, in.x, in.s, in.weight, in.label);
    }
}

/// What belongs to pairs of points: their distances, and what each point gets from all others on either side.
TEST_CASE("neighbours add to rows of their own") {
  constexpr auto pairs = [](auto x) {
    const auto apart = [](auto p) {
      return pm::expand_dims(p, {.axes = {1}}) - pm::expand_dims(p, {.axes = {0}});
    };
    const auto d = apart(x);
    const auto energy = [apart](auto p) {
      const auto e = apart(p);
      return pm::sum(1 / (pm::sum(e * e, {.axes = {2}}) + 1));
    };
    return std::tuple(pm::sum(d * d, {.axes = {2}}), pm::max(d * d, {.axes = {0}}),
                      pm::min(d - d * d, {.axes = {1}}), pm::grad<0>(energy)(x));
  };
  for (std::size_t length : {1, 2, 3, 5, 8, 17, 33})
    for (std::size_t n : {1, 5, 8, 13, 16, 17, 35}) {
      CAPTURE(length, n);
      check_compiled<dynamic_extents>(pairs, 2e-5, sample<float, 2>({n, length}, 98));
      check_compiled<dynamic_extents>(pairs, 1e-13, sample<double, 2>({n, length}, 99));
    }
}

TEST_CASE("short rows of a known length") {
  check_known_length<float, 2>();
  check_known_length<float, 3>();
  check_known_length<float, 8>();
  check_known_length<float, 17>();
  check_known_length<double, 5>();
}

TEST_CASE("no rows are no rows") {
  const auto x = xt::xtensor<float, 2>::from_shape({0, 8});
  const auto y = pm::compile<pm::array<float, pm::dyn, 8>>(
      [](auto a) { return std::tuple(pm::softmax(a), pm::sum(a, {0})); })(x);
  CHECK(std::get<0>(y).shape(0) == 0);
  for (float e : std::get<1>(y)) CHECK(e == 0);
}

TEST_CASE("NaN stays in its row, in every lane") {
  constexpr std::size_t n = 35, length = 6;
  using rows = pm::array<float, pm::dyn, 6>;
  constexpr auto model = [](auto x) { return std::tuple(pm::max(x, {1}), pm::softmax(x)); };
  for (std::size_t i = 0; i < n; ++i) {
    auto x = sample<float, 2>({n, length}, 92);
    x(i, i % length) = std::numeric_limits<float>::quiet_NaN();
    const auto [highest, y] = pm::compile<rows>(model)(x);
    for (std::size_t r = 0; r < n; ++r) {
      CAPTURE(i, r);
      CHECK(std::isnan(highest(r)) == (r == i));
      CHECK(std::isnan(y(r, (i + 1) % length)) == (r == i));
    }
  }
}

TEST_CASE("rows along an axis in the middle") {
  constexpr auto along = [](auto x) {
    const auto centred = x - pm::mean(x, {.axes = {1}, .keepdims = true});
    return std::tuple(
        pm::softmax(x, {1}), pm::sum(x, {1}), pm::max(x, {1}),
        centred * pm::rsqrt(pm::mean(pm::square(centred), {.axes = {1}, .keepdims = true}) + 1e-5),
        pm::logsumexp(x, {.axes = {1}}));
  };
  constexpr auto turned = [](auto x) {
    const auto t = pm::transpose(x, {0, 2, 1});
    const auto centred = t - pm::mean(t, {.axes = {2}, .keepdims = true});
    const auto back = [](auto y) { return pm::transpose(y, {0, 2, 1}); };
    return std::tuple(
        back(pm::softmax(t, {2})), pm::sum(t, {2}), pm::max(t, {2}),
        back(centred *
             pm::rsqrt(pm::mean(pm::square(centred), {.axes = {2}, .keepdims = true}) + 1e-5)),
        pm::logsumexp(t, {.axes = {2}}));
  };
  constexpr auto slope = [](auto x) {
    return pm::grad<0>([](auto y) { return pm::sum(pm::square(pm::softmax(y, {1}))); })(x);
  };
  for (std::size_t n = 1; n <= 40; n += n < 18 ? 1 : 5) {
    CAPTURE(n);
    const auto x = sample<float, 3>({3, 7, n}, 93);
    check_leaves(pm::compile(along)(x), pm::compile(turned)(x));
    check_compiled<dynamic_extents>(slope, 1e-5, x);
  }
  // Long enough for sums to be put away on the way.
  const auto x = sample<float, 3>({2, 700, 17}, 94);
  check_leaves(pm::compile(along)(x), pm::compile(turned)(x));
}

TEST_CASE("several bundles add up side by side") {
  constexpr auto sums = [](auto x) {
    return std::tuple(pm::sum(x * x, {1}), pm::max(x, {1}), pm::sum(x, {1}));
  };
  for (const std::size_t n : {31, 32, 33, 63, 64, 65, 79, 80, 129, 150})
    for (const std::size_t length : {7, 300}) {
      CAPTURE(n, length);
      const auto x = sample<float, 3>({3, length, n}, 96);
      check_compiled<dynamic_extents>(sums, 1e-5, x);
      check_compiled<dynamic_extents>([](auto y) { return pm::sum(y, {1}); }, 1e-5, x);
      const auto y = sample<double, 3>({2, length, n}, 97);
      check_compiled<dynamic_extents>(sums, 1e-13, y);
    }
}

TEST_CASE("columns of a known, small number are rows of lanes") {
  using matrix = pm::array<double, 9, 21>;
  constexpr auto model = [](auto x) { return pm::softmax(x, {0}); };
  static_assert(pm::plan_summary<matrix>(model).kernels == 1);
  const auto x = sample<double, 2>({9, 21}, 95);
  const auto y = pm::compile<matrix>(model)(x);
  for (std::size_t j = 0; j < 21; ++j) {
    double total = 0;
    for (std::size_t i = 0; i < 9; ++i) total += std::exp(x(i, j));
    for (std::size_t i = 0; i < 9; ++i)
      CHECK(y(i, j) == Approx(std::exp(x(i, j)) / total).epsilon(1e-13));
  }
}
