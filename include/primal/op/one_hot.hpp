// one_hot: a class becomes a row with a 1 in its place.
#pragma once

#include <primal/op/indices.hpp>
#include <primal/op/rank.hpp>

namespace primal {

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
