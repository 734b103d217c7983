// Values that are taken apart and joined again: kernels calculate parts, the interpreter the whole.
#include <support/lanes.hpp>

#include <limits>

namespace pm = primal;
using namespace primal::test;

namespace {

constexpr double tolerance = 2e-5;

template <int Axis> constexpr auto row_of(const pm::tensor& u, int i) {
  return Axis == 0 ? u(i) : u(pm::ellipsis, i);
}
template <int Axis>
constexpr auto lorenz = [](pm::tensor u, auto p) {
  const auto x = row_of<Axis>(u, 0), y = row_of<Axis>(u, 1), z = row_of<Axis>(u, 2);
  return pm::stack({p(0) * (y - x), x * (p(1) - z) - y, x * y - p(2) * z}, {.axis = Axis});
};
template <int Axis>
constexpr auto runge_kutta = [](auto u, auto p) {
  constexpr auto f = lorenz<Axis>;
  constexpr float h = 0.05f;
  const auto k1 = f(u, p), k2 = f(u + 0.5f * h * k1, p), k3 = f(u + 0.5f * h * k2, p),
             k4 = f(u + h * k3, p);
  return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
};
template <int Axis>
constexpr auto energy = [](auto u, auto p) { return pm::sum(pm::square(runge_kutta<Axis>(u, p))); };

constexpr auto differences = [](auto x) {
  const auto u = pm::square(x) * 0.5f;
  return pm::sum(pm::square(u(pm::range(1, -1)) - u(pm::range(0, -2)))) +
         pm::sum(u(pm::range(-1, 0, -2)));
};
constexpr auto gated = [](auto x, auto b, auto c) {
  const auto [p, q] = pm::split<2>(pm::gelu(x + b), {.axis = -1});
  const auto y = p * pm::sigmoid(q);
  const auto [r, s] = pm::split<2>(y, {.axis = -1});
  return pm::sum(pm::square(y * c + pm::concat({-s, r}, {.axis = -1}) * (1 - c)));
};
constexpr auto covariance = [](auto p) {
  const auto p00 = p(0, 0), p01 = p(0, 1), p10 = p(1, 0), p11 = p(1, 1);
  const auto next =
      pm::stack({pm::stack({p00 + 0.1f * (p01 + p10) + 0.01f * p11, p01 + 0.1f * p11}),
                 pm::stack({p10 + 0.1f * p11, p11})});
  return std::tuple(next, pm::sum(next * next));
};
constexpr auto of_covariance = [](auto p) { return std::get<1>(covariance(p)); };

}  // namespace

TEST_CASE("steps of a differential equation, with their gradients") {
  const auto p = sample<float, 1>({3}, 60);
  for (const std::size_t n : {1u, 2u, 17u, 4100u}) {
    const auto columns = sample<float, 2>({3, n}, 61), rows = sample<float, 2>({n, 3}, 62);
    same_as_interpreter(runge_kutta<0>, tolerance, columns, p);
    same_as_interpreter(pm::value_and_grad<0, 1>(energy<0>), 20 * tolerance, columns, p);
    same_as_interpreter(pm::value_and_grad<0, 1>(energy<1>), 20 * tolerance, rows, p);
  }
}

TEST_CASE("steps of known extents and of no columns") {
  const auto p = sample<float, 1>({3}, 64);
  const auto s = sample<float, 2>({3, 8}, 65);
  using states = pm::array<float, 3, 8>;
  using numbers = pm::array<float, 3>;
  const auto got = pm::compile<states, numbers>(runge_kutta<0>)(s, p);
  const auto free = pm::compile(runge_kutta<0>)(s, p);
  CHECK(xt::amax(xt::abs(got - free))() < 1e-5f);
  const xt::xtensor<float, 2> nothing = xt::zeros<float>({3, 0});
  const auto [value, slopes] = pm::compile(pm::value_and_grad<0, 1>(energy<0>))(nothing, p);
  const auto& [dx, dp] = slopes;
  CHECK(value == 0);
  CHECK(dx.size() == 0);
  CHECK(xt::all(xt::equal(dp, 0.f)));
}

TEST_CASE("differences, halves and matrices by their elements, with their gradients") {
  for (const std::size_t n : {3u, 4u, 18u, 5000u}) {
    const auto x = sample<float, 1>({n}, 66);
    same_as_interpreter(pm::value_and_grad(differences), 5 * tolerance, x);
  }
  const auto b = sample<float, 1>({64}, 67), c = sample<float, 1>({32}, 68);
  const auto x = sample<float, 2>({9, 64}, 69);
  same_as_interpreter(pm::value_and_grad<0, 1, 2>(gated), 20 * tolerance, x, b, c);
  const auto m = sample<float, 3>({2, 2, 19}, 70);
  same_as_interpreter(covariance, 5 * tolerance, m);
  same_as_interpreter(pm::grad(of_covariance), 5 * tolerance, m);
}

TEST_CASE("infinite parts stay where they are") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr auto scaled = [](auto x) {
    const auto y = pm::stack({pm::exp(x(0)), x(1) * 0.0f, x(2)});
    return y * 2 + 0;
  };
  const xt::xtensor<float, 2> x = {{1000, 0}, {infinity, 1}, {-0.0f, std::nanf("")}};
  const auto y = pm::compile<pm::array<float, 3, pm::dyn>>(scaled)(x);
  CHECK(y(0, 0) == infinity);
  CHECK(y(0, 1) == 2);
  CHECK(std::isnan(y(1, 0)));
  CHECK(y(1, 1) == 0);
  CHECK(y(2, 0) == 0);
  CHECK(std::isnan(y(2, 1)));
  // A branch that is not taken makes no NaN, whichever part it belongs to.
  constexpr auto safe = [](auto u) {
    const auto a = pm::where(u(0) > 0, pm::sqrt(u(0)), 0.0f), b = u(1) * a;
    return pm::sum(pm::stack({a, b}) * u(pm::range(0, 2)));
  };
  const auto dx = pm::compile<pm::array<float, 3, pm::dyn>>(pm::grad(safe))(
      xt::xtensor<float, 2>{{0, 4}, {1, 1}, {5, 5}});
  CHECK(xt::all(xt::isfinite(dx)));
  CHECK(xt::all(xt::equal(xt::row(dx, 2), 0.f)));
}
