// Arrays in and out: which containers a model takes, where their elements are read, what comes back.
// test: sanitize
#include "support/catch.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

#include <algorithm>
#include <cstring>
#include <sstream>

namespace pm = primal;
using pm::test::same;

namespace {

inline constexpr auto twice_plus_place = [](auto x) { return x * 2 + pm::arange(x.extent(-1)); };
inline constexpr auto twice = [](auto x) { return x * 2; };
inline constexpr auto row_sums = [](auto x) { return pm::sum(x, {.axes = {-1}}); };

}  // namespace

TEST_CASE("a container of rank 2 comes back as one") {
  const xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  const auto y = pm::compile(twice)(x);
  STATIC_REQUIRE(std::is_same_v<decltype(y), const xt::xtensor<float, 2>>);
  CHECK(same(y, xt::xtensor<float, 2>{{2, 4, 6}, {8, 10, 12}}));
}

TEST_CASE("column-major containers are read in their own order and come back row-major") {
  xt::xtensor<float, 2, xt::layout_type::column_major> x{{1, 2, 3}, {4, 5, 6}};
  const auto y = pm::compile(row_sums)(x);
  STATIC_REQUIRE(std::is_same_v<decltype(y), const xt::xtensor<float, 1>>);
  CHECK(same(y, xt::xtensor<float, 1>{6, 15}));
}

TEST_CASE("containers of fixed shape have static extents") {
  const xt::xtensor_fixed<double, xt::xshape<2, 3>> x{{1, 2, 3}, {4, 5, 6}};
  const auto y = pm::compile([](auto a) { return a * (a.extent(0) > 1 ? 10 : 1); })(x);
  CHECK(same(y, xt::xtensor<double, 2>{{10, 20, 30}, {40, 50, 60}}));
}

TEST_CASE("views of containers are read where they lie") {
  xt::xtensor<float, 2> x{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  const auto columns = xt::view(x, xt::range(1, 3), xt::range(0, 4, 2));
  CHECK(same(pm::compile(twice)(columns), xt::xtensor<float, 2>{{10, 14}, {18, 22}}));
  const auto column = xt::view(x, xt::all(), 1);
  CHECK(same(pm::compile(twice)(column), xt::xtensor<float, 1>{4, 12, 20}));
  const auto nested = xt::view(xt::view(x, xt::range(1, 3)), xt::all(), xt::range(1, 3));
  CHECK(same(pm::compile(twice)(nested), xt::xtensor<float, 2>{{12, 14}, {20, 22}}));
  const xt::xtensor<float, 2> constant = x;
  CHECK(same(pm::compile(twice)(xt::view(constant, 2)), xt::xtensor<float, 1>{18, 20, 22, 24}));
}

TEST_CASE("a new axis of a view stretches") {
  xt::xtensor<float, 1> x{1, 2, 3};
  const xt::xtensor<float, 2> y{{1, 2}, {3, 4}};
  const auto column = xt::view(x, xt::all(), xt::newaxis());
  const auto row = xt::view(x, xt::newaxis());
  const auto product = pm::compile([](auto a, auto b) { return a * b; });
  const xt::xtensor<float, 2> products{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}};
  CHECK(same(product(x, column), products));
  CHECK(same(product(column, row), products));
  const auto part = xt::view(y, 1, xt::newaxis(), xt::all(), xt::newaxis());
  CHECK(same(product(part, xt::xtensor<float, 1>{1, 10, 100}),
             xt::xtensor<float, 3>{{{3, 30, 300}, {4, 40, 400}}}));
}

TEMPLATE_TEST_CASE("elements are copied from any strides to any strides", "", std::uint8_t,
                   pm::float16, float, double) {
  // Every order of three axes, in steps of 1 and 2, forwards and backwards, beside the plain loops.
  constexpr std::int64_t extents[] = {5, 37, 34}, room = 2 * 5 * 37 * 34;
  std::vector<TestType> x(room + 1), y(room + 1), wanted(room + 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<TestType>(static_cast<float>(i % 251));
  const auto strides_of = [&](std::array<int, 3> order, std::int64_t step) {
    std::array<std::int64_t, 3> s{};
    for (int axis : order) {
      s[static_cast<std::size_t>(axis)] = step;
      step *= extents[axis];
    }
    return s;
  };
  std::vector<std::array<int, 3>> orders;
  std::array<int, 3> order{0, 1, 2};
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  for (const auto& of_x : orders)
    for (const auto& of_y : orders)
      for (const std::int64_t step : {1, 2, -1}) {
        const auto from = strides_of(of_x, step), to = strides_of(of_y, step == 2 ? 1 : 2);
        const TestType* first = step < 0 ? x.data() + room / 2 : x.data();
        std::fill(y.begin(), y.end(), TestType());
        std::fill(wanted.begin(), wanted.end(), TestType());
        for (std::int64_t i = 0; i < extents[0]; ++i)
          for (std::int64_t j = 0; j < extents[1]; ++j)
            for (std::int64_t k = 0; k < extents[2]; ++k)
              wanted[static_cast<std::size_t>(i * to[0] + j * to[1] + k * to[2])] =
                  first[i * from[0] + j * from[1] + k * from[2]];
        pm::cpu_backend(pm::options{})
            .copy({const_cast<TestType*>(first), extents, from.data()},
                  {y.data(), extents, to.data()}, 3, sizeof(TestType));
        REQUIRE(std::memcmp(y.data(), wanted.data(), y.size() * sizeof(TestType)) == 0);
      }
}

TEST_CASE("a pointer with extents and strides is an array") {
  float data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  CHECK(same(pm::compile(row_sums)(pm::view(data, 3, 4)), xt::xtensor<float, 1>{6, 22, 38}));
  CHECK(same(pm::compile(row_sums)(pm::view(data, 3, pm::c<4>)), xt::xtensor<float, 1>{6, 22, 38}));
  CHECK(same(pm::compile(row_sums)(pm::view(data, 4, 3, pm::strides(1, 4))),
             xt::xtensor<float, 1>{12, 15, 18, 21}));
  CHECK(same(pm::compile(row_sums)(pm::view(data + 11, pm::c<2>, 2, pm::strides(-4, -1))),
             xt::xtensor<float, 1>{21, 13}));
  const float* constant = data;
  CHECK(same(pm::compile(twice)(pm::view(constant + 1, 2)), xt::xtensor<float, 1>{2, 4}));
  CHECK(pm::compile(twice)(pm::view(data + 5)) == 10);
}

TEST_CASE("vectors and spans are arrays of rank 1") {
  std::vector<double> v{1, 2, 3};
  CHECK(same(pm::compile(twice_plus_place)(v), xt::xtensor<double, 1>{2, 5, 8}));
  CHECK(same(pm::compile(twice)(std::span<const double>(v).subspan(1)),
             xt::xtensor<double, 1>{4, 6}));
  CHECK(same(pm::compile(twice)(std::span<double, 3>(v)), xt::xtensor<double, 1>{2, 4, 6}));
}

TEST_CASE("numbers are arrays of rank 0, and results of rank 0 are numbers") {
  const auto y = pm::compile(twice)(2.5);
  STATIC_REQUIRE(std::is_same_v<decltype(y), const double>);
  CHECK(y == 5);
  const auto n = pm::compile([](auto x) { return pm::sum(x > 1); })(xt::xtensor<float, 1>{1, 2, 3});
  STATIC_REQUIRE(std::is_same_v<decltype(n), const std::int64_t>);
  CHECK(n == 2);
}

TEST_CASE("every element type comes in and goes out") {
  const auto check = []<class T>(T one) {
    xt::xtensor<T, 1> x{one, one};
    const auto y = pm::compile([](auto a) { return pm::reshape(a, {2, 1}); })(x);
    STATIC_REQUIRE(std::is_same_v<decltype(y), const xt::xtensor<T, 2>>);
    CHECK(y(1, 0) == one);
  };
  check(true), check(std::int8_t{1}), check(std::int16_t{1}), check(std::int32_t{1}),
      check(std::int64_t{1});
  check(std::uint8_t{1}), check(std::uint16_t{1}), check(std::uint32_t{1}), check(std::uint64_t{1});
  check(pm::float16(1.0f)), check(pm::bfloat16(1.0f)), check(1.0f), check(1.0);
}

TEST_CASE("16-bit numbers print, and are numbers of any precision") {
  std::ostringstream out;
  out << pm::float16(1.5f) << ' ' << pm::sum(xt::xtensor<pm::bfloat16, 1>{pm::bfloat16(2.0f)});
  CHECK(out.str() == "1.5 2");
  CHECK(static_cast<double>(pm::float16(0.5f)) == 0.5);
}

TEST_CASE("arrays without elements and extents of 1 are arrays") {
  const xt::xtensor<float, 2> none = xt::xtensor<float, 2>::from_shape({0, 3});
  const auto y = pm::compile(twice)(none);
  CHECK(y.shape()[0] == 0);
  CHECK(y.shape()[1] == 3);
  CHECK(same(pm::compile(row_sums)(xt::xtensor<float, 2>{{1}, {2}}), xt::xtensor<float, 1>{1, 2}));
  CHECK(same(pm::compile([](auto x) { return pm::sum(x, {.axes = {0}}); })(none),
             xt::xtensor<float, 1>{0, 0, 0}));
}

TEST_CASE("extents declared at the call decide broadcasting") {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}}, column{{10}, {20}};
  const auto y = pm::compile([](auto a, auto b) { return a + b; })(x, pm::as<pm::dyn, 1>(column));
  CHECK(same(y, xt::xtensor<float, 2>{{11, 12}, {23, 24}}));
  CHECK_THROWS_AS(pm::compile(twice)(pm::as<pm::dyn, 1>(x)), pm::shape_error);
}
