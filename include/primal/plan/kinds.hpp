// kinds: what the planner makes of operators.
#pragma once

#include <primal/op/extreme.hpp>
#include <primal/op/gather.hpp>
#include <primal/op/input.hpp>
#include <primal/op/joining.hpp>
#include <primal/op/matmul.hpp>
#include <primal/op/product.hpp>
#include <primal/op/slicing.hpp>
#include <primal/op/transpose.hpp>
#include <primal/plan/cluster.hpp>
#include <primal/transform/statement_kinds.hpp>

namespace primal {

constexpr combiner combiner_of(const op_info* op) {
  if (is<prod_op>(op)) return combiner::product;
  if (is<max_op>(op)) return combiner::maximum;
  if (is<min_op>(op)) return combiner::minimum;
  return combiner::sum;
}
/// Operators that give another view of the same elements.
constexpr bool is_view(const op_info* op) {
  return is<reshape_op>(op) || is<transpose_op>(op) || is<broadcast_to_op>(op) || is<slice_op>(op);
}

/// What the planner makes of a primitive. Every one that lowering may meet has a kind.
enum class plan_kind : std::uint8_t {
  unknown,
  element,  // of single elements, and calculated wherever it is needed
  input_of_call,
  source,
  reduction,
  view,
  product,
  gathering,
  scattering,
  joining,
  padding,
};
constexpr plan_kind kind_of(const op_info* op) {
  if (op->composite) return plan_kind::unknown;
  if (op->elementwise) return plan_kind::element;
  if (is<input_op>(op)) return plan_kind::input_of_call;
  if (is_source(op)) return plan_kind::source;
  if (is_reduction(op)) return plan_kind::reduction;
  if (is_view(op)) return plan_kind::view;
  if (is<matmul_op>(op)) return plan_kind::product;
  if (is<take_along_axis_op>(op)) return plan_kind::gathering;
  if (is<scatter_add_op>(op)) return plan_kind::scattering;
  if (is<concat_op>(op)) return plan_kind::joining;
  return is<pad_op>(op) ? plan_kind::padding : plan_kind::unknown;
}

/// Is reading a value back cheaper than calculating it again?
constexpr bool costs_much(const op_info* op) { return op->expensive; }

}  // namespace primal
