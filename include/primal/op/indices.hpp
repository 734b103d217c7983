// Indices: what operators ask of a tensor of integers, and the places that it names.
#pragma once

#include <primal/op/comparison.hpp>
#include <primal/op/creation.hpp>
#include <primal/op/selection.hpp>

namespace primal {

namespace core {

constexpr void require_index(const tensor& index, op_name name) {
  if (!is_integer(index.dtype()))
    index.owner->report.fail(
        join(name, ": an index must be an integer: ", describe(*index.owner, index.type())));
}

/// `index` has the extents of `x` but for the axis.
constexpr void require_alike(const tensor& x, const tensor& index, int axis, op_name name) {
  auto& r = *x.owner;
  const auto dims = x.type().dims, wanted = index.type().dims;
  bool fits = dims.size() == wanted.size();
  for (int i = 0; fits && i < dims.size(); ++i)
    fits = i == axis || same_extent(r, dims[i], wanted[i], name.data());
  if (!fits)
    r.report.fail(join(name, ": the index must have the extents of the operand but for axis ", axis,
                       ": ", describe(r, x.type()), " and ", describe(r, index.type())));
}

/// The places along an axis as a tensor that broadcasts to `x`.
constexpr tensor places_along(const tensor& x, int axis, dtype d) {
  extents dims;
  for (int i = axis; i < x.rank(); ++i) dims.push_back(i == axis ? x.extent(i) : extent(1));
  auto t = constant_tensor({constant_source::arange, d, 0, 1});
  t.constant.set_dims(dims.codes());
  return t;
}

/// Where the places along an axis are those that `index` names, with extent 1 there.
constexpr tensor chosen_places(const tensor& x, const tensor& index, int axis) {
  const auto place =
      is_unsigned(index.dtype()) ? index : where(index < 0, index + x.extent(axis), index);
  return places_along(x, axis, index.dtype()) == place;
}

}  // namespace core

}  // namespace primal
