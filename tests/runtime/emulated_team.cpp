// The lanes of a CUDA block, one after the other on the CPU, give what the interpreter and the SIMD team give,
// whatever the order in which they run, and wherever a row is held between its sweeps.
// test: sanitize-long
#include <support/lanes.hpp>

#include <cstdint>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 3e-5;

/// Every tail, and rows longer than all lanes together.
template <class F> void for_each_length(const F& f) {
  for (std::size_t n = 1; n <= 70; n += n < 20 ? 1 : 5) f(n);
  f(768);
}

xt::xtensor<std::int32_t, 1> labels(std::size_t rows, std::size_t classes) {
  auto t = xt::xtensor<std::int32_t, 1>::from_shape({rows});
  for (std::size_t i = 0; i < rows; ++i) t(i) = static_cast<std::int32_t>(i * 7 % classes);
  return t;
}

}  // namespace

TEST_CASE("layer_norm, forwards and with its gradient, on lanes") {
  for_each_length([](std::size_t n) {
    CAPTURE(n);
    const auto x = sample<float, 2>({5, n}, 1), dy = sample<float, 2>({5, n}, 2);
    const auto g = sample<float, 1>({n}, 3), b = sample<float, 1>({n}, 4);
    const auto normed = [](auto p, auto q, auto r) {
      return pm::layer_norm(p, q, r, {.epsilon = 1e-2});
    };
    agrees(normed, tolerance, x, g, b);
    agrees_on_warps(
        [](auto p, auto q, auto r, auto ct) {
          return pm::value_and_grad<0, 1, 2>([ct](auto s, auto t, auto u) {
            return pm::sum(pm::layer_norm(s, t, u, {.epsilon = 1e-2}) * ct);
          })(p, q, r);
        },
        1e-4, x, g, b, dy);
  });
}

TEST_CASE("one lane, one warp and many warps on lanes") {
  for (std::size_t n : {1u, 31u, 32u, 100u, 768u}) {
    CAPTURE(n);
    const auto x = sample<float, 2>({3, n}, 5), dy = sample<float, 2>({3, n}, 6);
    const auto f = [](auto p, auto ct) {
      return pm::vjp<0>([](auto s) { return pm::softmax(s); })(p, ct);
    };
    on_team<pm::emulated<1, 1>>::agrees(f, tolerance, x, dy);
    on_team<pm::emulated<32, 4>>::agrees(f, tolerance, x, dy);
    on_team<pm::emulated<256, 1>>::agrees(f, tolerance, x, dy);
  }
}

TEST_CASE("softmax, cross_entropy and gelu with their gradients on lanes") {
  for_each_length([](std::size_t n) {
    CAPTURE(n);
    const auto x = sample<float, 2>({9, n}, 7, -4, 4), dy = sample<float, 2>({9, n}, 8);
    agrees([](auto p, auto ct) { return pm::vjp<0>([](auto s) { return pm::softmax(s); })(p, ct); },
           tolerance, x, dy);
    agrees_on_warps(
        [](auto p, auto t) {
          return pm::value_and_grad<0>([](auto s, auto u) { return pm::cross_entropy(s, u); })(p,
                                                                                               t);
        },
        tolerance, x, labels(9, n));
    agrees([](auto p, auto ct) { return pm::vjp<0>([](auto s) { return pm::gelu(s); })(p, ct); },
           tolerance, x, dy);
  });
}

TEST_CASE("reductions over every set of axes on lanes") {
  for (std::array<std::size_t, 3> shape :
       {std::array<std::size_t, 3>{3, 4, 5}, {2, 37, 70}, {40, 3, 9}, {1, 1, 300}, {130, 2, 1}}) {
    CAPTURE(shape[0], shape[1], shape[2]);
    const auto x = sample<float, 3>(shape, 9);
    agrees(sums_over_axes, 1e-4, x);
    agrees_on_warps(
        [](auto a) {
          return std::tuple(pm::max(a, {.axes = 0}), pm::min(a, {.axes = 1}), pm::max(a),
                            pm::mean(a * a, {.axes = {0, 1}}));
        },
        1e-4, x);
    agrees(
        [](auto a) { return std::tuple(pm::argmax(a, {.axis = 1}), pm::argmin(a, {.axis = -1})); },
        0, x);
    agrees([](auto a) { return pm::softmax(a, {.axis = 1}); }, tolerance, x);
  }
}

TEST_CASE("few long rows are cut into columns on lanes") {
  const auto x = sample<float, 2>({3, 1000}, 10);
  const auto row = sample<float, 1>({1000}, 11);
  agrees([](auto a, auto r) { return std::tuple(a * r + pm::exp(a), pm::sum(a * r, {.axes = 0})); },
         tolerance, x, row);
  const auto wide = sample<float, 3>({2, 3, 500}, 12);
  agrees(
      [](auto a) {
        return std::tuple(pm::sum(a, {.axes = 1}), pm::sum(a, {.axes = 0}),
                          pm::max(a, {.axes = {0, 1}}));
      },
      tolerance, wide);
  const auto line = sample<float, 1>({5000}, 13);
  agrees([](auto a) { return std::tuple(pm::sum(a), pm::max(a), pm::mean(a * a), a + 1); }, 1e-4,
         line);
}

TEST_CASE("transposes, slices, joining and padding on lanes") {
  for (std::size_t n : {1u, 2u, 6u, 33u}) {
    CAPTURE(n);
    const auto x = sample<float, 3>({3, 4, n}, 14);
    agrees(
        [](auto a) {
          auto t = pm::exp(a);
          return std::tuple(pm::transpose(a, {1, 0, 2}) + 1, pm::transpose(t),
                            pm::reshape(pm::transpose(a), {-1}), t(pm::all, pm::range(1, -1)) + 1,
                            pm::concat({a * 2, t, a}, {.axis = 2}),
                            pm::pad(a, {.low = {1, 0, 2}, .high = {0, 3, 1}, .value = 7}) * 2);
        },
        tolerance, x);
    agrees(
        [](auto a) {
          return pm::concat({pm::sum(a, {.axes = 0}), pm::sum(a, {.axes = 1}),
                             pm::sum(a, {.axes = {0, 1}, .keepdims = true})(0)});
        },
        tolerance, x);
  }
  const auto y = sample<float, 2>({5, 4}, 15);
  agrees(
      [](auto a) {
        return pm::grad<0>(
            [](auto p) { return pm::sum(pm::square(p(pm::range(1, 3), pm::range(0, 4, 2)))); })(a);
      },
      tolerance, y);
}

TEST_CASE("other dtypes on lanes") {
  for (std::size_t n : {1u, 11u, 70u}) {
    CAPTURE(n);
    const auto d = sample<double, 2>({3, n}, 19);
    const auto i = sample<std::int32_t, 2>({3, n}, 20, -9, 9);
    const auto f = sample<float, 2>({3, n}, 21);
    agrees([](auto x) { return std::tuple(pm::softmax(x), pm::sum(x), pm::exp(x)); }, 1e-12, d);
    agrees(
        [](auto x) {
          return std::tuple(x * 2 + 1, pm::sum(x), pm::sum(x, {.axes = 0}), x / 2, x % 3,
                            pm::max(x, {.axes = 1}), x > 2);
        },
        1e-6, i);
    agrees(
        [](auto x, auto y, auto z) {
          return std::tuple(x + y, y + z, pm::cast<double>(z), pm::sum(z > 0, {.axes = 1}),
                            pm::any(z > 1), pm::sum(x * z, {.axes = 0}));
        },
        1e-6, d, i, f);
    agrees(
        [](auto z) {
          auto h = pm::cast<pm::float16>(z);
          return std::tuple(pm::cast<float>(h * h + 1), pm::cast<float>(pm::softmax(h)),
                            pm::cast<float>(pm::sum(h, {.axes = 0})));
        },
        2e-3, f);
    const auto small = sample<std::int8_t, 1>({n}, 22, -100, 100);
    agrees(
        [](auto x) { return std::tuple(pm::sum(x), pm::maximum(x, 3), pm::cast<float>(x) * 0.5); },
        1e-6, small);
  }
}

TEST_CASE("numbers, no elements and one element on lanes") {
  agrees([](auto x) { return std::tuple(x * 2, pm::exp(x), pm::sum(x)); }, tolerance, 1.5f);
  const auto f = [](auto x) {
    return std::tuple(x + 1, pm::sum(x), pm::sum(x, {.axes = 0}), pm::sum(x, {.axes = 1}));
  };
  agrees(f, tolerance, sample<float, 2>({0, 4}, 23));
  agrees(f, tolerance, sample<float, 2>({4, 0}, 24));
  agrees([](auto x) { return std::tuple(pm::softmax(x), pm::layer_norm(x), pm::sum(x)); },
         tolerance, sample<float, 2>({1, 1}, 25));
}

TEST_CASE("a NaN in any lane comes out of maxima and sums on lanes") {
  const auto f = [](auto x) { return std::tuple(pm::max(x), pm::min(x), pm::sum(x)); };
  for (std::size_t n : {1u, 5u, 33u, 70u})
    for (std::size_t at = 0; at < n; ++at) {
      auto x = sample<float, 1>({n}, 26);
      x(at) = std::numeric_limits<float>::quiet_NaN();
      for (const auto& result : leaves(pm::compile(f, pm::emulated<4, 2>{})(x)))
        CHECK(std::isnan(result.values[0]));
    }
}

TEST_CASE("outputs may lie where inputs do on lanes") {
  const auto f = [](auto x, auto scale) {
    return std::tuple(x * pm::reshape(scale, {-1, 1}), scale + 1, pm::softmax(x));
  };
  auto x = sample<float, 2>({6, 37}, 29), y = x;
  auto scale = sample<float, 1>({6}, 30);
  const auto expected = leaves(pm::compile(f)(x, scale));
  pm::compile(f, pm::emulated<4, 2>{}).into(x, scale, y)(x, scale);
  CHECK(distance(to_dense(x), expected[0], tolerance) <= tolerance);
  CHECK(distance(to_dense(scale), expected[1], tolerance) <= tolerance);
  CHECK(distance(to_dense(y), expected[2], tolerance) <= tolerance);
}

TEST_CASE("extents known at compile time on lanes") {
  using array = pm::array<float, pm::dyn, 48>;
  const auto f = [](auto p, auto ct) {
    return pm::vjp<0>([](auto s) { return pm::layer_norm(s, {.epsilon = 1e-2}); })(p, ct);
  };
  const auto x = sample<float, 2>({7, 48}, 27), dy = sample<float, 2>({7, 48}, 28);
  const auto expected = leaves(pm::compile(f)(x, dy));
  const auto whole = leaves(pm::compile<array, array>(f, pm::emulated<8, 2>{})(x, dy));
  const auto with_tails = leaves(pm::compile<array, array>(f, pm::emulated<8, 5>{})(x, dy));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(distance(whole[i], expected[i], tolerance) <= tolerance);
    CHECK(distance(with_tails[i], expected[i], tolerance) <= tolerance);
  }
}

TEST_CASE("products that add a bias and take gelu on lanes") {
  const auto layer = [](auto p, auto w, auto b) { return pm::matmul(p, w) + b; };
  const auto w = sample<float, 2>({12, 16}, 37);
  const auto b = sample<float, 1>({16}, 38);
  agrees(layer, tolerance, sample<float, 2>({8, 12}, 39), w, b);
  agrees(layer, tolerance, sample<float, 3>({2, 3, 12}, 40), w, b);
  agrees(
      [](auto p, auto q, auto r) {
        auto y = pm::matmul(p, q) + r;
        return pm::concat({p, y, y}, {.axis = 1});
      },
      tolerance, sample<float, 2>({8, 12}, 41), w, b);
  // gelu, of the sum and of the product alone.
  const auto activated = [](auto p, auto q, auto r) {
    return pm::gelu(pm::matmul(p, q) + r, {.approximate = pm::approximation::tanh});
  };
  agrees(activated, tolerance, sample<float, 2>({8, 12}, 45), w, b);
  agrees(activated, tolerance, sample<float, 3>({2, 3, 12}, 46), w, b);
  agrees(
      [](auto p, auto q) {
        return pm::gelu(pm::matmul(p, q), {.approximate = pm::approximation::tanh});
      },
      tolerance, sample<float, 2>({8, 12}, 47), w);
  // The bias is read last by the product, which writes a result of its own.
  auto c = sample<float, 1>({1}, 42);
  const auto x = sample<float, 2>({1, 12}, 43), v = sample<float, 2>({12, 1}, 44);
  const auto expected = leaves(pm::compile(layer)(x, v, c));
  auto y = xt::xtensor<float, 2>::from_shape({1, 1});
  pm::compile(layer, pm::emulated<4, 2>{}).into(y)(x, v, c);
  CHECK(distance(to_dense(y), expected[0], tolerance) <= tolerance);
}

TEST_CASE("a network and its gradient on lanes") {
  const auto x = sample<float, 2>({8, 12}, 32), w = sample<float, 2>({12, 16}, 33),
             v = sample<float, 2>({16, 5}, 34);
  const auto b = sample<float, 1>({16}, 35), c = sample<float, 1>({5}, 36);
  agrees(
      [](auto in, auto w1, auto b1, auto w2, auto b2, auto target) {
        return pm::value_and_grad<1, 2, 3, 4>([](auto p, auto q, auto r, auto s, auto u, auto y) {
          auto h = pm::gelu(pm::layer_norm(pm::matmul(p, q) + r));
          return pm::cross_entropy(pm::matmul(h, s) + u, y);
        })(in, w1, b1, w2, b2, target);
      },
      1e-4, x, w, b, v, c, labels(8, 5));
}
