// primitives: which loop computes which primitive.
#pragma once

#include <primal/interpret/call.hpp>
#include <primal/interpret/contraction.hpp>
#include <primal/interpret/indexing.hpp>
#include <primal/interpret/movement.hpp>
#include <primal/interpret/reductions.hpp>
#include <primal/op/argmax.hpp>
#include <primal/op/extreme.hpp>
#include <primal/op/gather.hpp>
#include <primal/op/input.hpp>
#include <primal/op/joining.hpp>
#include <primal/op/matmul.hpp>
#include <primal/op/product.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/slicing.hpp>
#include <primal/op/transpose.hpp>

namespace primal::interpretation {

inline dense full(const call& c) {
  const auto a = c.attributes<full_op>();
  return filled(c.result_extents(), full_op::value(a), a.dtype);
}

inline dense arange(const call& c) {
  const auto a = c.attributes<arange_op>();
  double i = 0;
  return generated(c.result_extents(), a.dtype,
                   [&](const positions&) { return a.start + a.step * i++; });
}

inline dense extent(const call& c) {
  const auto a = c.attributes<extent_op>();
  return filled({}, static_cast<double>(c.numbers(a.code)[0]), a.dtype);
}

template <class Op, class Accumulator> dense reduction(const call& c, const Accumulator& start) {
  return reduced(c[0], mask_of_axes(c.attributes<Op>().axes, c[0]), c.result_extents(),
                 c.result_dtype(), start);
}
inline dense sum(const call& c) { return reduction<sum_op>(c, sum_of{}); }
inline dense prod(const call& c) { return reduction<prod_op>(c, product_of{}); }

inline dense max(const call& c) { return reduction<max_op>(c, extreme_of{1}); }
inline dense min(const call& c) { return reduction<min_op>(c, extreme_of{-1}); }

template <class Op> dense place(const call& c, double sign) {
  return reduced(c[0], mask_of_axes(c.attributes<Op>().axis, c[0]), c.result_extents(),
                 c.result_dtype(), place_of_extreme{sign});
}
inline dense argmax(const call& c) { return place<argmax_op>(c, 1); }
inline dense argmin(const call& c) { return place<argmin_op>(c, -1); }

inline dense reshape(const call& c) { return {c.result_extents(), c[0].values, c.result_dtype()}; }
inline dense transpose(const call& c) {
  const auto permutation = c.attributes<transpose_op>();
  return transposed(c[0], positions(permutation.begin(), permutation.end()));
}
inline dense broadcast_to(const call& c) { return broadcast(c[0], c.result_extents()); }

/// A vector is one row on the left and one column on the right.
inline dense matmul(const call& c) {
  const auto flags = c.attributes<matmul_op>();
  auto a = c[0], b = c[1];
  const auto extents = c.result_extents();
  auto matrix_extents = extents;
  const bool row = a.rank() == 1, column = b.rank() == 1;
  if (row) a.extents.insert(a.extents.begin(), 1);
  if (column) b.extents.push_back(1);
  if (row) matrix_extents.insert(matrix_extents.end() - (column ? 0 : 1), 1);
  if (column) matrix_extents.push_back(1);
  auto out = contracted(a, flags.transpose_a && !row, b, flags.transpose_b && !column,
                        matrix_extents, c.result_dtype());
  out.extents = extents;
  return out;
}

inline dense slice(const call& c) {
  const auto a = c.attributes<slice_op>();
  return sliced(c[0], c.numbers(a.start), positions(a.step.begin(), a.step.end()),
                c.result_extents());
}
inline dense pad(const call& c) {
  const auto a = c.attributes<pad_op>();
  return padded(c[0], c.numbers(a.low), c.result_extents(), a.value);
}
inline dense concat(const call& c) {
  return concatenated(c.in, axis_of(c.attributes<concat_op>().axis, c[0]), c.result_extents());
}
inline dense take_along_axis(const call& c) {
  return taken_along_axis(c[0], c[1], axis_of(c.attributes<take_along_axis_op>().axis, c[0]),
                          c.s.op->name);
}
inline dense scatter_add(const call& c) {
  return scattered(c[0], c[1], c[2], axis_of(c.attributes<scatter_add_op>().axis, c[0]),
                   c.s.op->name, [](double& place, double update) { place += update; });
}

/// The results of a statement.
inline std::vector<dense> evaluate(const call& c) {
  struct known {
    const op_info* op;
    dense (*run)(const call&);
  };
  static constexpr known table[] = {
      {&info_of<full_op>, full},
      {&info_of<arange_op>, arange},
      {&info_of<extent_op>, extent},
      {&info_of<sum_op>, sum},
      {&info_of<prod_op>, prod},
      {&info_of<max_op>, max},
      {&info_of<min_op>, min},
      {&info_of<argmax_op>, argmax},
      {&info_of<argmin_op>, argmin},
      {&info_of<reshape_op>, reshape},
      {&info_of<transpose_op>, transpose},
      {&info_of<broadcast_to_op>, broadcast_to},
      {&info_of<matmul_op>, matmul},
      {&info_of<slice_op>, slice},
      {&info_of<pad_op>, pad},
      {&info_of<concat_op>, concat},
      {&info_of<take_along_axis_op>, take_along_axis},
      {&info_of<scatter_add_op>, scatter_add},
  };
  if (c.s.op->elementwise) return {elementwise(c)};
  for (const auto& entry : table)
    if (entry.op == c.s.op) return {entry.run(c)};
  raise<value_error>("interpret: no rule for the primitive " + std::string(c.s.op->name));
}

}  // namespace primal::interpretation
