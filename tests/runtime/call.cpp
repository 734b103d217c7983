// Calls: declarations, what is checked before anything is written, and what is allocated.
// test: sanitize
#include "support/catch.hpp"
#include "support/errors.hpp"
#include "support/same.hpp"

#include <primal/primal.hpp>

#include <cstdlib>
#include <new>

namespace pm = primal;
using Catch::Matchers::StartsWith;
using pm::test::same;
using primal::test::message_of;

namespace {

int allocations = 0;

inline constexpr auto add_arrays = [](auto x, auto y) { return x + y; };
inline constexpr auto scale_and_sum = [](auto x, auto s) {
  const auto y = x * s;
  return std::tuple(y, pm::sum(y));
};
constexpr pm::tensor square_of(pm::tensor x) { return x * x; }

struct doubled_three_op : pm::composite<doubled_three_op> {
  static constexpr pm::op_name name{"doubled_three"};
  static constexpr pm::tensor_type infer(pm::tensor x) { return {{3}, x.dtype()}; }
  static constexpr pm::tensor decompose(pm::tensor x) { return x * 2; }
};
inline constexpr pm::op<doubled_three_op> doubled_three{};

}  // namespace

// Every form, since a sanitizer has its own for those that are missing, and takes the pair for a mistake.
[[gnu::noinline]] void* operator new(std::size_t n, std::align_val_t a,
                                     const std::nothrow_t&) noexcept {
  ++allocations;
  const auto align = static_cast<std::size_t>(a);
  return std::aligned_alloc(align, (n + align - 1) / align * align);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }

void* operator new(std::size_t n, std::align_val_t a) {
  if (void* p = operator new(n, a, std::nothrow)) return p;
  throw std::bad_alloc();
}
constexpr std::align_val_t usual_alignment{__STDCPP_DEFAULT_NEW_ALIGNMENT__};
void* operator new(std::size_t n) { return operator new(n, usual_alignment); }
void* operator new(std::size_t n, const std::nothrow_t& t) noexcept {
  return operator new(n, usual_alignment, t);
}
void* operator new[](std::size_t n) { return operator new(n); }
void* operator new[](std::size_t n, std::align_val_t a) { return operator new(n, a); }
void* operator new[](std::size_t n, const std::nothrow_t& t) noexcept { return operator new(n, t); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t& t) noexcept {
  return operator new(n, a, t);
}
void operator delete(void* p, std::size_t) noexcept { operator delete(p); }
void operator delete(void* p, std::align_val_t) noexcept { operator delete(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { operator delete(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { operator delete(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  operator delete(p);
}
void operator delete[](void* p) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t) noexcept { operator delete(p); }
void operator delete[](void* p, std::align_val_t) noexcept { operator delete(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { operator delete(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { operator delete(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept {
  operator delete(p);
}

TEST_CASE("a model compiled for declared types takes arrays of those") {
  constexpr auto g = pm::compile<pm::array<float, pm::dyn, 3>, pm::array<float, 3>>(add_arrays);
  const xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  CHECK(same(g(x, xt::xtensor<float, 1>{10, 20, 30}),
             xt::xtensor<float, 2>{{11, 22, 33}, {14, 25, 36}}));
  CHECK(message_of([&] { g(x, xt::xtensor<float, 1>{1, 2}); }) ==
        "argument 1: axis 0 has the extent 2, and 3 is declared");
}

TEST_CASE("extents that meet in an operator are compared at the call") {
  const xt::xtensor<float, 1> three{1, 2, 3}, two{1, 2};
  const auto message = message_of([&] { pm::compile(add_arrays)(three, two); });
  CHECK_THAT(message,
             StartsWith("add: the extents of argument 0 axis 0 = 3 and argument 1 axis 0 = "
                        "2 must be equal at call.cpp:"));
  CHECK_THROWS_AS(pm::add(three, two), pm::shape_error);

  const auto product = [](auto x, auto w) { return pm::matmul(x, w); };
  const auto x = xt::xtensor<float, 2>::from_shape({4, 5}),
             w = xt::xtensor<float, 2>::from_shape({6, 3});
  CHECK_THAT(
      message_of([&] { pm::compile(product)(x, w); }),
      StartsWith("matmul: the extents of argument 0 axis 1 = 5 and argument 1 axis 0 = 6 must "
                 "be equal at call.cpp:"));
  const auto joined = [](auto a, auto b) { return pm::concat({a, a, b}) + b; };
  CHECK_THAT(message_of([&] { pm::compile(joined)(three, two); }),
             StartsWith("add: the extents of 2*(argument 0 axis 0)+(argument 1 axis 0) = 8 and "
                        "argument 1 axis 0 = 2 must be equal at call.cpp:"));
}

TEST_CASE("extents that a rule compares are compared at the call") {
  const auto f = [](auto x) { return doubled_three(x); };
  CHECK(same(pm::compile(f)(std::vector<float>{1, 2, 3}), xt::xtensor<float, 1>{2, 4, 6}));
  CHECK_THAT(message_of([&] { pm::compile(f)(std::vector<float>{1, 2}); }),
             StartsWith("doubled_three: the extents of"));
}

TEST_CASE("the least that an extent may be is told, and no line where there is no model") {
  const auto none = xt::xtensor<float, 1>::from_shape({0}), one = xt::xtensor<float, 1>{1};
  CHECK(message_of([&] { pm::max(none); }) == "max: argument 0 axis 0 must be at least 1");
  CHECK(message_of([&] { pm::add(none, one); }) ==
        "add: the extents of argument 0 axis 0 = 0 and argument 1 axis 0 = 1 must be equal");
  CHECK_THAT(message_of([&] {
               pm::compile([](auto x) { return x(pm::range(0, x.extent(0) - 4)); })(one);
             }),
             StartsWith("slice: argument 0 axis 0 must be at least 4 at call.cpp:"));
}

TEST_CASE("an extent that a model states is not negative") {
  // `size` - n more elements: nothing else of a concat can tell that there are too many.
  const auto filled_up =
      pm::compile([](auto x) { return pm::concat({x, pm::zeros({5 - x.extent(0)})}); });
  CHECK(same(filled_up(xt::xtensor<float, 1>{1, 2, 3}), xt::xtensor<float, 1>{1, 2, 3, 0, 0}));
  const xt::xtensor<float, 1> x = xt::ones<float>({7});
  CHECK_THAT(message_of([&] { filled_up(x); }),
             StartsWith("full: -1*(argument 0 axis 0)+5 must not be negative at call.cpp:"));
  CHECK_THAT(message_of([&] {
               pm::compile([](auto z) { return pm::sum(pm::arange(5 - z.extent(0))); })(x);
             }),
             StartsWith("arange:"));
  CHECK_THAT(message_of([&] {
               pm::compile([](auto z) {
                 return pm::sum(pm::broadcast_to(pm::max(z), {5 - z.extent(0)}));
               })(x);
             }),
             StartsWith("broadcast_to:"));
  CHECK_THAT(message_of([&] {
               pm::compile([](auto z) {
                 return pm::concat({pm::reshape(z, {6 - z.extent(0), -1}), pm::ones({4, 1})},
                                   {.axis = 0});
               })(x);
             }),
             StartsWith("reshape:"));
}

TEST_CASE("dims of one name are equal") {
  constexpr auto g =
      pm::compile<pm::array<float, pm::dim<"batch">>, pm::array<double, pm::dim<"batch">, 2>>(
          [](auto x, auto y) { return pm::sum(x) + pm::sum(y); });
  CHECK(g(std::vector<float>{1, 2}, xt::xtensor<double, 2>{{1, 2}, {3, 4}}) == 13);
  const auto message =
      message_of([&] { g(std::vector<float>{1, 2}, xt::xtensor<double, 2>{{1, 2}}); });
  CHECK_THAT(message, StartsWith("batch: the extents of batch (argument 1 axis 0) = 1 and batch "
                                 "(argument 0 axis 0) = 2 must be equal"));
}

TEST_CASE("into writes to arrays of the caller's") {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  xt::xtensor<float, 2> y = xt::zeros<float>({2, 2});
  float total = 0;
  pm::compile(scale_and_sum).into(y, total)(x, 3.0f);
  CHECK(same(y, xt::xtensor<float, 2>{{3, 6}, {9, 12}}));
  CHECK(total == 30);

  xt::xtensor<float, 2> wide = xt::zeros<float>({2, 4});
  pm::compile([](auto a) { return a * 2; }).into(xt::view(wide, xt::all(), xt::range(0, 4, 2)))(x);
  CHECK(same(wide, xt::xtensor<float, 2>{{2, 0, 4, 0}, {6, 0, 8, 0}}));

  float data[4] = {};
  pm::compile([](auto a) { return a * 2; }).into(pm::view(data, 2, 2, pm::strides(1, 2)))(x);
  CHECK(data[1] == 6);
}

TEST_CASE("into checks the extents before it writes") {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  xt::xtensor<float, 2> y = xt::zeros<float>({2, 2}), small = xt::zeros<float>({2, 1});
  const auto twice_and_thrice = pm::compile([](auto a) { return std::tuple(a * 2, a * 3); });
  const auto message = message_of([&] { twice_and_thrice.into(y, small)(x); });
  CHECK(message == "into: output 1: axis 1 has the extent 1, and that of the result is 2");
  CHECK(same(y, xt::xtensor<float, 2>(xt::zeros<float>({2, 2}))));
  CHECK_THROWS_AS(twice_and_thrice.into(y, y)(x), pm::value_error);
}

TEST_CASE("a call allocates its results and a workspace, or nothing at all") {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 4}};
  xt::xtensor<float, 2> y = xt::zeros<float>({2, 2});
  float total = 0;
  pm::workspace room;
  const auto run = pm::compile(scale_and_sum).with(room).into(y, total);
  run(x, 1.0f);
  allocations = 0;
  run(x, 2.0f);
  CHECK(allocations == 0);
  CHECK(total == 20);
}

TEST_CASE("functions and operators are models") {
  CHECK(same(pm::compile(pm::fn<square_of>)(xt::xtensor<float, 1>{1, 2, 3}),
             xt::xtensor<float, 1>{1, 4, 9}));
  CHECK(same(pm::compile(pm::add)(std::vector<float>{1}, std::vector<float>{2}),
             xt::xtensor<float, 1>{3}));
  CHECK(pm::compile(pm::fn<square_of>, pm::options{.threads = 2})(3.0) == 9);
}

TEST_CASE("inside a model, what was compiled is the model") {
  static constexpr auto both = pm::compile(scale_and_sum);
  const auto f = [](auto x) {
    const auto [y, total] = both(x, 3);
    return pm::sum(y * total);  // 9 times the square of the sum
  };
  const xt::xtensor<float, 1> x{1, 2};
  CHECK(pm::compile(f)(x) == 81);
  CHECK(same(pm::grad(f)(x), xt::xtensor<float, 1>{54, 54}));
}

TEST_CASE("an operator runs at once on arrays") {
  const xt::xtensor<float, 2> x{{1, 2}, {3, 5}};
  CHECK(pm::sum(x) == 11);
  CHECK(same(pm::add(x, x), xt::xtensor<float, 2>{{2, 4}, {6, 10}}));
  const auto y = pm::maximum(x, 2.5);
  STATIC_REQUIRE(std::is_same_v<decltype(y), const xt::xtensor<float, 2>>);
  CHECK(same(y, xt::xtensor<float, 2>{{2.5f, 2.5f}, {3, 5}}));
  const auto [normal, mean, variance] = pm::layer_norm.outputs(x);
  CHECK(mean(1) == 4);
  CHECK(variance(1) == 1);
  CHECK(normal.shape()[1] == 2);
  const xt::xtensor<std::uint8_t, 1> bytes{1, 200};
  CHECK(same(pm::maximum(bytes, 100), xt::xtensor<std::uint8_t, 1>{100, 200}));
  CHECK_THROWS_AS(pm::maximum(bytes, 300), pm::value_error);
}

TEST_CASE("an elementwise operator on numbers is a number, in a model too") {
  STATIC_REQUIRE(pm::exp(0.0) == 1);
  STATIC_REQUIRE(pm::maximum(2, 3) == 3);
  STATIC_REQUIRE(std::is_same_v<decltype(pm::sqrt(4)), float>);
  CHECK(pm::compile([](auto x) { return x / pm::sqrt(16.0); })(8.0f) == 2);
}

TEST_CASE("constants and inputs are results") {
  const auto [ones, unchanged, two] = pm::compile([](auto x) {
    return std::tuple(pm::ones({2, x.extent(0)}), x, 2);
  })(std::vector<float>{5, 6, 7});
  CHECK(same(ones, xt::xtensor<float, 2>(xt::ones<float>({2, 3}))));
  CHECK(same(unchanged, xt::xtensor<float, 1>{5, 6, 7}));
  CHECK(two == 2);
}
