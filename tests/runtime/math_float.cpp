// The vector functions of float over a stride of all bit patterns, against the double functions of
// the standard library; each for every register width that this build can use.
#include "support/architectures.hpp"
#include "support/catch.hpp"
#include "support/ulp.hpp"

#include <primal/cpu/batch_math.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <sstream>

namespace {

using primal::test::for_each_architecture;
using primal::test::ulp_error;
using primal::test::worst_error;

double sigmoid(double x) { return 1. / (1. + std::exp(-x)); }
double rsqrt(double x) { return 1. / std::sqrt(x); }

/// The worst error of F over every `stride`-th float.
template <class A, class F>
worst_error<float> sweep(F f, double (*exact)(double), std::uint32_t stride) {
  using V = xsimd::batch<float, A>;
  worst_error<float> worst;
  std::array<float, V::size> x;
  std::array<float, V::size> y;
  for (std::uint64_t next = 0; next < (std::uint64_t{1} << 32);) {
    for (float& lane : x) {
      lane = __builtin_bit_cast(float, static_cast<std::uint32_t>(next));
      next += stride;
    }
    f(V::load_unaligned(x.data())).store_unaligned(y.data());
    for (std::size_t i = 0; i < V::size; ++i)
      worst.add(x[i], ulp_error(y[i], exact(static_cast<double>(x[i]))));
  }
  return worst;
}

template <class A> void check_all(const char* architecture, std::uint32_t stride) {
  const auto check = [&](const char* name, auto f, double (*exact)(double), double bound) {
    const auto worst = sweep<A>(f, exact, stride);
    INFO(architecture << ' ' << name << ": " << worst.ulp << " ulp at " << worst.at);
    CHECK(worst.ulp <= bound);
    if (std::getenv("PRIMAL_SHOW_ULP") != nullptr)
      WARN(architecture << ' ' << name << ": " << worst.ulp << " ulp at " << worst.at);
  };
  namespace math = primal::math;
  check("exp", [](auto x) { return math::exp(x); }, std::exp, 1.5);
  check("expm1", [](auto x) { return math::expm1(x); }, std::expm1, 2.5);
  check("log", [](auto x) { return math::log(x); }, std::log, 1.5);
  check("log2", [](auto x) { return math::log2(x); }, std::log2, 2.5);
  check("log1p", [](auto x) { return math::log1p(x); }, std::log1p, 2.5);
  check("sqrt", [](auto x) { return math::sqrt(x); }, std::sqrt, 0.51);
  check("rsqrt", [](auto x) { return math::rsqrt(x); }, rsqrt, 1.5);
  check("sin", [](auto x) { return math::sin(x); }, std::sin, 2.5);
  check("cos", [](auto x) { return math::cos(x); }, std::cos, 2.5);
  check("tan", [](auto x) { return math::tan(x); }, std::tan, 2.5);
  check("tanh", [](auto x) { return math::tanh(x); }, std::tanh, 2.5);
  check("sigmoid", [](auto x) { return math::sigmoid(x); }, sigmoid, 2.5);
  check("erf", [](auto x) { return math::erf(x); }, std::erf, 2.5);
  check("round", [](auto x) { return math::round(x); }, std::nearbyint, 0.);
  check("floor", [](auto x) { return math::floor(x); }, std::floor, 0.);
  check("ceil", [](auto x) { return math::ceil(x); }, std::ceil, 0.);
  check("trunc", [](auto x) { return math::trunc(x); }, std::trunc, 0.);
  check("abs", [](auto x) { return math::abs(x); }, std::fabs, 0.);
}

/// gelu and its slope, in both forms, are accurate to a part of max(|x|, 1), not in their tails.
template <class A> void check_gelu(const char* architecture) {
  using V = xsimd::batch<float, A>;
  namespace math = primal::math;
  using formula = primal::tanh_gelu_formula<double>;
  std::array<double, 4> worst{};
  for (double d = -12.; d < 12.; d += 1e-5) {
    const float x = static_cast<float>(d);
    const double t = static_cast<double>(x);
    const double phi = 0.5 * std::erfc(-t * std::sqrt(0.5));
    const double density = std::exp(-0.5 * t * t) * 0.3989422804014327;
    const auto add = [&](double& own, V value, double exact, double scale) {
      own = std::max(own, std::fabs(static_cast<double>(value.get(0)) - exact) / scale);
    };
    const double scale = std::max(1., std::fabs(t));
    add(worst[0], math::gelu(V(x)), t * phi, scale);
    add(worst[1], math::gelu_slope(V(x)), phi + t * density, 1.);
    add(worst[2], math::tanh_gelu(V(x)), formula::value(t), scale);
    add(worst[3], math::tanh_gelu_slope(V(x)), formula::derivative(t), 1.);
  }
  std::ostringstream line;
  line << architecture << ": gelu " << worst[0] << ", slope " << worst[1] << "; by tanh "
       << worst[2] << ", slope " << worst[3];
  INFO(line.str());
  if (std::getenv("PRIMAL_SHOW_ULP") != nullptr) WARN(line.str());
  CHECK(worst[0] < 1.5e-7);
  CHECK(worst[1] < 3e-7);
  CHECK(worst[2] < 1.5e-7);
  CHECK(worst[3] < 3e-7);
}

}  // namespace

TEST_CASE("float functions stay within their error over all magnitudes") {
  for_each_architecture([]<class A>(const char* name) { check_all<A>(name, 4099); });
}

TEST_CASE("float gelu and its slope are accurate to a float") {
  for_each_architecture([]<class A>(const char* name) { check_gelu<A>(name); });
}

// PRIMAL_MATH_STRIDE=1 tries every float: an hour and a half.
TEST_CASE("float functions stay within their error for many more floats", "[.long]") {
  const char* stride = std::getenv("PRIMAL_MATH_STRIDE");
  check_all<xsimd::default_arch>(
      "default", stride == nullptr ? 61 : static_cast<std::uint32_t>(std::atoi(stride)));
}
