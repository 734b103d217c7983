// Indexing: elements chosen by a tensor of integers. Negative indices count from the end; an index
// outside the axis is an error of the call. No operator gives an index a gradient.
#pragma once

#include <primal/op/joining.hpp>
#include <primal/op/rank.hpp>
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

/// The slices of x along an axis that `index` names: the axes of the index stand for that axis. By
/// default the first. `pm::take(table, rows)`. Gradient: dy added up at the places that were taken.
struct take_op : composite<take_op> {
  static constexpr op_name name{"take"};
  struct attributes {
    int axis = 0;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return {checked_axis(x, a.axis, name)};
  }

  static constexpr tensor_type infer(tensor x, tensor index, attributes a) {
    core::require_index(index, name);
    tensor_type out{{}, x.dtype()};
    if (x.rank() + index.rank() > max_rank + 1)
      x.owner->report.fail(join("take: more than ", max_rank,
                                " axes: ", describe(*x.owner, x.type()), " and ",
                                describe(*x.owner, index.type())));
    if (x.owner->report.failed()) return x.type();
    const auto dims = x.type().dims;
    for (int i = 0; i < dims.size(); ++i) {
      if (i != a.axis) out.dims.push_back(dims[i]);
      else
        for (auto e : index.type().dims) out.dims.push_back(e);
    }
    return out;
  }

  static constexpr tensor decompose(tensor x, tensor index, attributes a) {
    extents row, places, out;
    for (int i = 0; i < x.rank(); ++i) {
      row.push_back(i == a.axis ? index.size() : extent(1));
      places.push_back(i == a.axis ? index.size() : x.extent(i));
      if (i != a.axis) out.push_back(x.extent(i));
      else
        for (const auto& e : index.shape()) out.push_back(e);
    }
    const auto all_places = broadcast_to(reshape(index, row), places);
    return reshaped(take_along_axis(x, all_places, {a.axis}), out.codes());
  }
};
inline constexpr op<take_op> take{};

/// The rows of a table that the indices name: `pm::embedding(tokens, table)`. Gradient: as of take.
struct embedding_op : composite<embedding_op> {
  static constexpr op_name name{"embedding"};

  static constexpr tensor_type infer(tensor index, tensor table) {
    auto& r = *index.owner;
    core::require_index(index, name);
    if (table.rank() != 2 || index.rank() == max_rank)
      r.report.fail(join("embedding: the table must have two axes: ", describe(r, index.type()),
                         " and ", describe(r, table.type())));
    auto dims = index.type().dims;
    if (!r.report.failed()) dims.push_back(table.type().dims[1]);
    return {dims, table.dtype()};
  }

  static constexpr tensor decompose(tensor index, tensor table) {
    return take(table, index, {.axis = 0});
  }
};
inline constexpr op<embedding_op> embedding{};

/// 1 at the class that an index names, else 0, along a new last axis; nowhere 1 for an index that
/// is no class. float32 unless `.dtype` says otherwise. No gradient.
struct one_hot_op : composite<one_hot_op> {
  static constexpr op_name name{"one_hot"};
  static constexpr bool differentiable = false;
  struct attributes {
    extents num_classes{};
    primal::dtype dtype = dtype::float32;
  };

  static constexpr attributes normalised(const tensor& index, attributes a) {
    core::require_index(index, name);
    if (a.num_classes.size() != 1 || index.rank() == max_rank) {
      index.owner->report.fail("one_hot: .num_classes must say how many classes there are");
      a.num_classes = 1;
    }
    return a;
  }

  static constexpr tensor_type infer(tensor index, attributes a) {
    auto dims = index.type().dims;
    if (!index.owner->report.failed()) dims.push_back(a.num_classes[0].code());
    return {dims, a.dtype};
  }

  static constexpr tensor decompose(tensor index, attributes a) {
    const auto wide = expand_dims(index, {.axes = -1});
    return cast(wide == arange(a.num_classes[0], {index.dtype()}), a.dtype);
  }
};
inline constexpr op<one_hot_op> one_hot{};

}  // namespace primal
