// Training the digit classifier of the examples, 64-128-10 with gelu and cross_entropy, on batches of
// 64: value and gradient, and a whole step of Adam as one program. x_matmul is the time over that of
// the five matrix products alone, by the same library. All are least times of runs that take turns.
#include "mlp.hpp"
#include "work.hpp"

namespace {

namespace pm = primal;

constexpr std::size_t batch = 64, inputs = 64, hidden = 128, classes = 10;

template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;
using parameters = mlp::parameters<f32>;

template <class Array> void fill(Array& a, float scale) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a.data()[i] = scale * std::sin(0.37f * static_cast<float>(i));
}

f32<1> zeros(std::size_t n) { return xt::zeros<float>({n}); }
f32<2> zeros(std::size_t n, std::size_t m) { return xt::zeros<float>({n, m}); }
parameters zeros() {
  return {{zeros(inputs, hidden), zeros(hidden)}, {zeros(hidden, classes), zeros(classes)}};
}

struct training {
  parameters p = zeros(), g = zeros(), m = zeros(), v = zeros();
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

bench::contest contest_of(bool with_adam) {
  const auto t = std::make_shared<training>();
  const auto into = [&](const auto& compiled, auto&... outputs) {
    return compiled.into(outputs...).with(t->workspace);
  };
  bench::contest c;
  if (with_adam)
    c.ours = [t,
              call = into(pm::compile(mlp::step, bench::options()), t->value, t->p, t->m, t->v)] {
      call(t->p, t->m, t->v, t->t, t->x, t->labels);
      t->t += 1;
    };
  else
    c.ours = [t, call = into(pm::compile(pm::value_and_grad<0>(mlp::loss), bench::options()),
                             t->value, t->g)] { call(t->p, t->x, t->labels); };
  c.rivals.push_back(
      {"x_matmul",
       [t, call = into(pm::compile(mlp::products, bench::options()), t->xw, t->hw, t->dw2, t->dh,
                       t->dw1)] { call(t->x, t->p.first.w, t->h, t->p.second.w, t->z, t->h); },
       false});
  return c;
}

[[maybe_unused]] const bool registered =
    bench::add("mlp/value_grad/f32/64x64", "", [] { return contest_of(false); }) &&
    bench::add("mlp/adam/f32/64x64", "", [] { return contest_of(true); });

}  // namespace
