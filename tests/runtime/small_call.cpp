// test: sanitize
// Calls of small programs whose extents are known run without tables where their arrays are dense and apart, and as
// others do where they are not: the results are the same bits.
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using pm::test::same;

namespace {

using square = pm::array<float, 5, 5>;
using row = pm::array<float, 5>;

inline constexpr auto layer = [](auto x, auto w, auto b) {
  const auto y = pm::tanh(pm::matmul(pm::softmax(x), w) + b);
  return std::tuple(y, pm::sum(y * y), pm::max(x, {.axes = {0}}));
};
inline constexpr auto loss = [](auto x, auto w, auto b) {
  return pm::mean(pm::square(pm::layer_norm(pm::matmul(x, w), b, b)));
};
inline constexpr auto loss_and_slopes = pm::value_and_grad<0, 1, 2>(loss);
inline constexpr auto picked = [](auto x) { return pm::take(x, pm::argmax(x, {.axis = 0})); };
inline constexpr auto ones_and_sums = [](auto x) {
  return std::tuple(pm::full({5}, 1.5f), pm::sum(x, {.axes = {0}}));
};

template <class F, class... A>
inline constexpr bool is_small =
    pm::small_call<pm::recorded_model<F, A...>, pm::cpu_backend>::possible;
static_assert(is_small<decltype(layer), square, square, row>);
static_assert(is_small<decltype(loss_and_slopes), square, square, row>);
static_assert(is_small<decltype(ones_and_sums), square>);
static_assert(!is_small<decltype(layer), pm::array<float, pm::dyn, 5>, square, row>);
static_assert(!is_small<decltype(layer), pm::array<float, 900, 5>, square, row>,
              "threads may share it");
static_assert(!is_small<decltype(ones_and_sums), pm::array<float, 4096, 5>>, "sums of blocks");

xt::xtensor<float, 2> numbers(float step) {
  xt::xtensor<float, 2> x = xt::zeros<float>({5, 5});
  for (std::size_t i = 0; i < 25; ++i) x.data()[i] = std::sin(step * static_cast<float>(i + 1));
  return x;
}

}  // namespace

TEST_CASE("a small call gives what any other gives") {
  const auto x = numbers(0.7f), w = numbers(1.3f);
  const xt::xtensor<float, 1> b{1, -2, 3, -4, 5};
  const auto [y, total, top] = pm::compile(layer)(x, w, b);
  xt::xtensor<float, 2> own = numbers(1);
  xt::xtensor<float, 0> own_total;
  xt::xtensor<float, 1> own_top = b;
  pm::compile<square, square, row>(layer).into(own, own_total, own_top)(x, w, b);
  CHECK(same(own, y));
  CHECK(own_total() == Approx(total).epsilon(1e-6));
  CHECK(same(own_top, top));
  const auto [new_y, new_total, new_top] = pm::compile<square, square, row>(layer)(x, w, b);
  CHECK(same(new_y, own));
  CHECK(new_total == own_total());
  CHECK(same(new_top, own_top));

  const auto [l, slopes] = pm::compile(loss_and_slopes)(x, w, b);
  const auto& [dx, dw, db] = slopes;
  xt::xtensor<float, 2> to_x = x, to_w = w;
  xt::xtensor<float, 1> to_b = b;
  pm::compile<square, square, row>(loss_and_slopes).into(own_total, to_x, to_w, to_b)(x, w, b);
  CHECK(own_total() == Approx(l).epsilon(1e-6));
  CHECK(xt::allclose(to_x, dx, 1e-5, 1e-6));
  CHECK(xt::allclose(to_w, dw, 1e-5, 1e-6));
  CHECK(xt::allclose(to_b, db, 1e-5, 1e-6));
}

TEST_CASE("arrays that are fixed, strided or in each other's place") {
  const auto call =
      pm::compile<square, square>([](auto x, auto y) { return pm::matmul(x, y) + x; });
  const auto x = numbers(0.7f), y = numbers(1.3f);
  xt::xtensor<float, 2> wanted = numbers(1);
  call.into(wanted)(x, y);
  CHECK(same(wanted, call(x, y)));

  const xt::xtensor_fixed<float, xt::xshape<5, 5>> fixed_x = x, fixed_y = y;
  xt::xtensor_fixed<float, xt::xshape<5, 5>> fixed;
  call.into(fixed)(fixed_x, fixed_y);
  CHECK(same(xt::xtensor<float, 2>(fixed), wanted));
  const xt::xtensor_fixed<float, xt::xshape<5, 5>, xt::layout_type::column_major> columns = x;
  call.into(fixed)(columns, fixed_y);
  CHECK(same(xt::xtensor<float, 2>(fixed), wanted));
  auto place = fixed_x;
  call.into(place)(place, fixed_y);
  CHECK(same(xt::xtensor<float, 2>(place), wanted));

  const xt::xtensor<float, 2> turned = xt::transpose(x);
  xt::xtensor<float, 2> out = numbers(1);
  call.into(out)(pm::view(turned.data(), 5, 5, pm::strides(1, 5)), y);
  CHECK(same(out, wanted));
  auto wide = xt::xtensor<float, 2>(xt::zeros<float>({5, 7}));
  call.into(pm::view(wide.data(), 5, 5, pm::strides(7, 1)))(x, y);
  CHECK(same(xt::xtensor<float, 2>(xt::view(wide, xt::all(), xt::range(0, 5))), wanted));
  CHECK(same(xt::xtensor<float, 2>(xt::view(wide, xt::all(), xt::range(5, 7))),
             xt::xtensor<float, 2>(xt::zeros<float>({5, 2}))));

  auto own = x;
  call.into(own)(own, y);
  CHECK(same(own, wanted));
  float shifted[26];
  std::copy(y.data(), y.data() + 25, shifted);
  call.into(pm::view(shifted + 1, 5, 5))(x, pm::view(shifted, 5, 5));
  CHECK(std::equal(wanted.data(), wanted.data() + 25, shifted + 1));
}

template <std::size_t N> void check_products() {
  CAPTURE(N);
  using matrix = xt::xtensor_fixed<float, xt::xshape<N, N>>;
  constexpr auto product = [](auto x, auto y) { return pm::matmul(x, y); };
  constexpr auto call = pm::compile(pm::vjp<0, 1>(product));
  struct {
    matrix a, b, ct, c, da, db;
  } m;
  for (std::size_t i = 0; i < N * N; ++i) {
    const auto number = static_cast<float>(i + 1);
    m.a.data()[i] = number;
    m.b.data()[i] = 3 - number;
    m.ct.data()[i] = number * number;
  }
  call.into(m.c, m.da, m.db)(m.a, m.b, m.ct);
  const xt::xtensor<float, 2> a = m.a, b = m.b, ct = m.ct;
  const auto [c, da, db] = call(a, b, ct);
  CHECK(same(xt::xtensor<float, 2>(m.c), c));
  CHECK(same(xt::xtensor<float, 2>(m.da), da));
  CHECK(same(xt::xtensor<float, 2>(m.db), db));
  CHECK(same(xt::xtensor<float, 2>(pm::compile(product)(m.a, m.b)), c));
}
TEST_CASE("products of matrices of fixed extents, side by side") {
  check_products<1>();
  check_products<2>();
  check_products<3>();
  check_products<4>();
  check_products<5>();
}

TEST_CASE("a small call checks its arrays") {
  const auto call = pm::compile<square>(ones_and_sums);
  const auto x = numbers(0.7f);
  const xt::xtensor<float, 2> low = xt::zeros<float>({4, 5});
  xt::xtensor<float, 1> a{1, 2, 3, 4, 5}, b = a, shorter{1, 2, 3};
  CHECK_THROWS_AS(call.into(a, b)(low), pm::shape_error);
  CHECK_THROWS_AS(call.into(a, shorter)(x), pm::shape_error);
  CHECK_THROWS_AS(call.into(a, a)(x), pm::value_error);
  xt::xtensor_fixed<float, xt::xshape<5>> fixed_a = a, fixed_b = a;
  const xt::xtensor_fixed<float, xt::xshape<4, 5>> fixed_low = low;
  CHECK_THROWS_AS(call.into(fixed_a, fixed_b)(fixed_low), pm::shape_error);
  CHECK_THROWS_AS(call.into(fixed_a, fixed_a)(xt::xtensor_fixed<float, xt::xshape<5, 5>>(x)),
                  pm::value_error);
  CHECK(same(a, xt::xtensor<float, 1>{1, 2, 3, 4, 5}));
  call.into(a, b)(x);
  CHECK(same(a, xt::xtensor<float, 1>{1.5, 1.5, 1.5, 1.5, 1.5}));
  CHECK(same(b, pm::compile([](auto v) { return pm::sum(v, {.axes = {0}}); })(x)));
}

TEST_CASE("a program that indexes is not small: its indices are checked") {
  const xt::xtensor<float, 1> x{3, 9, 4};
  xt::xtensor<float, 0> y;
  pm::compile<pm::array<float, 3>>(picked).into(y)(x);
  CHECK(y() == 9);
  static_assert(!is_small<decltype(picked), pm::array<float, 3>>);
}

TEST_CASE("empty arrays and numbers") {
  const xt::xtensor<float, 2> none = xt::zeros<float>({0, 3});
  xt::xtensor<float, 1> sums{1, 2, 3};
  pm::compile<pm::array<float, 0, 3>>([](auto x) {
    return pm::sum(x, {.axes = {0}});
  }).into(sums)(none);
  CHECK(same(sums, xt::xtensor<float, 1>{0, 0, 0}));
  CHECK(same(
      pm::compile<pm::array<float, 0, 3>>([](auto x) { return pm::sum(x, {.axes = {0}}); })(none),
      sums));
  double y = 0;
  pm::compile<double, double>([](auto a, auto b) { return a * b + a; }).into(y)(3.0, 4.0);
  CHECK(y == 15);
  CHECK(pm::compile([](auto a, auto b) { return a * b + a; })(3.0, 4.0) == 15);
}
