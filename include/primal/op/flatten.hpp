// flatten: several axes become one, which is reshaping.
#pragma once

#include <primal/op/rank.hpp>

namespace primal {

/// x with the axes from `start_axis` to `stop_axis`, both included, as one. Gradient: dy in the
/// shape of x.
struct flatten_op : composite<flatten_op>, core::regrouped {
  static constexpr op_name name{"flatten"};
  struct attributes {
    int start_axis = 0, stop_axis = -1;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    if (x.rank() == 0) return {0, -1};
    a = {checked_axis(x, a.start_axis, name), checked_axis(x, a.stop_axis, name)};
    if (a.stop_axis < a.start_axis)
      x.owner->report.fail(join("flatten: the axes ", a.start_axis, " to ", a.stop_axis,
                                " are none: ", describe(*x.owner, x.type())));
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    auto& space = x.owner->extents;
    const auto own = x.type().dims;
    tensor_type out{{}, x.dtype()};
    if (own.empty()) out.dims = {1};
    for (int i = 0; i < own.size(); ++i) {
      if (i > a.start_axis && i <= a.stop_axis)
        out.dims[a.start_axis] = space.multiply(out.dims[a.start_axis], own[i]);
      else out.dims.push_back(own[i]);
    }
    return out;
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    extents dims;
    for (int i = 0; i < a.start_axis; ++i) dims.push_back(x.extent(i));
    extent n = 1;
    for (int i = a.start_axis; i <= a.stop_axis; ++i) n = n * x.extent(i);
    dims.push_back(n);
    for (int i = a.stop_axis + 1; i < x.rank(); ++i) dims.push_back(x.extent(i));
    return reshape(x, dims);
  }
};
inline constexpr op<flatten_op> flatten{};

}  // namespace primal
