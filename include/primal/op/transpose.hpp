// transpose: the axes in another order.
#pragma once

#include <primal/op/axis.hpp>

namespace primal {

/// Axis i of the result is axis permutation[i] of x; without a permutation the axes are reversed.
/// `pm::transpose(x, {1, 0, 2})`. Gradient: dy transposed back.
struct transpose_op : primitive<transpose_op> {
  static constexpr op_name name{"transpose"};
  using attributes = ints;

  static constexpr ints normalised(const tensor& x, ints permutation) {
    ints out;
    for (int i = 0; permutation.empty() && i < x.rank(); ++i) out.push_back(x.rank() - 1 - i);
    for (auto axis : permutation) out.push_back(checked_axis(x, axis, name));
    bool complete = out.size() == x.rank();
    for (int i = 0; i < x.rank(); ++i) complete = complete && out.contains(i);
    if (!complete)
      x.owner->report.fail(
          join("transpose: every axis must be named once: ", describe(*x.owner, x.type())));
    return out;
  }

  static constexpr tensor_type infer(tensor x, ints permutation) {
    const auto dims = x.type().dims;
    tensor_type out{{}, x.dtype()};
    for (auto axis : permutation) out.dims.push_back(dims[static_cast<int>(axis)]);
    return out;
  }

  static constexpr tensor vjp(saved, tensor dy, ints permutation);
};
inline constexpr op<transpose_op> transpose{};

constexpr tensor transpose_op::vjp(saved, tensor dy, ints permutation) {
  ints inverse = permutation;
  for (int i = 0; i < permutation.size(); ++i) inverse[static_cast<int>(permutation[i])] = i;
  return transpose(dy, inverse);
}

}  // namespace primal
