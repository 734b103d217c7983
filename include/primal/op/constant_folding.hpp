// constant_folding: an elementwise operator on numbers alone gives a number.
#pragma once

#include <primal/op/broadcast.hpp>
#include <primal/op/promotion.hpp>

namespace primal {

constexpr bool all_uniform(const tensor* in, int count) {
  for (int i = 0; i < count; ++i)
    if (!in[i].constant.uniform()) return false;
  return true;
}

/// An elementwise operator on numbers and arrays of one number gives such an array.
constexpr tensor fold_constants(const op_info& op, const tensor* in, int count) {
  auto kind = constant_source::number;
  double args[4] = {};
  shape dims;
  recorder* near = nullptr;
  for (int i = 0; i < count; ++i)
    if (in[i].near) near = in[i].near;
  for (int i = 0; i < count; ++i) {
    const auto& c = in[i].constant;
    if (c.kind() == constant_source::full) kind = constant_source::full;
    if (c.rank() > 0 && c.dims() != dims) {
      recorder scratch;
      broadcast_into(near ? *near : scratch, dims, c.dims(), op.name.data());
    }
    args[i] = c.value();
  }
  const int first = op.selects ? 1 : 0;
  const auto compute = op.dtypes->compute(common_dtype(in + first, count - first));
  auto out = constant_tensor({kind, op.dtypes->result(compute), op.evaluate(args, compute)});
  out.constant.set_dims(dims);
  out.near = near;
  return out;
}

}  // namespace primal
