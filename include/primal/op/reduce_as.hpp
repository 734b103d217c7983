// reduce_as: the sum over whatever broadcasting repeated.
#pragma once

#include <primal/op/reduction.hpp>

namespace primal {

namespace core {

/// `x` summed to a shape that broadcasts to its own; whatever broadcasting repeated is added up
/// again.
constexpr tensor summed_to(const tensor& x, const shape& wanted) {
  auto& r = *x.owner;
  const auto own = x.type().dims;
  const int leading = own.size() - wanted.size();
  axes all_added;
  all_added.every = false;
  bool stretched = false;
  for (int i = 0; i < own.size(); ++i) {
    const bool one = i >= leading && r.extents.resolve(wanted[i - leading]) == 1 &&
                     r.extents.resolve(own[i]) != 1;
    stretched = stretched || one;
    if (i < leading || one) all_added.push_back(i);
  }
  if (all_added.empty()) return x;
  const auto total = sum(x, {all_added, stretched});
  return stretched && leading > 0 ? reshape(total, extents(wanted, x.owner)) : total;
}

}  // namespace core

/// x summed to the shape of `like`, which broadcasts to that of x. Gradient: dy broadcast back.
struct reduce_as_op : composite<reduce_as_op> {
  static constexpr op_name name{"reduce_as"};

  static constexpr tensor_type infer(tensor x, tensor like) {
    auto& r = *x.owner;
    auto dims = x.type().dims;
    bool fits = like.rank() <= x.rank() && broadcast_into(r, dims, like.type().dims, "reduce_as");
    for (int i = 0; fits && i < dims.size(); ++i)
      fits = r.extents.resolve(dims[i]) == r.extents.resolve(x.type().dims[i]);
    if (!fits)
      r.report.fail(join("reduce_as: ", describe(r, like.type()), " does not broadcast to ",
                         describe(r, x.type())));
    return {like.type().dims, x.dtype()};
  }

  static constexpr tensor decompose(tensor x, tensor like) {
    return core::summed_to(x, like.type().dims);
  }

  static constexpr tensors vjp(saved s, tensor dy) {
    return {broadcast_to(dy, s.input().shape()), tensor{}};
  }
};
inline constexpr op<reduce_as_op> reduce_as{};

}  // namespace primal
