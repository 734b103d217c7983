// sgd_update: one step of gradient descent for one array of parameters. Hyperparameters are numbers
// or tensors of rank 0.
#pragma once

#include <primal/op/arithmetic.hpp>

namespace primal {

struct sgd_options {
  operand learning_rate = 0.01;
  operand momentum = 0;
  operand weight_decay = 0;
};

namespace core {

constexpr bool is_zero(const tensor& t) { return !t.owner && t.constant.value() == 0; }

}  // namespace core

/// parameter - learning_rate * gradient.
constexpr tensor sgd_update(operand parameter, operand gradient, sgd_options o = {}) {
  parameter.t.owner->report.at(parameter.where);
  const inside_rule inside(parameter.t.owner->report);
  const auto p = to_compute(parameter.t);
  auto g = to_compute(gradient.t);
  if (!core::is_zero(o.weight_decay.t)) g = g + o.weight_decay * p;
  return cast(p - o.learning_rate * g, parameter.t.dtype());
}

/// With momentum, in PyTorch's form: velocity' = momentum * velocity + gradient; parameter -
/// learning_rate * velocity'. Returns the parameter and the velocity.
constexpr results<2> sgd_update(operand parameter, operand gradient, operand velocity,
                                sgd_options o = {}) {
  parameter.t.owner->report.at(parameter.where);
  const inside_rule inside(parameter.t.owner->report);
  const auto p = to_compute(parameter.t);
  auto g = to_compute(gradient.t);
  if (!core::is_zero(o.weight_decay.t)) g = g + o.weight_decay * p;
  const auto v = o.momentum * to_compute(velocity.t) + g;
  return {cast(p - o.learning_rate * v, parameter.t.dtype()), cast(v, velocity.t.dtype())};
}

}  // namespace primal
