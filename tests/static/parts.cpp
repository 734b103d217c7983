// What becomes of slices and joined parts: regions are calculated from regions, as few as there are.
#include <primal/primal.hpp>

namespace pm = primal;

namespace {

using V = pm::array<float, pm::dyn>;
using M = pm::array<float, 3, pm::dyn>;
using rows = pm::array<float, pm::dyn, 64>;

/// The simplified program of a model: its operators can be counted.
template <class... A, class F> constexpr auto simplified(F) {
  return pm::core::exact<pm::stage<pm::simplified_pass<pm::recorded_model<F, A...>>>>::value;
}
template <class... A, class F> constexpr bool one_kernel(F f) {
  const auto plan = pm::plan_summary<A...>(f);
  return plan.kernels == 1 && plan.temporaries == 0;
}

// ---- slices of what is calculated ------------------------------------------------------------------

// The halves of something elementwise are calculated as halves.
constexpr auto gated = [](auto x, auto b) {
  const auto [p, q] = pm::split<2>(pm::gelu(x + b), {.axis = -1});
  return p * pm::sigmoid(q);
};
static_assert(one_kernel<rows, pm::array<float, 64>>(gated));

// A slice of a slice, of repetitions, of a transpose and of new axes is one of what is behind them.
constexpr auto moved = [](auto x, auto b) {
  const auto y = pm::transpose(pm::exp(x) + pm::broadcast_to(b, x.shape()));
  return pm::reshape(y, {1, y.extent(0), y.extent(1)})(0, pm::range(2, 40))(pm::range(1, 9),
                                                                            pm::all);
};
constexpr auto moved_program = simplified<rows, pm::array<float, 64>>(moved);
static_assert(moved_program.count("slice") == 2 && moved_program.size() == 7);

// Rows that are left out are not calculated, reductions of them neither.
constexpr auto first_row = [](auto x) { return pm::softmax(x)(pm::range(0, 1)); };
static_assert(one_kernel<pm::array<float, 8, 64>>(first_row));

// What overlaps is calculated again if that is cheap, and what is backwards or in steps is no exception.
constexpr auto differences = [](auto x) {
  const auto u = pm::square(x) * 0.5f;
  return u(pm::range(1, -1)) - u(pm::range(0, -2));
};
constexpr auto expensive_differences = [](auto x) {
  const auto u = pm::exp(x);
  return u(pm::range(1, -1)) - u(pm::range(0, -2));
};
constexpr auto backwards = [](auto x) { return pm::exp(x)(pm::range(pm::none, pm::none, -1)); };
static_assert(one_kernel<V>(differences) && one_kernel<V>(backwards));
static_assert(pm::plan_summary<V>(expensive_differences).kernels == 2);

// A value that is needed whole besides is not calculated twice.
constexpr auto shared = [](auto x) {
  const auto y = pm::exp(x);
  return std::tuple(y, y(pm::range(0, 1)) * 2);
};
static_assert(simplified<V>(shared).count("exp") == 1);

// What is compared has the same bits wherever it is calculated, or x == max(x) would find nothing.
constexpr auto compared = [](auto x) {
  const auto y = x * x + x;
  const auto hit = y == pm::max(y, {.axes = 1, .keepdims = true});
  return pm::sum(pm::cast(hit, pm::dtype::float32)) + pm::sum(pm::exp(y(0)));
};
static_assert(simplified<M>(compared).count("multiply") == 1);

// ---- parts that are joined ----------------------------------------------------------------------------

// A slice of a part is a slice of what was joined, and one of several parts joins those.
constexpr auto joined = [](auto x, auto y) {
  const auto z = pm::concat({pm::exp(x), pm::sin(y)});
  return z(pm::range(0, 3)) * z(pm::range(3, 6));
};
constexpr auto joined_program = simplified<M, M>(joined);
static_assert(joined_program.count("concat") == 0 && joined_program.count("slice") == 0);
constexpr auto two_of_three = [](auto x) {
  return pm::stack({pm::exp(x), pm::sin(x), pm::cos(x)})(pm::range(0, 2));
};
static_assert(simplified<V>(two_of_three).count("cos") == 0);

// Parts of one size go on as parts until they are written; sums of them add them up.
constexpr auto step = [](auto u) { return u + 0.5f * pm::stack({u(1), u(2), u(0)}); };
constexpr auto norm = [](auto u) { return pm::sum(pm::square(step(u))); };
static_assert(one_kernel<M>(step) && one_kernel<M>(norm));
static_assert(simplified<M>(norm).count("sum") == 1 && simplified<M>(norm).count("concat") == 0);
// Parts of several sizes are joined in memory, and what follows is calculated once.
constexpr auto uneven = [](auto x, auto y) { return pm::tanh(pm::concat({x, y}) * 2); };
static_assert(simplified<V, pm::array<float, 1>>(uneven).count("tanh") == 1);

// The gradient of slices is joined: nothing is padded with zeros and added up.
constexpr auto slope =
    pm::grad([](auto x) { return pm::sum(pm::exp(x(0)) * pm::sin(x(1)) + x(2)); });
static_assert(simplified<M>(slope).count("concat") == 1 && simplified<M>(slope).count("add") == 0);
static_assert(one_kernel<M>(slope));
constexpr auto uneven_slope = pm::grad([](auto x) {
  return pm::sum(pm::exp(x(pm::range(0, 10)))) + pm::sum(pm::sin(x(pm::range(20, 64))));
});
constexpr auto uneven_program = simplified<pm::array<float, 64>>(uneven_slope);
static_assert(uneven_program.count("concat") == 1 && uneven_program.count("add") == 0);

// Overlapping gradients are added where they overlap, as paddings.
constexpr auto difference_slope =
    pm::grad([](auto x) { return pm::sum(pm::square(differences(x))); });
static_assert(simplified<V>(difference_slope).count("concat") == 2);

// ---- solvers of differential equations -----------------------------------------------------------------

constexpr auto lorenz = [](auto u, auto p) {
  const auto x = u(0), y = u(1), z = u(2);
  return pm::stack({p(0) * (y - x), x * (p(1) - z) - y, x * y - p(2) * z});
};
constexpr auto runge_kutta = [](auto u, auto p) {
  constexpr double h = 0.01;
  const auto k1 = lorenz(u, p), k2 = lorenz(u + 0.5 * h * k1, p), k3 = lorenz(u + 0.5 * h * k2, p),
             k4 = lorenz(u + h * k3, p);
  return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
};
constexpr auto energy = [](auto u, auto p) { return pm::sum(pm::square(runge_kutta(u, p))); };
using states = pm::array<double, 3, pm::dyn>;
using numbers = pm::array<double, 3>;
static_assert(one_kernel<states, numbers>(runge_kutta));
static_assert(one_kernel<pm::array<double, 3>, numbers>(runge_kutta));
static_assert(pm::plan_summary<states, numbers>(pm::value_and_grad<0, 1>(energy)).kernels <= 6);

// Components along the last axis, as in most data.
constexpr auto oscillators = [](auto u) {
  const auto slopes = [](auto s) {
    return pm::stack({s(pm::ellipsis, 1), -s(pm::ellipsis, 0)}, {.axis = -1});
  };
  const auto guess = u + 0.01 * slopes(u);
  return u + 0.005 * (slopes(u) + slopes(guess));
};
static_assert(one_kernel<pm::array<double, pm::dyn, 2>>(oscillators));

// Matrices by their elements: rows that are stacked are written where they go.
constexpr auto predicted = [](auto p) {
  const auto p00 = p(0, 0), p01 = p(0, 1), p10 = p(1, 0), p11 = p(1, 1);
  return pm::stack({pm::stack({p00 + 0.1 * (p01 + p10) + 0.01 * p11, p01 + 0.1 * p11}),
                    pm::stack({p10 + 0.1 * p11, p11})});
};
using matrices = pm::array<double, 2, 2, pm::dyn>;
static_assert(one_kernel<matrices>(predicted));
constexpr auto predicted_slope =
    pm::plan_summary<matrices>(pm::grad([](auto p) { return pm::sum(pm::square(predicted(p))); }));
static_assert(predicted_slope.kernels == 1);

}  // namespace
