// pow, Python's floor division and remainder, and the functions of integer registers.
#include "support/architectures.hpp"
#include "support/catch.hpp"
#include "support/ulp.hpp"

#include <primal/cpu/batch_math.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace {

namespace math = primal::math;
using primal::test::for_each_architecture;
using primal::test::ulp_error;

template <class T, class A> void check_integers() {
  using V = xsimd::batch<T, A>;
  using limits = std::numeric_limits<T>;
  const std::vector<T> numbers{0,
                               1,
                               static_cast<T>(-1),
                               2,
                               3,
                               static_cast<T>(-3),
                               7,
                               static_cast<T>(-7),
                               limits::max(),
                               limits::min()};
  for (T a : numbers) {
    INFO(+a);
    CHECK(math::abs(V(a)).get(0) == math::abs(a));
    CHECK(math::sign(V(a)).get(0) == math::sign(a));
    CHECK(math::square(V(a)).get(0) == math::square(a));
    CHECK(math::negate(V(a)).get(0) == math::negate(a));
    for (T b : numbers) {
      INFO(+b);
      CHECK(math::maximum(V(a), V(b)).get(0) == std::max(a, b));
      CHECK(math::minimum(V(a), V(b)).get(0) == std::min(a, b));
      CHECK(math::fma(V(a), V(b), V(a)).get(0) == math::fma(a, b, a));
      CHECK(math::floor_divide(V(a), V(b)).get(0) == math::floor_divide(a, b));
      CHECK(math::remainder(V(a), V(b)).get(0) == math::remainder(a, b));
      CHECK(math::pow(V(a), V(b)).get(0) == math::pow(a, b));
    }
  }
}

}  // namespace

TEST_CASE("float pow stays within its error") {
  for_each_architecture([]<class A>(const char* name) {
    using V = xsimd::batch<float, A>;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> exponent(-126.f, 127.f), result(-103.f, 88.7f),
        near(0.5f, 2.f);
    primal::test::worst_error<float> worst;
    for (int i = 0; i < 300000; ++i) {
      const float x = i % 2 == 0 ? std::exp2(exponent(random)) : near(random);
      const float y = result(random) / std::log(x);
      const double exact = std::pow(static_cast<double>(x), static_cast<double>(y));
      worst.add(x, ulp_error(math::pow(V(x), V(y)).get(0), exact));
    }
    INFO(name << ": " << worst.ulp << " ulp at " << worst.at);
    if (std::getenv("PRIMAL_SHOW_ULP") != nullptr)
      WARN(name << " pow: " << worst.ulp << " ulp at " << worst.at);
    CHECK(worst.ulp <= 1.5);
  });
}

TEST_CASE("integer registers agree with integer scalars") {
  for_each_architecture([]<class A>(const char* name) {
    INFO(name);
    check_integers<std::int32_t, A>();
    check_integers<std::int64_t, A>();
  });
}

TEST_CASE("Python's rules for floor_divide and remainder hold for random floats") {
  for_each_architecture([]<class A>(const char* name) {
    INFO(name);
    using V = xsimd::batch<float, A>;
    std::mt19937 random(1);
    std::uniform_real_distribution<float> size(-20.f, 20.f);
    for (int i = 0; i < 100000; ++i) {
      const float a = std::exp2(size(random)) * (i % 2 == 0 ? 1.f : -1.f);
      const float b = std::exp2(size(random)) * (i % 3 == 0 ? 1.f : -1.f);
      double exact = std::fmod(static_cast<double>(a), static_cast<double>(b));
      if (exact != 0. && (exact < 0.) != (b < 0.f)) exact += static_cast<double>(b);
      const float r = math::remainder(V(a), V(b)).get(0);
      if (r != static_cast<float>(exact)) FAIL_CHECK(a << " % " << b << " gives " << r);
      const double quotient = std::floor(static_cast<double>(a) / static_cast<double>(b));
      const float q = math::floor_divide(V(a), V(b)).get(0);
      // From 2^22 on (a - a % b) / b is rounded, in Python too.
      const double slack = std::fabs(quotient) < 0x1p22 ? 0. : 2e-7 * std::fabs(quotient);
      if (!(std::fabs(static_cast<double>(q) - quotient) <= slack))
        FAIL_CHECK(a << " // " << b << " gives " << q);
    }
  });
}
