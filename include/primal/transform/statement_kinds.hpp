// statement_kinds: what passes and the planner ask about statements.
#pragma once

#include <primal/op/comparison.hpp>
#include <primal/op/extreme.hpp>
#include <primal/op/product.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/transpose.hpp>

namespace primal {

constexpr bool is_source(const op_info* op) {
  return is<full_op>(op) || is<arange_op>(op) || is<extent_op>(op);
}
constexpr bool is_reduction(const op_info* op) {
  return is<sum_op>(op) || is<prod_op>(op) || is<max_op>(op) || is<min_op>(op);
}

/// Are two values compared, neither of them a constant?
constexpr bool compares(const program& p, const statement& s) {
  if (!is<equal_op>(s.op) && !is<not_equal_op>(s.op) && !is<less_op>(s.op) &&
      !is<less_equal_op>(s.op) && !is<greater_op>(s.op) && !is<greater_equal_op>(s.op))
    return false;
  return !is_source(p.maker(p.operand(s, 0)).op) && !is_source(p.maker(p.operand(s, 1)).op);
}

/// Does a reshape only add or drop axes of extent 1?
constexpr bool only_renames(const shape& from, const shape& to) {
  int i = 0;
  for (auto e : to) {
    if (e == 1) continue;
    while (i < from.size() && from[i] == 1) ++i;
    if (i == from.size() || from[i++] != e) return false;
  }
  while (i < from.size() && from[i] == 1) ++i;
  return i == from.size();
}
/// For a reshape that only renames: the axis of `from` that is axis k of `to`; -1 for a new one.
constexpr int renamed_axis(const shape& from, const shape& to, int k) {
  if (to[k] == 1) return -1;
  int nth = 0;
  for (int i = 0; i < k; ++i) nth += to[i] != 1;
  for (int i = 0; i < from.size(); ++i)
    if (from[i] != 1 && nth-- == 0) return i;
  return -1;
}

/// A view whose axes are those of its operand under other numbers, or repeat them.
constexpr bool renames_axes(const program& p, const statement& s) {
  return is<transpose_op>(s.op) || is<broadcast_to_op>(s.op) ||
         (is<reshape_op>(s.op) &&
          only_renames(p.shape_of(p.operand(s, 0)), p.shape_of(s.first_result)));
}

/// The axis of operand i that runs along axis k of the result; -1 if it has none.
constexpr int operand_axis(const program& p, const statement& s, int i, int k) {
  if (is<transpose_op>(s.op))
    return static_cast<int>(attributes_in<transpose_op>(p.attributes_of(s))[k]);
  if (is<reshape_op>(s.op))
    return renamed_axis(p.shape_of(p.operand(s, 0)), p.shape_of(s.first_result), k);
  const int shift = p.shape_of(s.first_result).size() - p.shape_of(p.operand(s, i)).size();
  return k - shift;
}

}  // namespace primal
