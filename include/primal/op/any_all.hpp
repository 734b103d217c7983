// any and all: truth along axes.
#pragma once

#include <primal/op/comparison.hpp>
#include <primal/op/reduction.hpp>

namespace primal {

/// Is an element other than 0 along the axes? False of nothing, true of NaN. No gradient.
struct any_op : composite<any_op>, over_axes<any_op> {
  static constexpr op_name name{"any"};
  static constexpr bool differentiable = false;
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, dtype::bool_, a);
  }
  static constexpr tensor decompose(tensor x, attributes a) { return sum(x != 0, a) > 0; }
};
inline constexpr op<any_op> any{};

/// Are all elements along the axes other than 0? True of nothing. No gradient.
/// The object is also the whole axis in `x(pm::all, 0)`.
struct all_op : composite<all_op>, over_axes<all_op> {
  static constexpr op_name name{"all"};
  static constexpr bool differentiable = false;
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, dtype::bool_, a);
  }
  static constexpr tensor decompose(tensor x, attributes a) { return sum(x == 0, a) == 0; }
};
inline constexpr op<all_op> all{};

}  // namespace primal
