// Models of cases that are more than one operator: what the attribute `model` says, or the name of the case.
#pragma once

#include <primal/testing/recording.hpp>
#include <support/operators.hpp>

namespace primal::test {

/// The gradient of sum(f(x)), or of f(x) if that is a number.
template <class F> tensor gradient_of(const tensor& x, const F& f) {
  recorder& r = *x.owner;
  const tensor one = attach(r, ones({}, {x.dtype()}).constant);
  return testing::record_vjp(r, {x}, {one},
                             [&](const tensors& in) -> tensors { return {f(in[0])}; })[0];
}

/// f(t) and its first derivatives.
template <class F> tensors derivatives(const tensor& t, int order, const F& f) {
  tensors out{f(t)};
  std::function<tensor(const tensor&)> g = f;
  for (int i = 0; i < order; ++i) {
    g = [g](const tensor& x) { return gradient_of(x, g); };
    out.push_back(g(t));
  }
  return out;
}

/// The function of pytorch#196699: a batch_norm of polynomials in a number.
inline tensor batch_norm_of_polynomials(const tensor& t) {
  const auto row = [&](std::initializer_list<double> values) {
    tensors items;
    for (double v : values)
      items.push_back(attach(*t.owner, full({}, v, {dtype::float64}).constant));
    return stack(items);
  };
  const auto first = row({1, 2, 3, 4, 5, 6, 7, 8}), second = row({-1, 0, 1, -1, 0, 1, -1, 0}),
             third = row({0, 1, 2, 3, 4, 5, 6, 7});
  const auto x = reshape(first * t + second * t * t + third, {2, 2, 2});
  const auto y = batch_norm(x, row({1.5, -0.5}), row({0.25, 1}), none, none,
                            {.training = true, .epsilon = 0.25});
  return sum(reshape(y, -1) * first);
}

inline tensors hessian_product(const tensors& x) {
  return {gradient_of(x[0], [&](const tensor& a) {
    return sum(gradient_of(a, [](const tensor& b) { return prod(b); }) * x[1]);
  })};
}

using model = tensors (*)(const tensors& x, const reference_case& c);

inline const std::map<std::string, model>& models() {
  static const std::map<std::string, model> table = {
      {"where(a == 0, a / 2, sqrt(a) + 1)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(x[0] == 0, x[0] / 2, sqrt(x[0]) + 1)};
       }},
      {"where(a <= 0, exp(a), 1 + a)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(x[0] <= 0, exp(x[0]), 1 + x[0])};
       }},
      {"where(a < 1, cos(a), 0)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(x[0] < 1, cos(x[0]), 0)};
       }},
      {"where(b == 0, 0, a / b)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(x[1] == 0, 0, x[0] / x[1])};
       }},
      {"where(a <= 10, exp(a), 1)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(x[0] <= 10, exp(x[0]), 1)};
       }},
      {"where(false, a / 0, b)",
       [](const tensors& x, const reference_case&) -> tensors {
         return {where(false, x[0] / 0, x[1])};
       }},
      {"maximum(a, 0)",
       [](const tensors& x, const reference_case&) -> tensors { return {maximum(x[0], 0)}; }},
      {"maximum(a, a)",
       [](const tensors& x, const reference_case&) -> tensors { return {maximum(x[0], x[0])}; }},
      {"minimum(a, a)",
       [](const tensors& x, const reference_case&) -> tensors { return {minimum(x[0], x[0])}; }},
      {"maximum(a, 0) + log1p(exp(-abs(a)))",
       [](const tensors& x, const reference_case&) -> tensors {
         return {maximum(x[0], 0) + log1p(exp(-abs(x[0])))};
       }},
      {"pow(a, 2)",
       [](const tensors& x, const reference_case&) -> tensors { return {pow(x[0], 2)}; }},
      {"a * reshape(a, {3, 1})",
       [](const tensors& x, const reference_case&) -> tensors {
         return {x[0] * reshape(x[0], {3, 1})};
       }},
      {"the Hessian of prod at a, times b",
       [](const tensors& x, const reference_case&) { return hessian_product(x); }},
      {"batch_norm/three_derivatives",
       [](const tensors& x, const reference_case&) {
         return derivatives(x[0], 3, batch_norm_of_polynomials);
       }},
      {"stop_gradient/product",
       [](const tensors& x, const reference_case&) -> tensors {
         return {x[0] * stop_gradient(x[0])};
       }},
      {"log/shared_temporaries",
       [](const tensors& x, const reference_case&) -> tensors {
         return {-x[0] - 2 * log(1 + exp(-x[0]))};
       }},
      {"layer_norm/sum_is_constant",
       [](const tensors& x, const reference_case&) -> tensors { return {sum(layer_norm(x[0]))}; }},
      {"adam/ten_steps",
       [](const tensors& x, const reference_case& c) -> tensors {
         tensor p = x[0], m = attach(*p.owner, zeros_like(p).constant), v = m;
         for (int t = 0; t < 10; ++t) {
           const auto next = adam_update(p, x[1](t), m, v, t + 1,
                                         {.learning_rate = c.number("learning_rate", 0)});
           p = next[0], m = next[1], v = next[2];
         }
         return {p, m, v};
       }},
      {"sgd/five_steps",
       [](const tensors& x, const reference_case& c) -> tensors {
         tensor p = x[0], velocity = attach(*p.owner, zeros_like(p).constant);
         for (int t = 0; t < 5; ++t) {
           const auto next = sgd_update(p, x[1](t), velocity,
                                        {c.number("learning_rate", 0), c.number("momentum", 0)});
           p = next[0], velocity = next[1];
         }
         return {p, velocity};
       }},
  };
  return table;
}

/// How a case is recorded; null if this library has no such operator.
inline model model_of(const reference_case& c) {
  if (const auto own = models().find(c.name); own != models().end()) return own->second;
  if (c.has("model")) {
    const auto named = models().find(c.attrs.at("model"));
    return named == models().end() ? nullptr : named->second;
  }
  const auto op = operators().find(c.op());
  return op == operators().end() ? nullptr : op->second;
}

}  // namespace primal::test
