// Kernels on the CPU give what the interpreter gives: every pattern of fusion.
// test: sanitize-long
#include <support/kernels.hpp>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 2e-5;

/// Two heads: rows of tokens and of heads are exchanged before and after.
constexpr auto attention = [](auto x, auto w) {
  const auto heads = [&](int i) {
    const auto y = pm::matmul(x, w(i));
    return pm::transpose(pm::reshape(y, {y.extent(0), y.extent(1), 2, 3}), {0, 2, 1, 3});
  };
  const auto weights = pm::softmax(pm::matmul(heads(0), pm::transpose(heads(1), {0, 1, 3, 2})));
  return pm::reshape(pm::transpose(pm::matmul(weights, heads(2)), {0, 2, 1, 3}), x.shape());
};

}  // namespace

TEST_CASE("long chains, whose pieces pass through statements together") {
  constexpr auto chain = [](auto x, auto y) {
    auto t = x;
    for (int i = 0; i < 15; ++i) t = pm::minimum(pm::maximum(t * y + x, y) - x, x);
    return std::tuple(t - y, t);
  };
  for (std::size_t n = 1; n <= 150; n += n < 20 ? 1 : 13) {
    CAPTURE(n);
    const auto x = sample<float, 2>({3, n}, 12), y = sample<float, 2>({3, n}, 13, -0.9, 0.9);
    same_as_interpreter(chain, tolerance, x, y);
    auto first = x, second = y;
    pm::compile(chain).into(first, second)(first, second);
    CHECK(std::tuple(first, second) == pm::compile(chain)(x, y));
  }
}

TEST_CASE("reductions over every set of axes") {
  const auto x = sample<float, 3>({3, 4, 5}, 5);
  same_as_interpreter(sums_over_axes, tolerance, x);
  same_as_interpreter(
      [](auto a) {
        return std::tuple(pm::max(a, {.axes = 0}), pm::min(a, {.axes = 1}), pm::max(a),
                          pm::prod(a, {.axes = 2}), pm::mean(a, {.axes = {0, 1}}));
      },
      tolerance, x);
  same_as_interpreter(
      [](auto a) {
        return std::tuple(pm::argmax(a, {.axis = 1}), pm::argmin(a, {.axis = -1}), pm::argmax(a));
      },
      0, x);
}

TEST_CASE("sums of rows that do not lie in rows") {
  constexpr auto sums = [](auto a, auto b) {
    const auto s = pm::sum(a, {.axes = 0}), t = pm::sum(b, {.axes = 0});
    return std::tuple(pm::transpose(s), pm::transpose(s) + 1, pm::stack({s, t}, {.axis = -1}),
                      pm::transpose(pm::max(a * b, {.axes = 0})),
                      pm::transpose(pm::sum(a, {.axes = 1})));
  };
  for (std::size_t rows : {1, 3, 70}) {
    CAPTURE(rows);
    same_as_interpreter(sums, tolerance, sample<float, 3>({rows, 4, 19}, 60),
                        sample<float, 3>({rows, 4, 19}, 61));
  }
  same_as_interpreter(pm::grad([](auto a) {
                        const auto y = pm::matmul(a(pm::all, pm::newaxis),
                                                  pm::transpose(a, {0, 2, 1})(pm::newaxis));
                        return pm::sum(y * y);
                      }),
                      tolerance, sample<float, 3>({2, 3, 4}, 62));
}

TEST_CASE("softmax over other axes") {
  const auto x = sample<float, 3>({4, 6, 5}, 12);
  same_as_interpreter(
      [](auto a) {
        return std::tuple(pm::softmax(a, {.axis = 0}), pm::softmax(a, {.axis = 1}),
                          pm::log_softmax(a, {.axis = -1}));
      },
      tolerance, x);
}

TEST_CASE("views: transposes, slices, reshapes, repetitions") {
  const auto x = sample<float, 3>({3, 4, 6}, 14);
  same_as_interpreter(
      [](auto a) {
        return std::tuple(pm::transpose(a, {1, 0, 2}) + 1, pm::transpose(a),
                          pm::reshape(a, {12, 6}) * 2, pm::reshape(pm::transpose(a), {-1}),
                          a(pm::all, pm::range(1, -1), pm::range(0, 6, 2)) + 1,
                          pm::broadcast_to(pm::sum(a, {.axes = 0}), {2, 4, 6}));
      },
      tolerance, x);
  same_as_interpreter(
      [](auto a) {
        auto t = pm::exp(a);
        return t + pm::reshape(pm::transpose(t, {2, 1, 0}), {3, 4, 6});
      },
      tolerance, x);
  const auto square = sample<float, 2>({5, 5}, 15);
  same_as_interpreter(
      [](auto a) {
        auto t = a * 2;
        return t + pm::transpose(t);
      },
      tolerance, square);
}

TEST_CASE("joining and padding") {
  const auto x = sample<float, 2>({3, 4}, 16), y = sample<float, 2>({3, 2}, 17);
  same_as_interpreter([](auto a, auto b) { return pm::concat({a * 2, b, a}, {.axis = 1}); },
                      tolerance, x, y);
  same_as_interpreter(
      [](auto a, auto b) { return pm::concat({pm::sum(a, {.axes = 0}), pm::sum(b, {.axes = 0})}); },
      tolerance, x, y);
  same_as_interpreter(
      [](auto a) { return pm::pad(a, {.low = {1, 0}, .high = {2, 3}, .value = 7}) * 2; }, tolerance,
      x);
  same_as_interpreter(
      [](auto a) {
        return pm::grad<0>(
            [](auto p) { return pm::sum(pm::square(p(pm::range(1, 3), pm::range(0, 4, 2)))); })(a);
      },
      tolerance, x);
  same_as_interpreter(
      [](auto a, auto b) { return pm::stack({a, a + 1}, {.axis = 1})(pm::all, 0) + pm::sum(b); },
      tolerance, x, y);
  for (std::size_t n : {1u, 5u, 8u})
    same_as_interpreter(
        [](auto a) {
          return pm::grad([](auto p) {
            const auto e = p.extent(0);
            const auto padded = pm::pad(p, {.high = {(e + 3) / 4 * 4 - e}, .value = 2});
            return pm::sum(padded * padded * padded);
          })(a);
        },
        tolerance, sample<float, 1>({n}, 43));
}

TEST_CASE("slopes of products of short and long rows") {
  for (std::size_t n : {1u, 32u, 33u, 100u}) {
    auto x = sample<float, 2>({3, n}, 44, 0.5, 1.5);
    x(1, n / 2) = 0;
    same_as_interpreter(
        [](auto a) {
          return pm::grad([](auto p) { return pm::sum(pm::prod(p, {.axes = 1})); })(a);
        },
        tolerance, x);
  }
}

TEST_CASE("gathering and scattering") {
  const auto x = sample<float, 2>({5, 7}, 18);
  auto index = xt::xtensor<std::int64_t, 2>::from_shape({5, 3});
  for (std::size_t i = 0; i < 15; ++i)
    index.data()[i] = static_cast<std::int64_t>((i * 5) % 7) - (i % 2 ? 7 : 0);
  const auto ct = sample<float, 2>({5, 3}, 19);
  same_as_interpreter(
      [](auto a, auto i, auto c) {
        return pm::vjp<0>([i](auto p) { return pm::take_along_axis(p, i); })(a, c);
      },
      tolerance, x, index, ct);
  auto rows = xt::xtensor<std::int32_t, 1>::from_shape({6});
  for (std::size_t i = 0; i < 6; ++i) rows(i) = static_cast<std::int32_t>((i * i) % 5);
  same_as_interpreter(
      [](auto table, auto r) {
        return pm::value_and_grad<0>(
            [r](auto t) { return pm::sum(pm::square(pm::embedding(r, t))); })(table);
      },
      tolerance, x, rows);
}

TEST_CASE("one value is scattered to many places") {
  const auto table = sample<float, 2>({5, 4}, 50);
  const xt::xtensor<int, 1> rows = {0, 3, 3, -1};
  same_as_interpreter(pm::grad([](auto t, auto i) { return pm::sum(pm::take(t, i)); }), tolerance,
                      table, rows);
  same_as_interpreter(pm::grad([](auto t) { return pm::sum(pm::take(t, pm::argmax(t))); }),
                      tolerance, table);
}

TEST_CASE("one element per row or column of what broadcasts") {
  const auto a = sample<float, 2>({4, 9}, 40);
  const auto row = sample<float, 1>({9}, 41), column = sample<float, 1>({4}, 42);
  const xt::xtensor<std::int32_t, 1> in_row{3, -1, 0, 8};
  const xt::xtensor<std::int32_t, 1> in_column{0, 1, 2, 3, -1, -2, -3, -4, 0};
  same_as_interpreter(
      [](auto x, auto r, auto heights, auto places, auto others) {
        const auto c = pm::reshape(heights, {-1, 1}), i = pm::reshape(places, {-1, 1}),
                   k = pm::reshape(others, {1, -1});
        const auto v = pm::exp(x * r - c), w = pm::where(x > 0, r, c);
        return std::tuple(pm::take_along_axis(v, i, {1}), pm::take_along_axis(v, k, {0}),
                          pm::take_along_axis(w, i, {1}), pm::take_along_axis(w, k, {0}),
                          pm::take_along_axis(r + c, i, {1}), pm::take_along_axis(r * c, k, {0}),
                          pm::take_along_axis(x + pm::arange(9), i, {1}));
      },
      tolerance, a, row, column, in_row, in_column);
}

TEST_CASE("products of matrices") {
  const auto a = sample<float, 2>({5, 7}, 20), b = sample<float, 2>({7, 3}, 21);
  same_as_interpreter(
      [](auto x, auto y) {
        return std::tuple(pm::matmul(x, y), pm::matmul(pm::transpose(y), pm::transpose(x)) * 2);
      },
      tolerance, a, b);
  same_as_interpreter(
      [](auto x, auto y) {
        return pm::grad<0, 1>([](auto p, auto q) { return pm::sum(pm::gelu(pm::matmul(p, q))); })(
            x, y);
      },
      tolerance, a, b);
  const auto s = sample<float, 3>({2, 5, 7}, 22);
  same_as_interpreter(
      [](auto x, auto y) {
        return pm::grad<0, 1>([](auto p, auto q) { return pm::sum(pm::square(pm::matmul(p, q))); })(
            x, y);
      },
      1e-4, s, b);
  const auto v = sample<float, 1>({7}, 23);
  same_as_interpreter([](auto x, auto y) { return std::tuple(pm::matmul(x, y), pm::matmul(y, y)); },
                      tolerance, a, v);
}

TEST_CASE("sums of products of matrices, and products with columns that are one number") {
  constexpr auto summed = [](auto x, auto y) {
    const auto t = pm::transpose(y, {0, 2, 1});
    return std::tuple(pm::sum(pm::matmul(x, y), {.axes = 1}),
                      pm::sum(pm::matmul(x, y), {.axes = 2}), pm::sum(pm::matmul(x, y)),
                      pm::sum(pm::matmul(x, y), {.axes = 0}),
                      pm::sum(pm::matmul(x, t, {.transpose_b = true}), {.axes = {1, 2}}),
                      pm::matmul(pm::ones({4, 7}), y), pm::matmul(x, pm::full({7, 2}, -0.5)),
                      pm::matmul(pm::sum(x, {.axes = 2, .keepdims = true}),
                                 pm::sum(y, {.axes = 1, .keepdims = true})));
  };
  auto x = sample<float, 3>({2, 5, 7}, 74), y = sample<float, 3>({2, 7, 3}, 75);
  same_as_interpreter(summed, tolerance, x, y);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  x = sample<float, 3>({2, 5, 7}, 74, 0.5,
                       2);  // infinities of two signs add up to NaN in one order alone
  y = sample<float, 3>({2, 7, 3}, 75, 0.5, 2);
  for (const float special : {0.f, infinity, -infinity, std::nanf("")}) {
    x(0, 1, 2) = special;
    y(1, 3, 1) = special;
    same_as_interpreter(summed, tolerance, x, y);
  }
  constexpr auto slopes = [](auto p, auto q) {
    return pm::value_and_grad<0, 1>([](auto a, auto b) {
      return pm::sum(pm::matmul(a, b)) + pm::sum(pm::matmul(b, a, {true, true}) * 0.5f);
    })(p, q);
  };
  const auto a = sample<float, 2>({5, 7}, 76), b = sample<float, 2>({7, 3}, 77);
  same_as_interpreter(slopes, tolerance, a, b);
}

TEST_CASE("vectors times matrices whose rows fit into a register, and their gradients") {
  constexpr auto loss = [](auto x, auto w, auto y) {
    return pm::value_and_grad<0, 1>(
        [y](auto p, auto q) { return pm::sum(pm::square(pm::matmul(p, q) - y)); })(x, w);
  };
  for (const std::size_t n : {1u, 3u, 4u, 10u, 41u})
    for (const std::size_t k : {1u, 2u, 3u, 7u, 8u, 9u, 16u, 17u}) {
      CAPTURE(n, k);
      same_as_interpreter(loss, 1e-4, sample<float, 2>({n, k}, 78), sample<float, 1>({k}, 79),
                          sample<float, 1>({n}, 80));
      same_as_interpreter(loss, 1e-10, sample<double, 2>({n, k}, 81), sample<double, 1>({k}, 82),
                          sample<double, 1>({n}, 83));
    }
}

TEST_CASE("divisions by one value several times, and paddings along one axis") {
  same_as_interpreter(
      [](auto x, auto y) {
        return std::tuple(
            pm::grad<0, 1>([](auto p, auto q) {
              return pm::sum(p / q - pm::log(q)) + pm::sum(pm::square(p(pm::range(1, pm::none)))) +
                     pm::sum(pm::square(q(pm::range(pm::none, -1))));
            })(x, y),
            pm::pad(x, {{2}, {0}, 3}), pm::pad(x, {{0}, {1}, -1}), pm::pad(x, {{0}, {0}, 5}));
      },
      tolerance, sample<float, 1>({37}, 84), sample<float, 1>({37}, 85, 0.5, 2));
}

TEST_CASE("products that write where copies of their results would go, and sums of products") {
  const auto x = sample<float, 3>({2, 5, 6}, 70), w = sample<float, 3>({3, 6, 6}, 71);
  same_as_interpreter(attention, tolerance, x, w);
  same_as_interpreter(
      [](auto p, auto q) {
        return pm::grad<0, 1>([](auto a, auto b) { return pm::sum(pm::square(attention(a, b))); })(
            p, q);
      },
      1e-4, x, w);
  const auto a = sample<float, 2>({5, 7}, 72), b = sample<float, 2>({7, 3}, 73);
  same_as_interpreter(
      [](auto p, auto q) {
        const auto u = pm::matmul(p, q), v = pm::matmul(pm::exp(p), q),
                   t = pm::matmul(p, pm::sin(q));
        return std::tuple(pm::transpose(pm::matmul(p, q)), u + v + t, pm::matmul(p, q) + (v + t));
      },
      tolerance, a, b);
}

TEST_CASE("kernels that read and write across the rows") {
  for (const std::size_t n : {1u, 15u, 16u, 37u})
    for (const std::size_t m : {1u, 16u, 63u, 64u, 131u}) {
      CAPTURE(n, m);
      const auto x = sample<float, 2>({n, m}, 77), y = sample<float, 2>({m, n}, 78);
      check_compiled<dynamic_extents>(
          [](auto a, auto b) {
            const auto t = pm::transpose(a);
            return std::tuple(t * b + 1, pm::cast<double>(t), pm::sum(t * b, {0}),
                              pm::transpose(pm::exp(b)) - a,
                              pm::transpose(pm::cast<double>(a)) + b);
          },
          tolerance, x, y);
    }
  const auto c = sample<float, 3>({3, 18, 70}, 79);
  same_as_interpreter([](auto a) { return pm::transpose(a, {0, 2, 1}) * 2 + 1; }, tolerance, c);
}

TEST_CASE("the mean of nothing") {
  const xt::xtensor<float, 2> none = xt::zeros<float>({0, 3});
  constexpr auto average = [](auto x) { return pm::mean(x); };
  constexpr auto of_rows = [](auto x) { return pm::mean(x, {.axes = {0}}); };
  CHECK(std::isnan(pm::compile<pm::array<float, 0, 3>>(average)(none)));
  CHECK(pm::compile(average)(none) == 0);
  for (float e : pm::compile<pm::array<float, 0, 3>>(of_rows)(none)) CHECK(std::isnan(e));
}

TEST_CASE("conditions are values") {
  const auto a = sample<float, 2>({5, 19}, 74), b = sample<float, 2>({5, 19}, 75);
  same_as_interpreter(
      [](auto x, auto y) {
        const auto p = x > 0, q = y > 0;
        return std::tuple(pm::where(p, q, !q), pm::maximum(p, q), pm::minimum(p, q),
                          pm::max(p, {1}), pm::min(q, {1}), pm::argmax(p, {.axis = 1}));
      },
      tolerance, a, b);
}

TEST_CASE("other dtypes") {
  const auto d = sample<double, 2>({3, 11}, 24);
  same_as_interpreter([](auto x) { return std::tuple(pm::softmax(x), pm::sum(x), pm::exp(x)); },
                      1e-12, d);
  const auto i = sample<std::int32_t, 2>({3, 11}, 25, -9, 9);
  same_as_interpreter(
      [](auto x) {
        return std::tuple(x * 2 + 1, pm::sum(x), pm::sum(x, {.axes = 0}), x / 2, x % 3,
                          pm::max(x, {.axes = 1}), x > 2);
      },
      1e-6, i);
  const auto f = sample<float, 2>({3, 11}, 26);
  same_as_interpreter(
      [](auto x, auto y, auto z) {
        return std::tuple(x + y, y + z, pm::cast<double>(z), pm::sum(z > 0, {.axes = 1}),
                          pm::any(z > 1));
      },
      1e-6, d, i, f);
  const auto small = sample<std::int8_t, 1>({40}, 27, -100, 100);
  same_as_interpreter(
      [](auto x) { return std::tuple(pm::sum(x), pm::maximum(x, 3), pm::cast<float>(x) * 0.5); },
      1e-6, small);
  const xt::xtensor<bool, 1> t = {true, false, true, true, false},
                             u = {true, true, false, true, false};
  same_as_interpreter(
      [](auto x, auto y) {
        return std::tuple(x == y, x != y, x < y, x >= y, pm::isnan(x), x && !y, x ^ y,
                          pm::logical_xor(x, y));
      },
      0, t, u);
}

TEST_CASE("narrow factors of conditions and of what is shared") {
  const auto x = sample<float, 2>({5, 33}, 38);
  const auto r = sample<float, 1>({33}, 39);
  same_as_interpreter(
      [](auto a, auto b, auto s) {
        const auto yes = pm::cast(a > 0, pm::dtype::float32), y = pm::exp(a);
        const auto total = pm::sum(y, {.axes = 1, .keepdims = true});
        return std::tuple((y / total - yes) * s, (yes + y) * b, yes * s, (yes - yes * y) * s,
                          y * (s / total), y * (3 / total) + 1 / total);
      },
      tolerance, x, r, 0.7f);
}

TEST_CASE("numbers, no elements, one element") {
  same_as_interpreter([](auto x) { return std::tuple(x * 2, pm::exp(x), pm::sum(x)); }, tolerance,
                      1.5f);
  const auto none = sample<float, 2>({0, 4}, 28), empty_rows = sample<float, 2>({4, 0}, 29);
  same_as_interpreter(
      [](auto x) {
        return std::tuple(x + 1, pm::sum(x), pm::sum(x, {.axes = 0}), pm::sum(x, {.axes = 1}));
      },
      tolerance, none);
  same_as_interpreter(
      [](auto x) {
        return std::tuple(x + 1, pm::sum(x), pm::sum(x, {.axes = 0}), pm::sum(x, {.axes = 1}));
      },
      tolerance, empty_rows);
  const auto one = sample<float, 2>({1, 1}, 30);
  same_as_interpreter(
      [](auto x) { return std::tuple(pm::softmax(x), pm::layer_norm(x), pm::sum(x)); }, tolerance,
      one);
}

TEST_CASE("a kernel of more arrays than a mask has bits") {
  std::array<xt::xtensor<float, 1>, 70> parts;
  for (auto& x : parts) x = xt::ones<float>({33});
  const auto total = pm::compile([](auto all) {
    auto sum = all[0];
    for (std::size_t i = 1; i < all.size(); ++i) sum = sum + all[i];
    return sum;
  })(parts);
  CHECK(total == xt::xtensor<float, 1>(70 * parts[0]));
}

TEST_CASE("factors whose product is infinite or almost 0 are multiplied one after the other") {
  const auto [large, small] = pm::compile([](auto a) {
    return std::tuple(a * 1e30f * 1e30f, 1e-30f * (a * 1e-30f));
  })(xt::xtensor<float, 1>{1e-30f, 1e30f, 0.f});
  CHECK(large(0) == Approx(1e30f));
  CHECK(large(2) == 0);
  CHECK(small(1) == Approx(1e-30f));
}

TEST_CASE("a network and its gradient") {
  const auto x = sample<float, 2>({8, 12}, 32), w = sample<float, 2>({12, 16}, 33),
             v = sample<float, 2>({16, 5}, 34);
  const auto b = sample<float, 1>({16}, 35), c = sample<float, 1>({5}, 36);
  auto t = xt::xtensor<std::int32_t, 1>::from_shape({8});
  for (std::size_t i = 0; i < 8; ++i) t(i) = static_cast<std::int32_t>(i % 5);
  same_as_interpreter(
      [](auto in, auto w1, auto b1, auto w2, auto b2, auto target) {
        return pm::value_and_grad<1, 2, 3, 4>([](auto p, auto q, auto r, auto s, auto u, auto y) {
          auto h = pm::gelu(pm::layer_norm(pm::matmul(p, q) + r));
          return pm::cross_entropy(pm::matmul(h, s) + u, y);
        })(in, w1, b1, w2, b2, target);
      },
      1e-4, x, w, b, v, c, t);
}
