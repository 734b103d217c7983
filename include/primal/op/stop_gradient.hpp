// stop_gradient.
#pragma once

#include <primal/op/op.hpp>

namespace primal {

/// x itself, as a constant for every derivative.
struct stop_gradient_op : composite<stop_gradient_op> {
  static constexpr op_name name{"stop_gradient"};
  static constexpr bool differentiable = false;

  static constexpr tensor_type infer(tensor x) { return x.type(); }
  static constexpr tensor decompose(tensor x) { return x; }
};
inline constexpr op<stop_gradient_op> stop_gradient{};

}  // namespace primal
