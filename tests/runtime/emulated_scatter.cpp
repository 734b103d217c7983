// What is added at places that an index says, on the lanes of a CUDA block: the same bits in whatever order blocks and
// lanes run, because what meets at one place is added by one lane.
// test: sanitize-long
#include <support/lanes.hpp>

#include <cstdint>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 1e-5;

/// Indices below `count`, some negative, of which many are the same.
template <std::size_t Rank>
xt::xtensor<std::int32_t, Rank> places(const std::array<std::size_t, Rank>& shape, int count) {
  auto index = xt::xtensor<std::int32_t, Rank>::from_shape(shape);
  for (std::size_t i = 0; i < index.size(); ++i) {
    const int place = static_cast<int>(i * i * 7 + i * 3) % count;
    index.data()[i] = i % 3 == 0 ? place - count : place;
  }
  return index;
}

constexpr auto embedding_gradient = [](auto table, auto rows, auto ct) {
  return pm::vjp<0>([rows](auto t) { return pm::embedding(rows, t); })(table, ct);
};
template <int Axis>
constexpr auto take_gradient = [](auto x, auto index, auto ct) {
  return pm::vjp<0>([index](auto p) { return pm::take_along_axis(p, index, {.axis = Axis}); })(x,
                                                                                               ct);
};
template <class F, class... X> void agrees_everywhere(const F& f, const X&... x) {
  agrees_on_warps(f, tolerance, x...);
  on_team<pm::emulated<1, 1>>::agrees(f, tolerance, x...);
}

}  // namespace

TEST_CASE("rows of a table that many tokens use, on lanes") {
  for (const auto& [tokens, words, width] :
       {std::array<std::size_t, 3>{1, 1, 1}, {6, 5, 7}, {50, 3, 33}, {40, 90, 300}, {70, 2, 2}}) {
    CAPTURE(tokens, words, width);
    agrees_everywhere(embedding_gradient, sample<float, 2>({words, width}, 1),
                      places<1>({tokens}, static_cast<int>(words)),
                      sample<float, 2>({tokens, width}, 2));
  }
}

TEST_CASE("indices of several axes, on lanes") {
  agrees_everywhere(embedding_gradient, sample<float, 2>({5, 20}, 3), places<2>({4, 9}, 5),
                    sample<float, 3>({4, 9, 20}, 4));
}

TEST_CASE("places that differ along all axes, on lanes") {
  const auto x = sample<float, 3>({4, 6, 9}, 5);
  agrees_everywhere(take_gradient<0>, x, places<3>({13, 6, 9}, 4), sample<float, 3>({13, 6, 9}, 6));
  agrees_everywhere(take_gradient<1>, x, places<3>({4, 13, 9}, 6), sample<float, 3>({4, 13, 9}, 7));
  agrees_everywhere(take_gradient<2>, x, places<3>({4, 6, 50}, 9), sample<float, 3>({4, 6, 50}, 8));
}

TEST_CASE("elements of one axis, on lanes") {
  for (std::size_t n : {1u, 30u, 700u})
    agrees_everywhere(take_gradient<0>, sample<float, 1>({11}, 9), places<1>({n}, 11),
                      sample<float, 1>({n}, 10));
}

TEST_CASE("what is scattered beside other results, on lanes") {
  const auto x = sample<float, 2>({5, 7}, 11), ct = sample<float, 2>({5, 40}, 12);
  const auto index = places<2>({5, 40}, 7);
  // The updates are softmax's, and are stored and added up as well.
  agrees_everywhere(
      [](auto a, auto i, auto c) {
        auto y = pm::softmax(c);
        return std::tuple(pm::scatter_add(a, i, y), y, pm::sum(y, {.axes = 0}),
                          pm::sum(y * c, {.axes = 1}));
      },
      x, index, ct);
  const auto rows = places<1>({6}, 5);
  agrees_everywhere(
      [](auto table, auto r) {
        return pm::value_and_grad<0>(
            [r](auto t) { return pm::sum(pm::square(pm::embedding(r, t))); })(table);
      },
      x, rows);
}

TEST_CASE("integers and numbers of other widths are scattered, on lanes") {
  const auto index = places<2>({5, 40}, 7);
  const auto scattered = [](auto a, auto i, auto c) { return pm::scatter_add(a, i, c); };
  agrees_everywhere(scattered, sample<double, 2>({5, 7}, 13), index,
                    sample<double, 2>({5, 40}, 14));
  agrees_everywhere(scattered, sample<std::int32_t, 2>({5, 7}, 15, -9, 9), index,
                    sample<std::int32_t, 2>({5, 40}, 16, -9, 9));
}

TEST_CASE("an index out of range is an error on lanes too") {
  const auto x = sample<float, 2>({5, 7}, 18);
  const xt::xtensor<std::int32_t, 1> rows{1, 5};
  const auto f = [](auto t, auto r) { return pm::embedding(r, t); };
  CHECK_THROWS_AS(pm::compile(f, pm::emulated<4, 2>{})(x, rows), pm::index_error);
}
