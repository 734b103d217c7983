// Training the digit classifier of the examples, 64-128-10 with gelu and cross_entropy, on batches of
// 64: value and gradient, and a whole step of Adam as one program. x_matmul is the time over that of
// the five matrix products alone, by the same library. All are least times of runs that take turns.
#include <primal/primal.hpp>

#include "peers.hpp"
#include "race.hpp"

#include <cmath>

namespace {

namespace pm = primal;

constexpr std::size_t batch = 64, inputs = 64, hidden = 128, classes = 10;
constexpr double race_seconds = 2;

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<A>, first), (linear<A>, second));
};
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;

constexpr auto loss = [](auto p, auto x, auto labels) {
  const auto h = pm::gelu(pm::matmul(x, p.first.w) + p.first.b);
  return pm::cross_entropy(pm::matmul(h, p.second.w) + p.second.b, labels);
};
constexpr auto step = [](auto p, auto m, auto v, auto t, auto x, auto labels) {
  auto [value, g] = pm::value_and_grad<0>(loss)(p, x, labels);
  auto [p2, m2, v2] = pm::adam(p, g, m, v, t, {.learning_rate = 1e-3});
  return std::tuple(value, p2, m2, v2);
};
/// What the gradient multiplies: two products forward, three backward.
constexpr auto products = [](auto x, auto w1, auto h, auto w2, auto dz, auto dh) {
  return std::tuple(pm::matmul(x, w1), pm::matmul(h, w2), pm::matmul(pm::transpose(h), dz),
                    pm::matmul(dz, pm::transpose(w2)), pm::matmul(pm::transpose(x), dh));
};

template <class Array> void fill(Array& a, float scale) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a.data()[i] = scale * std::sin(0.37f * static_cast<float>(i));
}

f32<1> zeros(std::size_t n) { return xt::zeros<float>({n}); }
f32<2> zeros(std::size_t n, std::size_t m) { return xt::zeros<float>({n, m}); }
mlp<f32> zeros() {
  return {{zeros(inputs, hidden), zeros(hidden)}, {zeros(hidden, classes), zeros(classes)}};
}

struct training {
  mlp<f32> p = zeros(), g = zeros(), m = zeros(), v = zeros();
  xt::xtensor_fixed<float, xt::xshape<batch, inputs>> x;
  xt::xtensor_fixed<std::int32_t, xt::xshape<batch>> labels;
  f32<2> h = zeros(batch, hidden), z = zeros(batch, classes);  // as large as what is multiplied
  f32<2> xw = h, hw = z, dw2 = p.second.w, dh = h, dw1 = p.first.w;
  float value = 0, t = 1;
  pm::workspace workspace;

  training() {
    fill(p.first.w, 0.125f);
    fill(p.second.w, 0.125f);
    fill(x, 1);
    fill(h, 1);
    fill(z, 1);
    for (std::size_t i = 0; i < batch; ++i) labels(i) = static_cast<std::int32_t>(i % classes);
  }
};

void run(benchmark::State& state, const std::string& pass) {
  static training t;
  const auto value_grad =
      pm::compile(pm::value_and_grad<0>(loss)).into(t.value, t.g).with(t.workspace);
  const auto whole_step = pm::compile(step).into(t.value, t.p, t.m, t.v).with(t.workspace);
  const auto alone = pm::compile(products).into(t.xw, t.hw, t.dw2, t.dh, t.dw1).with(t.workspace);
  const auto [ours, multiplied] =
      bench::race<2>({[&] {
                        if (pass == "adam") {
                          whole_step(t.p, t.m, t.v, t.t, t.x, t.labels);
                          t.t += 1;
                        } else {
                          value_grad(t.p, t.x, t.labels);
                        }
                      },
                      [&] { alone(t.x, t.p.first.w, t.h, t.p.second.w, t.z, t.h); }},
                     race_seconds);
  for (auto _ : state) state.SetIterationTime(ours);
  state.counters["x_matmul"] = ours / multiplied;
  bench::compare_with_peers(state, "mlp", pass, batch, ours);
}

BENCHMARK_CAPTURE(run, mlp / value_grad, "value_grad")
    ->UseManualTime()
    ->Iterations(1)
    ->Name("mlp/value_grad");
BENCHMARK_CAPTURE(run, mlp / adam, "adam")->UseManualTime()->Iterations(1)->Name("mlp/adam");

}  // namespace
