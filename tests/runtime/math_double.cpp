// The vector and constant-evaluation functions of double: against long double over random
// arguments of all magnitudes, and against values of mpmath.
#include "support/architectures.hpp"
#include "support/catch.hpp"
#include "support/ulp.hpp"

#include <primal/cpu/batch_math.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace math = primal::math;
using primal::test::for_each_architecture;
using primal::test::ulp_error;
using primal::test::worst_error;

/// Every bit pattern is as likely, or every number of an interval.
class arguments {
 public:
  double any() { return __builtin_bit_cast(double, next()); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 1;
};

void show(const std::string& line) {
  if (std::getenv("PRIMAL_SHOW_ULP") != nullptr) WARN(line);
}

template <class A, class F>
void check(const char* architecture, const char* name, F f, long double (*exact)(long double),
           double low, double high, double bound) {
  using V = xsimd::batch<double, A>;
  arguments draw;
  worst_error<double> worst;
  std::array<double, V::size> x;
  std::array<double, V::size> y;
  for (int round = 0; round < 40000; ++round) {
    for (double& lane : x) lane = round % 4 == 0 ? draw.any() : draw.between(low, high);
    f(V::load_unaligned(x.data())).store_unaligned(y.data());
    for (std::size_t i = 0; i < V::size; ++i)
      worst.add(x[i], ulp_error(y[i], exact(static_cast<long double>(x[i]))));
  }
  std::ostringstream line;
  line.precision(17);
  line << architecture << ' ' << name << ": " << worst.ulp << " ulp at " << worst.at;
  INFO(line.str());
  show(line.str());
  CHECK(worst.ulp <= bound);
}

long double sigmoid(long double x) { return 1.L / (1.L + std::exp(-x)); }

template <class A> void check_all(const char* a) {
  check<A>(a, "exp", [](auto x) { return math::exp(x); }, std::exp, -750, 715, 1.5);
  check<A>(a, "exp", [](auto x) { return math::exp(x); }, std::exp, -2, 2, 1.5);
  check<A>(a, "expm1", [](auto x) { return math::expm1(x); }, std::expm1, -2, 2, 3.);
  check<A>(a, "expm1", [](auto x) { return math::expm1(x); }, std::expm1, -50, 715, 3.);
  check<A>(a, "log", [](auto x) { return math::log(x); }, std::log, 0.2, 4, 1.5);
  check<A>(a, "log2", [](auto x) { return math::log2(x); }, std::log2, 0.2, 4, 2.);
  check<A>(a, "log1p", [](auto x) { return math::log1p(x); }, std::log1p, -1, 3, 1.5);
  check<A>(a, "sin", [](auto x) { return math::sin(x); }, std::sin, -20, 20, 2.5);
  check<A>(a, "sin", [](auto x) { return math::sin(x); }, std::sin, -1e6, 1e6, 2.5);
  check<A>(a, "cos", [](auto x) { return math::cos(x); }, std::cos, -20, 20, 2.5);
  check<A>(a, "cos", [](auto x) { return math::cos(x); }, std::cos, -1e6, 1e6, 2.5);
  check<A>(a, "tan", [](auto x) { return math::tan(x); }, std::tan, -20, 20, 3.);
  check<A>(a, "tanh", [](auto x) { return math::tanh(x); }, std::tanh, -3, 3, 4.);
  check<A>(a, "sigmoid", [](auto x) { return math::sigmoid(x); }, sigmoid, -30, 30, 3.);
  check<A>(a, "erf", [](auto x) { return math::erf(x); }, std::erf, -1.1, 1.1, 3.);
  check<A>(a, "erf", [](auto x) { return math::erf(x); }, std::erf, -7, 7, 3.);
}

// Folding a constant gives the double nearest the value, or its neighbour.
static_assert(math::exp(1.) == 2.718281828459045 && math::log(10.) == 2.302585092994046);
static_assert(math::sqrt(2.) == 1.4142135623730951 && math::pow(2., 0.5) == 1.4142135623730951);
static_assert(math::exp(1.F) == 2.7182817F && math::tanh(0.5F) == 0.46211717F);
static_assert(math::floor_divide(-7., 2.) == -4. && math::remainder(-7., 2.) == 1.);
static_assert(math::floor_divide(-7, 2) == -4 && math::remainder(-7, 2) == 1);
static_assert(math::round(2.5) == 2. && math::floor(-0.5F) == -1.F && math::fma(2., 3., 1.) == 7.);
static_assert(math::sigmoid(-800.) == 0. && math::erf(10.) == 1. && math::gelu(0.) == 0.);

struct row {
  std::string function;
  double x, y;
  long double value;
};

std::vector<row> read(const char* name, bool named) {
  std::ifstream file(std::string(PRIMAL_TEST_DATA) + "/" + name);
  REQUIRE(file.good());
  std::vector<row> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string first, second, third;
    std::getline(fields, first, ',');
    std::getline(fields, second, ',');
    std::getline(fields, third, ',');
    const double a = std::strtod(first.c_str(), nullptr);
    const double b = std::strtod(second.c_str(), nullptr);
    const long double value = std::strtold(third.c_str(), nullptr);
    rows.push_back(named ? row{first, b, 0., value} : row{"pow", a, b, value});
  }
  REQUIRE(rows.size() > 100);
  return rows;
}

/// V is a register, or double itself.
template <class V> using function_of = V (*)(V);

template <class V> std::map<std::string, function_of<V>> functions() {
  return {{"exp", math::exp<V>},
          {"expm1", math::expm1<V>},
          {"log", math::log<V>},
          {"log2", math::log2<V>},
          {"log1p", math::log1p<V>},
          {"sin", math::sin<V>},
          {"cos", math::cos<V>},
          {"tan", math::tan<V>},
          {"tanh", math::tanh<V>},
          {"sigmoid", math::sigmoid<V>},
          {"erf", math::erf<V>},
          {"gelu", math::gelu<V>},
          {"gelu_slope", math::gelu_slope<V>}};
}

/// The error in ulp; of gelu and its slope in units of 2^-52, since they pass through 0.
double error(const row& r, double got) {
  if (r.function.starts_with("gelu"))
    return static_cast<double>(std::fabs(static_cast<long double>(got) - r.value)) * 0x1p52 /
           std::max(1., std::fabs(r.x));
  return ulp_error(got, r.value);
}

template <class Evaluate> void check_table(const char* who, Evaluate evaluate) {
  std::map<std::string, worst_error<double>> worst;
  for (const row& r : read("math_unary.csv", true))
    worst[r.function].add(r.x, error(r, evaluate(r.function, r.x)));
  for (const auto& [function, w] : worst) {
    std::ostringstream line;
    line.precision(17);
    line << who << ' ' << function << ": " << w.ulp << " ulp at " << w.at << " (table)";
    INFO(line.str());
    show(line.str());
    CHECK(w.ulp <= 4.);
  }
}

}  // namespace

TEST_CASE("double functions stay within their error over all magnitudes") {
  for_each_architecture([]<class A>(const char* name) { check_all<A>(name); });
}

TEST_CASE("double functions agree with mpmath") {
  for_each_architecture([]<class A>(const char* name) {
    using V = xsimd::batch<double, A>;
    const auto all = functions<V>();
    check_table(name, [&](const std::string& f, double x) { return all.at(f)(V(x)).get(0); });
  });
  const auto all = functions<double>();
  check_table("scalar", [&](const std::string& f, double x) { return all.at(f)(x); });
}

TEST_CASE("functions of constant evaluation agree with mpmath") {
  namespace constant = math::constant;
  const std::map<std::string, double (*)(double)> all{
      {"expm1", constant::expm1},
      {"log", constant::log},
      {"log2", constant::log2},
      {"log1p", constant::log1p},
      {"sin", constant::sin},
      {"cos", constant::cos},
      {"tan", constant::tan},
      {"tanh", constant::tanh},
      {"sigmoid", constant::sigmoid},
      {"erf", constant::erf},
      {"exp", [](double x) { return constant::exp(x); }}};
  for (const row& r : read("math_unary.csv", true)) {
    if (!all.contains(r.function)) continue;
    const bool angle = r.function == "sin" || r.function == "cos" || r.function == "tan";
    if (angle && std::fabs(r.x) > 1e6) continue;
    INFO(r.function << " of " << r.x);
    CHECK(ulp_error(all.at(r.function)(r.x), r.value) <= 4.);
  }
  for (const row& r : read("math_pow.csv", false)) {
    INFO(r.x << " to the " << r.y);
    CHECK(ulp_error(constant::pow(r.x, r.y), r.value) <= 2.);
  }
}

TEST_CASE("double pow agrees with mpmath") {
  for_each_architecture([]<class A>(const char* name) {
    using V = xsimd::batch<double, A>;
    worst_error<double> worst;
    for (const row& r : read("math_pow.csv", false))
      worst.add(r.x, ulp_error(math::pow(V(r.x), V(r.y)).get(0), r.value));
    INFO(name << ": " << worst.ulp << " at " << worst.at);
    show(std::string(name) + " pow: " + std::to_string(worst.ulp) + " ulp at (table)");
    CHECK(worst.ulp <= 4.);
  });
}
