// axes: how those of operands and results correspond, and what else the planner reads from
// attributes.
#pragma once

#include <primal/op/gather.hpp>
#include <primal/op/joining.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/slicing.hpp>
#include <primal/op/transpose.hpp>
#include <primal/plan/cluster.hpp>
#include <primal/transform/statement_kinds.hpp>

#include <bit>

namespace primal {

constexpr list<int, max_rank> reduced_axes(const program& p, const statement& s) {
  list<int, max_rank> out;
  for (int a : attributes_in<sum_op>(p.attributes_of(s)).axes) out.push_back(a);
  return out;
}
constexpr bool keeps_axes(const program& p, const statement& s) {
  return attributes_in<sum_op>(p.attributes_of(s)).keepdims;
}
constexpr int indexed_axis(const program& p, const statement& s) {
  return attributes_in<take_along_axis_op>(p.attributes_of(s)).axis;
}
constexpr int concat_axis(const program& p, const statement& s) {
  return attributes_in<concat_op>(p.attributes_of(s)).axis;
}
constexpr std::int64_t pad_bits(const program& p, const statement& s) {
  const double value = attributes_in<pad_op>(p.attributes_of(s)).value;
  return is_floating(p.dtype_of(s.first_result)) ? std::bit_cast<std::int64_t>(value)
                                                 : static_cast<std::int64_t>(value);
}
constexpr std::int64_t pad_offset(program& p, const statement& s, const shape& strides) {
  const auto low = attributes_in<pad_op>(p.attributes_of(s)).low.codes();
  std::int64_t offset = 0;
  for (int i = 0; i < low.size(); ++i)
    offset = p.extents.add(offset, p.extents.multiply(low[i], strides[i]));
  return offset;
}

/// The axes of operand i when the result runs along `map`.
constexpr axis_map operand_map(program& p, const statement& s, int i, const axis_map& map) {
  const auto& dims = p.shape_of(p.operand(s, i));
  axis_map own;
  const int rank = dims.size(), mapped = map.size();
  const bool moves = !s.op->elementwise && (is<transpose_op>(s.op) || is<reshape_op>(s.op));
  const int shift = p.shape_of(s.first_result).size() - rank;
  own.resize(rank, fixed_axis);
  for (int k = 0; k < mapped; ++k) {
    const int axis = moves ? operand_axis(p, s, i, k) : k - shift;
    if (axis >= 0 && dims[axis] != 1) own[axis] = map[k];
  }
  return own;
}

/// The result of a view operator as a view of its operand's memory; false if that is not possible.
constexpr bool view_of(program& p, const statement& s, const location& base, bool contiguous,
                       location& out) {
  const auto& from = p.shape_of(p.operand(s, 0));
  const auto& to = p.shape_of(s.first_result);
  out.buffer = base.buffer;
  out.offset = base.offset;
  out.strides = {};
  out.strides.resize(to.size());
  if (is<slice_op>(s.op)) {
    const auto a = attributes_in<slice_op>(p.attributes_of(s));
    for (int i = 0; i < to.size(); ++i) {
      out.offset =
          p.extents.add(out.offset, p.extents.multiply(a.start[i].code(), base.strides[i]));
      out.strides[i] = p.extents.multiply(a.step[i], base.strides[i]);
    }
    return true;
  }
  if (renames_axes(p, s)) {
    for (int k = 0; k < to.size(); ++k) {
      const int axis = operand_axis(p, s, 0, k);
      const bool repeats = axis < 0 || (from[axis] == 1 && to[k] != 1);
      out.strides[k] = repeats ? 0 : base.strides[axis];
    }
    return true;
  }
  if (!contiguous) return false;
  std::int64_t n = 1;
  for (int k = to.size() - 1; k >= 0; --k) {
    out.strides[k] = n;
    n = p.extents.multiply(n, to[k]);
  }
  return true;
}

}  // namespace primal
