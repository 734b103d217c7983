// Indexing: slices chosen by a tensor of integers. Negative indices count from the end; an index
// outside the axis is an error of the call. No operator gives an index a gradient.
#pragma once

#include <primal/op/gather.hpp>
#include <primal/op/shape.hpp>

namespace primal {

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

}  // namespace primal
