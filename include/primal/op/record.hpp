// Recording: an operator and its operands become a statement with inferred result types.
#pragma once

#include <primal/expr/saved.hpp>
#include <primal/op/facets.hpp>
#include <primal/op/promotion.hpp>

namespace primal {

/// Gives the last statement its results.
constexpr result_ids finish_statement(recorder& r) {
  const int at = r.size() - 1;
  const op_info* op = r.at(at).op;
  const saved s(&r, at);
  if (r.report.failed()) {  // go on with something, so that the first error stays the only one
    const auto type = s.input_count() > 0 && s.input().owner ? s.input().type() : tensor_type{};
    if (s.input_count() == 0) op->infer(s);
    for (int i = r.at(at).result_count; i < op->outputs; ++i) r.append_result(type);
  } else if (r.expanding && op->composite && r.expanding->expands(op->name)) {
    inside_rule inside(r.report);
    return op->decompose(s);  // the statement itself stays without results, and is dropped later
  } else {
    op->infer(s);
  }
  result_ids out;
  for (int i = 0; i < r.at(at).result_count; ++i) out.push_back(r.at(at).first_result + i);
  return out;
}

/// Starts a statement on operands of which at least one belongs to `r`; its attributes come next. Not
/// per operator: what all of them share is compiled once.
template <int Later = 0>
constexpr void start_statement(recorder& r, const op_info& op, tensor* in, int count) {
  if (op.unifies) unify_dtypes<Later>(r, op, in, count);
  else attach_operands<Later>(r, op, in, count);
  r.append(&op, r.report.where);
  for (int i = 0; i < count; ++i) r.append_operand(in[i].owner ? in[i].id : -1);
}

/// Records `Op`.
template <class Op>
constexpr result_ids record(recorder& r, tensor* in, int count,
                            const attributes_of<Op>& attributes) {
  static_cast<void>(sizeof(reveal<Op>));
  start_statement(r, info_of<Op>, in, count);
  if constexpr (!std::is_empty_v<attributes_of<Op>>) {
    if constexpr (has_normalised<Op>)
      encode(r.report.failed() ? attributes : Op::normalised(in[0], attributes), r.attributes);
    else encode(attributes, r.attributes);
    r.close_attributes();
  }
  return finish_statement(r);
}

}  // namespace primal
