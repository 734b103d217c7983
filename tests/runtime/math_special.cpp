// Special values of every function, in every lane, and the functions that are exact.
#include "support/architectures.hpp"
#include "support/catch.hpp"
#include "support/ulp.hpp"

#include <primal/cpu/batch_math.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace math = primal::math;
using primal::test::for_each_architecture;
using primal::test::ulp_error;

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr T denormal = std::numeric_limits<T>::denorm_min();
template <class T> constexpr T largest = std::numeric_limits<T>::max();

/// The same number with the same sign, or both NaN.
template <class T> bool same(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class T> struct one_argument {
  T x;
  T value;
};
template <class T> struct two_arguments {
  T x, y;
  T value;
};

/// f of x in each lane in turn, the others holding an ordinary number.
template <class T, class A, class F>
void check_lanes(const std::string& name, F f, const std::vector<one_argument<T>>& cases) {
  using V = xsimd::batch<T, A>;
  for (const auto& [x, value] : cases) {
    for (std::size_t lane = 0; lane < V::size; ++lane) {
      std::array<T, V::size> in;
      in.fill(T(0.75));
      in[lane] = x;
      std::array<T, V::size> out;
      f(V::load_unaligned(in.data())).store_unaligned(out.data());
      INFO(name << '(' << x << ") in lane " << lane << " gives " << out[lane]);
      CHECK(same(out[lane], value));
      const T ordinary = f(V(T(0.75))).get(0);
      for (std::size_t other = 0; other < V::size; ++other)
        if (other != lane && !same(out[other], ordinary))
          FAIL_CHECK("lane " << other << " changed");
    }
  }
  for (const auto& [x, value] : cases) {
    INFO("scalar " << name << '(' << x << ") gives " << f(x));
    CHECK(same(f(x), value));
  }
}

template <class T, class A, class F>
void check_lanes(const std::string& name, F f, const std::vector<two_arguments<T>>& cases) {
  using V = xsimd::batch<T, A>;
  for (const auto& [x, y, value] : cases) {
    for (std::size_t lane = 0; lane < V::size; ++lane) {
      std::array<T, V::size> a, b, out;
      a.fill(T(0.75));
      b.fill(T(2));
      a[lane] = x;
      b[lane] = y;
      f(V::load_unaligned(a.data()), V::load_unaligned(b.data())).store_unaligned(out.data());
      INFO(name << '(' << x << ", " << y << ") in lane " << lane << " gives " << out[lane]);
      CHECK(same(out[lane], value));
    }
    INFO("scalar " << name << '(' << x << ", " << y << ") gives " << f(x, y));
    CHECK(same(f(x, y), value));
  }
}

template <class T, class A> void check_unary() {
  constexpr T inf = infinity<T>, tiny = denormal<T>, big = largest<T>;
  using cases = std::vector<one_argument<T>>;
  const T n = nan<T>;
  check_lanes<T, A>(
      "exp", [](auto x) { return math::exp(x); },
      cases{{n, n}, {inf, inf}, {-inf, 0}, {0, 1}, {T(-0.), 1}, {tiny, 1}, {big, inf}, {-big, 0}});
  check_lanes<T, A>(
      "expm1", [](auto x) { return math::expm1(x); },
      cases{{n, n},
            {inf, inf},
            {-inf, -1},
            {0, 0},
            {T(-0.), T(-0.)},
            {tiny, tiny},
            {-tiny, -tiny},
            {big, inf},
            {-big, -1}});
  check_lanes<T, A>(
      "log", [](auto x) { return math::log(x); },
      cases{{n, n}, {inf, inf}, {-inf, n}, {0, -inf}, {T(-0.), -inf}, {1, 0}, {-tiny, n}, {-1, n}});
  check_lanes<T, A>(
      "log2", [](auto x) { return math::log2(x); },
      cases{{n, n},
            {inf, inf},
            {-inf, n},
            {0, -inf},
            {T(-0.), -inf},
            {1, 0},
            {8, 3},
            {T(0.125), -3},
            {-1, n},
            {tiny, sizeof(T) == 4 ? T(-149) : T(-1074)}});
  check_lanes<T, A>(
      "log1p", [](auto x) { return math::log1p(x); },
      cases{{n, n},
            {inf, inf},
            {-inf, n},
            {-1, -inf},
            {-2, n},
            {0, 0},
            {T(-0.), T(-0.)},
            {tiny, tiny},
            {-tiny, -tiny}});
  check_lanes<T, A>(
      "sqrt", [](auto x) { return math::sqrt(x); },
      cases{{n, n}, {inf, inf}, {-1, n}, {0, 0}, {T(-0.), T(-0.)}, {4, 2}});
  check_lanes<T, A>(
      "rsqrt", [](auto x) { return math::rsqrt(x); },
      cases{{n, n}, {inf, 0}, {-1, n}, {0, inf}, {T(-0.), -inf}, {4, T(0.5)}});
  check_lanes<T, A>(
      "sin", [](auto x) { return math::sin(x); },
      cases{{n, n}, {inf, n}, {-inf, n}, {0, 0}, {T(-0.), T(-0.)}, {tiny, tiny}});
  check_lanes<T, A>(
      "cos", [](auto x) { return math::cos(x); },
      cases{{n, n}, {inf, n}, {-inf, n}, {0, 1}, {tiny, 1}});
  check_lanes<T, A>(
      "tan", [](auto x) { return math::tan(x); },
      cases{{n, n}, {inf, n}, {-inf, n}, {0, 0}, {T(-0.), T(-0.)}});
  check_lanes<T, A>(
      "tanh", [](auto x) { return math::tanh(x); },
      cases{{n, n},
            {inf, 1},
            {-inf, -1},
            {0, 0},
            {T(-0.), T(-0.)},
            {tiny, tiny},
            {-tiny, -tiny},
            {big, 1},
            {30, 1}});
  check_lanes<T, A>(
      "sigmoid", [](auto x) { return math::sigmoid(x); },
      cases{{n, n}, {inf, 1}, {-inf, 0}, {0, T(0.5)}, {T(-0.), T(0.5)}, {big, 1}, {-big, 0}});
  check_lanes<T, A>(
      "erf", [](auto x) { return math::erf(x); },
      cases{{n, n}, {inf, 1}, {-inf, -1}, {0, 0}, {T(-0.), T(-0.)}, {big, 1}, {10, 1}});
  check_lanes<T, A>(
      "gelu", [](auto x) { return math::gelu(x); }, cases{{n, n}, {inf, inf}, {big, big}, {0, 0}});
  check_lanes<T, A>(
      "gelu_slope", [](auto x) { return math::gelu_slope(x); },
      cases{{n, n}, {inf, 1}, {-inf, 0}, {0, T(0.5)}});
  check_lanes<T, A>(
      "tanh_gelu", [](auto x) { return math::tanh_gelu(x); },
      cases{{n, n}, {inf, inf}, {big, big}, {0, 0}});
  check_lanes<T, A>(
      "tanh_gelu_slope", [](auto x) { return math::tanh_gelu_slope(x); },
      cases{{n, n}, {inf, 1}, {-inf, 0}, {0, T(0.5)}});
  check_lanes<T, A>(
      "sign", [](auto x) { return math::sign(x); },
      cases{{n, n}, {inf, 1}, {-inf, -1}, {0, 0}, {tiny, 1}, {-tiny, -1}, {T(-0.), T(-0.)}});
  check_lanes<T, A>(
      "abs", [](auto x) { return math::abs(x); }, cases{{n, n}, {-inf, inf}, {T(-0.), 0}, {-2, 2}});
  check_lanes<T, A>(
      "negate", [](auto x) { return math::negate(x); },
      cases{{n, n}, {inf, -inf}, {0, T(-0.)}, {T(-0.), 0}, {2, -2}});
  check_lanes<T, A>(
      "round", [](auto x) { return math::round(x); },
      cases{{n, n},
            {inf, inf},
            {T(-0.), T(-0.)},
            {T(0.5), 0},
            {T(1.5), 2},
            {T(2.5), 2},
            {T(-0.5), T(-0.)},
            {T(-2.5), -2},
            {big, big}});
  check_lanes<T, A>(
      "floor", [](auto x) { return math::floor(x); },
      cases{{n, n},
            {-inf, -inf},
            {T(-0.), T(-0.)},
            {T(0.5), 0},
            {T(-0.5), -1},
            {-tiny, -1},
            {big, big}});
  check_lanes<T, A>(
      "ceil", [](auto x) { return math::ceil(x); },
      cases{{n, n},
            {inf, inf},
            {T(-0.), T(-0.)},
            {T(0.5), 1},
            {T(-0.5), T(-0.)},
            {tiny, 1},
            {-big, -big}});
  check_lanes<T, A>(
      "trunc", [](auto x) { return math::trunc(x); },
      cases{{n, n}, {inf, inf}, {T(-0.), T(-0.)}, {T(1.75), 1}, {T(-0.75), T(-0.)}});
}

template <class T, class A> void check_binary() {
  constexpr T inf = infinity<T>;
  const T n = nan<T>;
  using cases = std::vector<two_arguments<T>>;
  check_lanes<T, A>(
      "maximum", [](auto a, auto b) { return math::maximum(a, b); },
      cases{{n, 1, n},
            {1, n, n},
            {n, n, n},
            {inf, 1, inf},
            {-inf, 1, 1},
            {1, 2, 2},
            {2, 1, 2},
            {n, inf, n},
            {inf, n, n}});
  check_lanes<T, A>(
      "minimum", [](auto a, auto b) { return math::minimum(a, b); },
      cases{{n, 1, n},
            {1, n, n},
            {n, n, n},
            {inf, 1, 1},
            {-inf, 1, -inf},
            {1, 2, 1},
            {2, 1, 1},
            {n, -inf, n},
            {-inf, n, n}});
  check_lanes<T, A>(
      "remainder", [](auto a, auto b) { return math::remainder(a, b); },
      cases{{7, 3, 1},
            {-7, 3, 2},
            {7, -3, -2},
            {-7, -3, -1},
            {6, 3, 0},
            {-6, 3, 0},
            {6, -3, T(-0.)},
            {1, 0, n},
            {inf, 1, n},
            {1, inf, 1},
            {-1, inf, inf},
            {1, -inf, -inf},
            {n, 1, n},
            {1, n, n},
            {T(1e30), 7, std::fmod(T(1e30), T(7))},
            {0, 5, 0},
            {T(5.5), 2, T(1.5)}});
  check_lanes<T, A>(
      "floor_divide", [](auto a, auto b) { return math::floor_divide(a, b); },
      cases{{7, 3, 2},
            {-7, 3, -3},
            {7, -3, -3},
            {-7, -3, 2},
            {6, 3, 2},
            {1, 0, inf},
            {-1, 0, -inf},
            {0, 0, n},
            {inf, 1, n},
            {1, inf, 0},
            {-1, inf, -1},
            {n, 1, n},
            {1, n, n},
            {T(5.5), 2, 2}});
  check_lanes<T, A>(
      "pow", [](auto a, auto b) { return math::pow(a, b); },
      cases{{n, 0, 1},
            {1, n, 1},
            {n, 1, n},
            {2, n, n},
            {0, 0, 1},
            {inf, 0, 1},
            {0, 2, 0},
            {0, -2, inf},
            {T(-0.), 3, T(-0.)},
            {T(-0.), -3, -inf},
            {T(-0.), 2, 0},
            {T(-0.), -2, inf},
            {T(-0.), T(0.5), 0},
            {T(-0.), T(-0.5), inf},
            {inf, 2, inf},
            {inf, -2, 0},
            {-inf, 3, -inf},
            {-inf, 2, inf},
            {-inf, -3, T(-0.)},
            {-inf, T(0.5), inf},
            {-1, inf, 1},
            {-1, -inf, 1},
            {2, inf, inf},
            {2, -inf, 0},
            {T(0.5), inf, 0},
            {T(0.5), -inf, inf},
            {-2, 3, -8},
            {-2, 2, 4},
            {-2, T(0.5), n},
            {2, 10, 1024},
            {-8, -1, T(-0.125)},
            {0, inf, 0},
            {0, -inf, inf},
            {inf, inf, inf},
            {inf, -inf, 0},
            {1, inf, 1},
            {T(0.999), largest<T>, 0},
            {-1, largest<T>, 1},
            {2, T(-4000), 0},
            {2, T(4000), inf},
            {-2, T(4001), -inf},
            {denormal<T>, 1, denormal<T>}});
}

template <class T, class A> void check_tests() {
  using V = xsimd::batch<T, A>;
  const std::vector<T> numbers{0,           T(-0.),       1,     denormal<T>, largest<T>,
                               infinity<T>, -infinity<T>, nan<T>};
  for (T x : numbers) {
    INFO(x);
    CHECK(math::isnan(V(x)).get(0) == std::isnan(x));
    CHECK(math::isinf(V(x)).get(0) == std::isinf(x));
    CHECK(math::isfinite(V(x)).get(0) == std::isfinite(x));
    CHECK(math::isnan(x) == std::isnan(x));
    CHECK(math::isinf(x) == std::isinf(x));
    CHECK(math::isfinite(x) == std::isfinite(x));
    CHECK(math::not_equal(V(x), V(x)).get(0) == std::isnan(x));
    CHECK(same(math::select(math::isnan(V(x)), V(T(1)), V(T(2))).get(0),
               std::isnan(x) ? T(1) : T(2)));
  }
}

}  // namespace

TEST_CASE("special values are those of C99 in every lane") {
  for_each_architecture([]<class A>(const char* name) {
    INFO(name);
    check_unary<float, A>();
    check_unary<double, A>();
    check_binary<float, A>();
    check_binary<double, A>();
    check_tests<float, A>();
    check_tests<double, A>();
  });
}

TEST_CASE("exp overflows and underflows where float does") {
  for_each_architecture([]<class A>(const char* name) {
    INFO(name);
    using V = xsimd::batch<float, A>;
    CHECK(std::isfinite(math::exp(V(88.7228f)).get(0)));
    CHECK(std::isinf(math::exp(V(88.7229f)).get(0)));
    CHECK(ulp_error(math::exp(V(-100.f)).get(0), std::exp(-100.)) <= 1.);
    CHECK(math::exp(V(-103.9f)).get(0) == std::numeric_limits<float>::denorm_min());
    CHECK(math::sigmoid(V(-100.f)).get(0) > 0.f);
    using W = xsimd::batch<double, A>;
    CHECK(std::isfinite(math::exp(W(709.78)).get(0)));
    CHECK(math::exp(W(-745.)).get(0) == std::numeric_limits<double>::denorm_min());
  });
}

TEST_CASE("gelu of minus infinity is zero") {
  for_each_architecture([]<class A>(const char* name) {
    INFO(name);
    CHECK(math::gelu(xsimd::batch<float, A>(-infinity<float>)).get(0) == 0.f);
    CHECK(math::gelu(xsimd::batch<double, A>(-infinity<double>)).get(0) == 0.);
    CHECK(math::gelu(-infinity<float>) == 0.f);
    CHECK(math::gelu(-infinity<double>) == 0.);
  });
}
