// Gradients of scalar functions of many numbers, in float64: the tests of the autodiff literature (sum,
// product, log-sum-exp, matrix product, normal log-density, linear regression, stochastic volatility)
// at 1,000 and 100,000 numbers. grad_over_value is the time of value and gradient over that of the
// value. x_hand is a plain loop; x_adolc replays a tape of ADOL-C, recorded beforehand; x_eigen is the
// forward mode of Eigen's AutoDiff, where it has an end. All write the same arrays.
#include "work.hpp"

#if defined(PRIMAL_BENCH_ADOLC)
#include <adolc/adolc.h>
#endif
#if __has_include(<eigen3/unsupported/Eigen/AutoDiff>)
#include <eigen3/Eigen/Core>
#include <eigen3/unsupported/Eigen/AutoDiff>
#define PRIMAL_BENCH_EIGEN
#endif

#include <utility>

namespace {

namespace pm = primal;

constexpr double half_log_2_pi = 0.91893853320467274;

// The functions: each for tensors, and as a loop over numbers of any kind. Arguments of a loop are the
// inputs in order, parameters as pointers to T and data as pointers to double, and a length.

/// The logarithm of the normal density, summed.
constexpr auto normal_sum = [](auto x, auto mu, auto sigma) {
  const auto z = (x - mu) / sigma;
  return pm::sum(-0.5 * z * z - pm::log(sigma) - half_log_2_pi);
};
template <class X, class T> T normal_term(const X& x, const T& mu, const T& sigma) {
  using std::log;
  const T z = (x - mu) / sigma;
  return -0.5 * z * z - log(sigma) - half_log_2_pi;
}

/// Inputs are waves unless a function changes them.
struct function {
  template <class A> static void prepare(A&) {}
};

struct sum : function {
  static constexpr auto model = [](auto x) { return pm::sum(x); };
  template <class T> static T loop(const T* x, std::int64_t n) {
    T s = x[0];
    for (std::int64_t i = 1; i < n; ++i) s += x[i];
    return s;
  }
};

struct prod {
  static constexpr auto model = [](auto x) { return pm::prod(x); };
  template <class A> static void prepare(A& a) {
    for (std::int64_t i = 0; i < a.extent(0, 0); ++i)
      a.template x<0>()[i] = 1 + a.template x<0>()[i] / 1000;
  }
  template <class T> static T loop(const T* x, std::int64_t n) {
    T p = x[0];
    for (std::int64_t i = 1; i < n; ++i) p *= x[i];
    return p;
  }
};

struct log_sum_exp : function {
  static constexpr auto model = [](auto x) { return pm::logsumexp(x, {.axes = 0}); };
  template <class T> static T loop(const T* x, std::int64_t n) {
    using std::exp, std::log;
    T top = x[0], s = 0;
    for (std::int64_t i = 1; i < n; ++i)
      if (x[i] > top) top = x[i];
    for (std::int64_t i = 0; i < n; ++i) s += exp(x[i] - top);
    return log(s) + top;
  }
};

struct sum_of_matmul : function {
  static constexpr auto model = [](auto a, auto b) { return pm::sum(pm::matmul(a, b)); };
  template <class T> static T loop(const T* a, const T* b, std::int64_t n) {
    T s = 0;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T c = a[i * n] * b[j];
        for (std::int64_t k = 1; k < n; ++k) c += a[i * n + k] * b[k * n + j];
        s += c;
      }
    return s;
  }
};

struct normal_density {
  static constexpr auto model = normal_sum;
  template <class A> static void prepare(A& a) { *a.template x<2>() = 1.3; }
  template <class T> static T loop(const T* x, const T* mu, const T* sigma, std::int64_t n) {
    T s = 0;
    for (std::int64_t i = 0; i < n; ++i) s += normal_term(x[i], *mu, *sigma);
    return s;
  }
};

constexpr std::int64_t features = 8;

struct linear_regression {
  static constexpr auto model = [](auto w, auto bias, auto sigma, auto x, auto y) {
    return normal_sum(y, pm::matmul(x, w) + bias, sigma);
  };
  template <class A> static void prepare(A& a) { *a.template x<2>() = 1.3; }
  template <class T>
  static T loop(const T* w, const T* bias, const T* sigma, const double* x, const double* y,
                std::int64_t n) {
    T s = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      T mean = *bias;
      for (std::int64_t k = 0; k < features; ++k) mean += x[i * features + k] * w[k];
      s += normal_term(y[i], mean, *sigma);
    }
    return s;
  }
};

struct stochastic_volatility {
  static constexpr auto model = [](auto h, auto mu, auto phi, auto sigma, auto y) {
    const auto before = h(pm::range(pm::none, -1)), after = h(pm::range(1, pm::none));
    return normal_sum(h(pm::range(0, 1)), mu, sigma / pm::sqrt(1 - phi * phi)) +
           normal_sum(after, mu + phi * (before - mu), sigma) + normal_sum(y, 0, pm::exp(0.5 * h));
  };
  template <class A> static void prepare(A& a) {
    *a.template x<1>() = 0.1, *a.template x<2>() = 0.2, *a.template x<3>() = 1.3;
  }
  template <class T>
  static T loop(const T* h, const T* mu, const T* phi, const T* sigma, const double* y,
                std::int64_t n) {
    using std::exp, std::sqrt;
    const T wide = *sigma / sqrt(1 - *phi * *phi), zero = 0;
    T s = normal_term(h[0], *mu, wide);
    for (std::int64_t i = 1; i < n; ++i) {
      const T mean = *mu + *phi * (h[i - 1] - *mu);
      s += normal_term(h[i], mean, *sigma);
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const T scale = exp(0.5 * h[i]);
      s += normal_term(y[i], zero, scale);
    }
    return s;
  }
};

// ---- others that differentiate the loops ---------------------------------------------------------

/// The parameters of `a` one after another.
template <class A> std::vector<double> parameters_of(const A& a) {
  std::vector<double> p;
  bench::with_each_of<A::wanted>([&]<int... I> {
    (p.insert(p.end(), std::get<I>(a.in).data, std::get<I>(a.in).data + a.size(std::get<I>(a.in))),
     ...);
  });
  return p;
}
template <class A> void store_gradient(A& a, const double* g) {
  a.for_each_gradient(
      [&](const auto& v) { g = (std::copy_n(g, a.size(v), v.data), g + a.size(v)); });
}

/// Calls the loop with parameters that lie one after another at `p`.
template <class F, class T, class A> T call(const A& a, const T* p, std::int64_t n) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto input = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      const auto& v = std::get<K>(a.in);
      if constexpr (K < A::wanted.size()) return std::exchange(p, p + a.size(v));
      else return static_cast<const double*>(v.data);
    };
    const std::tuple inputs{input(std::integral_constant<std::size_t, I>{})...};
    return F::loop(std::get<I>(inputs)..., n);
  }(std::make_index_sequence<std::tuple_size_v<decltype(a.in)>>{});
}

/// The plain loop, where the parameters lie.
template <class F, class A> void by_hand(A& a, std::int64_t n) {
  *a.out.data = std::apply(
      [&](const auto&... v) { return F::loop(static_cast<const double*>(v.data)..., n); }, a.in);
}

#if defined(PRIMAL_BENCH_ADOLC)
/// Records the loop, and returns what evaluates the tape and goes back over it.
template <class F, class A> auto adolc(std::int64_t n) {
  static short last = 0;
  return [n, tag = ++last, recorded = false](A& a) mutable {
    const auto p = parameters_of(a);
    const auto count = static_cast<int>(p.size());
    double value = 0, one = 1;
    if (!std::exchange(recorded, true)) {
      trace_on(tag);  // larger buffers than the default make it slower
      std::vector<adouble> x(p.size());
      for (std::size_t i = 0; i < p.size(); ++i) x[i] <<= p[i];
      adouble y = call<F, adouble>(a, x.data(), n);
      y >>= value;
      trace_off();
    }
    std::vector<double> gradient(p.size());
    zos_forward(tag, 1, count, 1, p.data(), &value);
    fos_reverse(tag, 1, count, &one, gradient.data());
    *a.out.data = value;
    store_gradient(a, gradient.data());
  };
}
#endif

#if defined(PRIMAL_BENCH_EIGEN)
template <class F, class A> void eigen(A& a, std::int64_t n) {
  using number = Eigen::AutoDiffScalar<Eigen::VectorXd>;
  const auto p = parameters_of(a);
  std::vector<number> x;
  for (std::size_t i = 0; i < p.size(); ++i)
    x.emplace_back(p[i], static_cast<Eigen::Index>(p.size()), static_cast<Eigen::Index>(i));
  const number y = call<F, number>(a, x.data(), n);
  *a.out.data = y.value();
  store_gradient(a, y.derivatives().data());
}
#endif

// ---- rows ----------------------------------------------------------------------------------------

/// The signature has `Wanted` parameters, then data; `measured` is the input with the numbers.
template <class F, class Signature, std::size_t Wanted = bench::all>
void add(const std::string& name, const std::vector<bench::shape>& in, std::size_t measured = 0) {
  using arrays = bench::arrays<Signature, Wanted>;
  const std::int64_t n = in[measured][0];
  bench::others<arrays> beside{.forward = {{"x_hand", [n](arrays& a) { by_hand<F>(a, n); }}}};
#if defined(PRIMAL_BENCH_ADOLC)
  const bool long_tape = name == "sum_of_matmul" && n > 100;  // 22 million operations
  if (!long_tape) beside.value_grad.push_back({"x_adolc", adolc<F, arrays>(n)});
#endif
#if defined(PRIMAL_BENCH_EIGEN)
  if (bench::size_of(in[0]) <= 1000)
    beside.value_grad.push_back({"x_eigen", [n](arrays& a) { eigen<F>(a, n); }});
#endif
  bench::work<Signature, Wanted>{name, "", {}, in, beside, F::template prepare<arrays>, measured}
      .add(F::model);
}

[[maybe_unused]] const bool registered = [] {
  using number = pm::array<double>;
  using single = pm::array<double, 1>;
  using vector = pm::array<double, pm::dyn>;
  using matrix = pm::array<double, pm::dyn, pm::dyn>;
  using table = pm::array<double, pm::dyn, features>;
  const bench::shape one{1};
  for (const std::int64_t n : {1'000, 100'000}) {
    const std::int64_t side = n == 1'000 ? 22 : 223;  // two matrices of n numbers together
    add<sum, number(vector)>("sum", {{n}});
    add<prod, number(vector)>("prod", {{n}});
    add<log_sum_exp, number(vector)>("log_sum_exp", {{n}});
    add<sum_of_matmul, number(matrix, matrix)>("sum_of_matmul", {{side, side}, {side, side}});
    add<normal_density, number(vector, single, single)>("normal_density", {{n}, one, one});
    add<linear_regression, number(pm::array<double, features>, single, single, table, vector), 3>(
        "linear_regression", {{features}, one, one, {n, features}, {n}}, 3);
    add<stochastic_volatility, number(vector, single, single, single, vector), 4>(
        "stochastic_volatility", {{n}, one, one, one, {n}});
  }
  return true;
}();

}  // namespace
