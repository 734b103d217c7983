// Adam: one step for one array of parameters, or for a tree of them. Hyperparameters are numbers or
// tensors of rank 0.
#pragma once

#include <primal/expr/symbolic_tree.hpp>
#include <primal/op/division.hpp>
#include <primal/op/exponential.hpp>
#include <primal/op/logarithm.hpp>
#include <primal/op/power.hpp>

namespace primal {

struct adam_options {
  operand learning_rate = 1e-3;
  operand beta1 = 0.9, beta2 = 0.999;
  operand epsilon = 1e-8;
};

namespace core {

template <class Tree> constexpr tensors leaves_of(const Tree& tree) {
  tensors all;
  for_each_leaf(tree, [&](const auto& leaf) { all.push_back(operand(leaf).t); });
  return all;
}
template <class Tree> constexpr void set_leaves(Tree& tree, const tensors& values) {
  std::size_t next = 0;
  for_each_leaf(tree, [&](tensor& leaf) { leaf = values[next++]; });
}

/// 1 - beta^t, without cancellation for a beta near 1.
constexpr tensor bias_correction(const tensor& beta, const tensor& t) {
  return -expm1(t * log(beta));
}

}  // namespace core

/// Kingma and Ba 2015, algorithm 1. `t` is the number of this step, 1 for the first:
/// m' = beta1 m + (1 - beta1) g, v' = beta2 v + (1 - beta2) g^2,
/// parameter - learning_rate * (m' / (1 - beta1^t)) / (sqrt(v' / (1 - beta2^t)) + epsilon).
/// Returns the parameter, m' and v'.
constexpr results<3> adam_update(operand parameter, operand gradient, operand m, operand v,
                                 operand t, adam_options o = {}) {
  parameter.t.owner->report.at(parameter.where);
  const inside_rule inside(parameter.t.owner->report);
  const auto p = to_compute(parameter.t), g = to_compute(gradient.t);
  const auto m2 = o.beta1 * to_compute(m.t) + (1 - o.beta1) * g;
  const auto v2 = o.beta2 * to_compute(v.t) + (1 - o.beta2) * square(g);
  const auto steps = is_floating(t.t.dtype()) ? t.t : cast(t.t, p.dtype());
  const auto rate = o.learning_rate / core::bias_correction(o.beta1.t, steps);
  const auto root = sqrt(v2 / core::bias_correction(o.beta2.t, steps)) + o.epsilon;
  return {cast(p - rate * m2 / root, parameter.t.dtype()), cast(m2, m.t.dtype()),
          cast(v2, v.t.dtype())};
}

/// The same for a tree of parameters: every leaf with those of `gradients`, `m` and `v` in its
/// place. Returns a tuple of three trees.
template <symbolic_tree P, symbolic_tree G, symbolic_tree M, symbolic_tree V>
constexpr std::tuple<P, M, V> adam(const P& parameters, const G& gradients, const M& m, const V& v,
                                   operand t, adam_options o = {}) {
  const auto p = core::leaves_of(parameters), g = core::leaves_of(gradients),
             first = core::leaves_of(m), second = core::leaves_of(v);
  std::tuple<P, M, V> next(parameters, m, v);
  recorder& r = *p[0].owner;
  r.report.at(t.where);
  const inside_rule inside(r.report);
  const int leaves[] = {leaf_count<P>, leaf_count<G>, leaf_count<M>, leaf_count<V>};
  for (int i = 1; i < 4; ++i)
    if (leaves[i] != leaves[0]) {
      r.report.fail(join("adam: parameters have ", leaves[0], " leaves, gradients ", leaves[1],
                         ", m ", leaves[2], " and v ", leaves[3]));
      return next;
    }
  tensors updated[3];
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto leaf = adam_update(p[i], g[i], first[i], second[i], t, o);
    for (std::size_t k = 0; k < 3; ++k) updated[k].push_back(leaf[k]);
  }
  core::set_leaves(std::get<0>(next), updated[0]);
  core::set_leaves(std::get<1>(next), updated[1]);
  core::set_leaves(std::get<2>(next), updated[2]);
  return next;
}

}  // namespace primal
