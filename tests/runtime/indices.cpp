// Indices out of range: what the error says, and what was written before it.
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

namespace pm = primal;
using Catch::Matchers::StartsWith;
using pm::test::same;
using primal::test::message_of;

namespace {

using ints = xt::xtensor<std::int32_t, 1>;

constexpr int take_line = __LINE__ + 1;
inline constexpr auto taken = [](auto x, auto i) { return pm::take(x * 2, i); };
inline constexpr auto loss = [](auto x, auto labels) { return pm::cross_entropy(x, labels); };

const xt::xtensor<float, 2> table{{1, 2}, {3, 4}, {5, 6}};

}  // namespace

TEST_CASE("an index out of range names the operator, the axis, the index and the line") {
  CHECK(message_of<pm::index_error>([] { pm::compile(taken)(table, ints{0, 3}); }) ==
        "take: the index 3 in argument 1 is out of range for axis 0 of extent 3 at indices.cpp:" +
            std::to_string(take_line));
  const auto chosen = [](auto x, auto i) { return pm::take_along_axis(x, i, {.axis = 1}); };
  const xt::xtensor<std::int64_t, 2> columns{{0, 1}, {1, -3}, {0, 0}};
  CHECK_THAT(message_of<pm::index_error>([&] { pm::compile(chosen)(table, columns); }),
             StartsWith("take_along_axis: the index -3 in argument 1 is out of range for axis 1 "
                        "of extent 2 at indices.cpp:"));
  CHECK_THAT(message_of<pm::index_error>([] { pm::embedding(ints{5}, table); }),
             StartsWith("embedding: the index 5 in argument 0"));
}

TEST_CASE("an index out of range is found before anything is written") {
  const xt::xtensor<float, 2> before{{7, 7}, {7, 7}};
  auto y = before;
  pm::compile(taken).into(y)(table, ints{-1, -3});
  CHECK(same(y, xt::xtensor<float, 2>{{10, 12}, {2, 4}}));
  y = before;
  CHECK_THROWS_AS(pm::compile(taken).into(y)(table, ints{0, -4}), pm::index_error);
  CHECK(same(y, before));
  xt::xtensor<std::uint8_t, 1> bytes{0, 200};
  CHECK_THROWS_AS(pm::compile(taken).into(y)(table, bytes), pm::index_error);
  CHECK(same(y, before));
}

TEST_CASE("the gradient of an operator looks at the index as well") {
  CHECK_THAT(message_of<pm::index_error>([] { pm::grad<0>(loss)(table, ints{0, 1, 2}); }),
             StartsWith("cross_entropy: the index 2 in argument 1 is out of range for axis 1 of "
                        "extent 2 at indices.cpp:"));
  CHECK(message_of<pm::index_error>([] { pm::grad<0>(loss)(table, ints{0, 1, -1}); }) ==
        "no error");
}

TEST_CASE("every place of a long or strided array of indices is looked at") {
  std::vector<std::int32_t> many(1000, 2);
  for (const std::size_t at : {0u, 31u, 32u, 700u, 999u}) {
    many[at] = 3;
    CHECK_THAT(message_of<pm::index_error>([&] { pm::compile(taken)(table, many); }),
               StartsWith("take: the index 3"));
    many[at] = -4;
    CHECK_THAT(message_of<pm::index_error>([&] { pm::compile(taken)(table, many); }),
               StartsWith("take: the index -4"));
    many[at] = 2;
  }
  CHECK(message_of<pm::index_error>([&] { pm::compile(taken)(table, many); }) == "no error");
  std::int32_t data[] = {0, 9, 1, 9, 2, 9};
  CHECK(message_of<pm::index_error>(
            [&] { pm::compile(taken)(table, pm::view(data, 3, pm::strides(2))); }) == "no error");
  data[4] = 8;
  CHECK_THAT(message_of<pm::index_error>(
                 [&] { pm::compile(taken)(table, pm::view(data, 3, pm::strides(2))); }),
             StartsWith("take: the index 8"));
}

TEST_CASE("no index is in range of an empty axis") {
  const auto none = xt::xtensor<float, 2>::from_shape({0, 2});
  CHECK_THAT(message_of<pm::index_error>([&] { pm::compile(taken)(none, ints{0}); }),
             StartsWith("take: the index 0 in argument 1 is out of range for axis 0 of extent 0"));
  CHECK(message_of<pm::index_error>([&] { pm::compile(taken)(none, ints::from_shape({0})); }) ==
        "no error");
}

TEST_CASE("an index that the model calculates is found by the kernel") {
  const auto next = [](auto x, auto i) { return pm::take(x, i + 1); };
  CHECK_THAT(message_of<pm::index_error>([&] { pm::compile(next)(table, ints{0, 2}); }),
             StartsWith("take: the calculated index 3 is out of range for axis 0 of extent 3 at "
                        "indices.cpp:"));
  // Elements of an input that the model skips do not count.
  const auto some = [](auto x, auto i) { return pm::take(x, i(pm::range(0, 2))); };
  CHECK(message_of<pm::index_error>([&] { pm::compile(some)(table, ints{0, 1, 9}); }) ==
        "no error");
}
