// Gathering and scattering along an axis: one index for each element. Negative indices count from
// the end; an index outside the axis is an error of the call. No operator gives an index a
// gradient.
#pragma once

#include <primal/op/axis.hpp>
#include <primal/op/creation.hpp>
#include <primal/op/indices.hpp>

namespace primal {

/// out[i, j, k] = x[i, index[i, j, k], k] for axis 1; by default the last axis. The other extents
/// are equal.
/// Gradient: dy added up at the places that were taken.
struct take_along_axis_op : primitive<take_along_axis_op>, along_axis<take_along_axis_op> {
  static constexpr op_name name{"take_along_axis"};
  using attributes = axis_attributes;

  static constexpr tensor_type infer(tensor x, tensor index, attributes a) {
    core::require_index(index, name);
    core::require_alike(x, index, a.axis, name);
    return {index.type().dims, x.dtype()};
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a);
};
inline constexpr op<take_along_axis_op> take_along_axis{};

/// x, with updates[i, j, k] added at [i, index[i, j, k], k] for axis 1; by default the last axis.
/// What meets at one place is summed. Gradients: dy, and dy at the places.
struct scatter_add_op : primitive<scatter_add_op>, along_axis<scatter_add_op> {
  static constexpr op_name name{"scatter_add"};
  using attributes = axis_attributes;

  static constexpr tensor_type infer(tensor x, tensor index, tensor updates, attributes a) {
    core::require_index(index, name);
    core::require_alike(x, index, a.axis, name);
    auto& r = *x.owner;
    bool fits = updates.dtype() == x.dtype() && updates.rank() == index.rank();
    for (int i = 0; fits && i < index.rank(); ++i)
      fits = same_extent(r, updates.type().dims[i], index.type().dims[i], "scatter_add");
    if (!fits)
      r.report.fail(join(
          "scatter_add: updates must have the shape of the index and the dtype of the operand: ",
          describe(r, x.type()), ", ", describe(r, index.type()), ", ",
          describe(r, updates.type())));
    return x.type();
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    return {dy, tensor{}, take_along_axis(dy, s.input(1), a)};
  }
};
inline constexpr op<scatter_add_op> scatter_add{};

constexpr tensors take_along_axis_op::vjp(saved s, tensor dy, attributes a) {
  const auto x = s.input(0), index = s.input(1);
  if (index.type().dims[a.axis] == 1)
    return {where(core::chosen_places(x, index, a.axis), dy, 0), tensor{}};
  return {scatter_add(zeros(x.shape(), {dy.dtype()}), index, dy, a), tensor{}};
}

}  // namespace primal
