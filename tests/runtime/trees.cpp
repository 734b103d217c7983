// Parameters as structs and other trees: into a model, and back in the same kind.
// test: sanitize
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using pm::test::close;
using pm::test::same;

namespace {

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<A>, first), (linear<A>, second));
};
template <template <std::size_t> class A> struct scaled {
  BOOST_HANA_DEFINE_STRUCT(scaled, (linear<A>, layer), (A<0>, scale));
};

template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;
template <std::size_t Rank> using f64 = xt::xtensor<double, Rank>;

inline constexpr auto apply = [](auto p, auto x) { return pm::matmul(x, p.w) + p.b; };
inline constexpr auto net = [](auto p, auto x) {
  return pm::sum(apply(p.second, pm::tanh(apply(p.first, x))));
};

template <template <std::size_t> class A> mlp<A> parameters() {
  return {{{{1, 2}, {3, 4}}, {5, 6}}, {{{1}, {2}}, {3}}};
}

}  // namespace

TEST_CASE("the gradient of a struct is a struct of the same kind") {
  const auto p = parameters<f32>();
  const f32<2> x{{0, 0}};
  const auto g = pm::grad(net)(p, x);
  STATIC_REQUIRE(std::is_same_v<decltype(g), const mlp<f32>>);
  CHECK(same(g.second.b, f32<1>{1}));
  CHECK(close(g.second.w, f32<2>{{std::tanh(5.0f)}, {std::tanh(6.0f)}}));
  CHECK(same(g.first.w, f32<2>{{0, 0}, {0, 0}}));
  const auto g64 = pm::grad(net)(parameters<f64>(), f64<2>{{0, 0}});
  STATIC_REQUIRE(std::is_same_v<decltype(g64), const mlp<f64>>);
}

TEST_CASE("a model may return a struct that no argument has") {
  const auto split = [](auto w, auto b) { return linear<pm::symbolic>{w * 2, b * 3}; };
  const auto p = pm::compile(split)(f32<2>{{1, 2}}, f32<1>{1, 2});
  CHECK(same(p.w, f32<2>{{2, 4}}));
  CHECK(same(p.b, f32<1>{3, 6}));
}

TEST_CASE("a part of an argument comes back as a struct of its kind of arrays") {
  const auto p = pm::compile([](auto q) { return q.first; })(parameters<f32>());
  STATIC_REQUIRE(std::is_same_v<decltype(p), const linear<f32>>);
  CHECK(same(p.b, f32<1>{5, 6}));
}

TEST_CASE("a leaf of rank 0 stays the array that the struct holds") {
  const scaled<f64> p{{{{1, 2}}, {3, 4}}, f64<0>(2.0)};
  const auto g = pm::grad([](auto q) { return pm::sum(q.layer.w) * q.scale; })(p);
  STATIC_REQUIRE(std::is_same_v<decltype(g), const scaled<f64>>);
  CHECK(g.scale() == 3);
  CHECK(same(g.layer.w, f64<2>{{2, 2}}));
}

TEST_CASE("arrays of layers, tuples and pairs are trees") {
  const std::array<linear<f32>, 2> layers{linear<f32>{{{1, 0}, {0, 1}}, {1, 1}},
                                          linear<f32>{{{2, 0}, {0, 2}}, {0, 0}}};
  const auto deep = [](auto p, auto x) {
    for (const auto& layer : p) x = apply(layer, x);
    return pm::sum(x);
  };
  const auto g = pm::grad(deep)(layers, f32<2>{{1, 2}});
  STATIC_REQUIRE(std::is_same_v<decltype(g), const std::array<linear<f32>, 2>>);
  CHECK(same(g[0].b, f32<1>{2, 2}));
  CHECK(same(g[1].w, f32<2>{{2, 2}, {3, 3}}));

  const std::pair<f32<1>, std::tuple<f32<1>, float>> tree{{1, 2}, {{3, 4}, 5.0f}};
  const auto from_tree = pm::grad([](auto p) {
    return pm::sum(p.first * std::get<0>(p.second)) * std::get<1>(p.second);
  })(tree);
  STATIC_REQUIRE(
      std::is_same_v<decltype(from_tree), const std::pair<f32<1>, std::tuple<f32<1>, float>>>);
  CHECK(same(from_tree.first, f32<1>{15, 20}));
  CHECK(std::get<1>(from_tree.second) == 11);

  const auto from_hana = pm::grad([](auto p) { return pm::sum(p[boost::hana::size_c<0>] * 2); })(
      boost::hana::make_tuple(f32<1>{1, 2}));
  CHECK(same(from_hana[boost::hana::size_c<0>], f32<1>{2, 2}));
}

TEST_CASE("results of different types come back as a tuple") {
  const auto [n, mean] = pm::compile(
      [](auto x) { return std::array<pm::tensor, 2>{pm::sum(x > 0), pm::sum(x)}; })(f32<1>{1, 2});
  CHECK(n == 2);
  CHECK(mean == 3);
}

TEST_CASE("a struct is written into in place") {
  auto p = parameters<f32>();
  const auto doubled = [](auto q) {
    auto next = q;
    next.first.w = q.first.w * 2;
    return next;
  };
  pm::compile(doubled).into(p)(p);
  CHECK(same(p.first.w, f32<2>{{2, 4}, {6, 8}}));
  CHECK(same(p.second.w, f32<2>{{1}, {2}}));
}

TEST_CASE("a training step of a struct is one program") {
  const auto step = [](auto p, auto m, auto v, auto t, auto x) {
    auto [value, g] = pm::value_and_grad<0>(net)(p, x);
    auto [p2, m2, v2] = pm::adam(p, g, m, v, t, {.learning_rate = 1e-3});
    return std::tuple(value, p2, m2, v2);
  };
  const auto p = parameters<f32>();
  const auto zero = pm::compile([](auto q) {
    pm::for_each_leaf(q, [](pm::tensor& x) { x = pm::zeros_like(x); });
    return q;
  })(p);
  const auto [value, p2, m2, v2] = pm::compile(step)(p, zero, zero, 1.0f, f32<2>{{1, 1}});
  STATIC_REQUIRE(std::is_same_v<decltype(p2), const mlp<f32>>);
  CHECK(close(p2.second.b, f32<1>{3 - 1e-3f}, 1e-5));
  CHECK(close(m2.second.b, f32<1>{0.1f}, 1e-5));
  CHECK(close(v2.second.b, f32<1>{0.001f}, 1e-5));
  CHECK(value > 5);
}

TEST_CASE("adam of doubles counts its steps in double") {
  const double p = 1, g = 3, m = 0.5, v = 0.25;
  const auto next = pm::compile([](auto... x) { return pm::adam_update(x...); })(p, g, m, v, 3);
  const double m2 = 0.9 * m + 0.1 * g, v2 = 0.999 * v + 0.001 * g * g;
  const double rate = 1e-3 / (1 - std::pow(0.9, 3));
  const double root = std::sqrt(v2 / (1 - std::pow(0.999, 3))) + 1e-8;
  CHECK(std::abs(next[0] - (p - rate * m2 / root)) < 1e-14);
}
