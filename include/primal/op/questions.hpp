// Questions about operators, answered while compiling: does it have a rule, and what does the rule
// say?
#pragma once

#include <primal/op/catalogue.hpp>

namespace primal {

namespace core {

// A template, so that the rules of all operators are compiled only for whom asks.
template <class Operators> consteval const op_info* info_named(op_name name) {
  for (const auto* info : Operators::infos)
    if (info->name == name) return info;
  core::refuse("primal: no operator of the library has this name");
}

template <literal Name, class... Op> consteval auto find_operator(operator_list<Op...>) {
  constexpr std::size_t at = [] {
    const op_name names[] = {Op::name...};
    std::size_t i = 0;
    while (i < sizeof...(Op) && names[i] != Name.view()) ++i;
    return i;
  }();
  static_assert(at < sizeof...(Op), "no operator of the library has this name");
  return std::tuple_element<at, std::tuple<std::type_identity<Op>...>>{};
}
template <literal Name>
using operator_named = typename decltype(find_operator<Name>(library_operators{}))::type::type;

/// Records `Op` on new inputs of these types.
template <class Op>
constexpr saved statement_of(recorder& r, sequence_view<tensor_type> operands,
                             const attributes_of<Op>& a) {
  tensors in;
  for (const auto& type : operands) in.push_back(record_input(r, type, "operand"));
  in.resize(takes_list<Op> ? in.size() : static_cast<std::size_t>(signature_of<Op>::total));
  const auto ids = record<Op>(r, in.data(), static_cast<int>(in.size()), a);
  if (r.report.failed()) core::refuse("primal: the operator cannot take these operands");
  return {&r, r.value_at(ids[0]).statement};
}

}  // namespace core

/// Can it be decomposed? `pm::has_decomp_rule<pm::softmax_op>()`, `pm::has_decomp_rule("softmax")`.
template <class Op> consteval bool has_decomp_rule() { return has_decompose<Op>; }
template <class Operators = library_operators> consteval bool has_decomp_rule(op_name name) {
  return core::info_named<Operators>(name)->composite;
}

/// Does it have a gradient rule of its own? Without one a composite is differentiated piece by
/// piece.
template <class Op> consteval bool has_vjp_rule() { return has_vjp<Op>; }
template <class Operators = library_operators> consteval bool has_vjp_rule(op_name name) {
  return core::info_named<Operators>(name)->has_rule;
}

/// What the decomposition of an operator records on operands of these types, as a program. Optional
/// operands at the end may be left out.
template <class Op>
constexpr program call_decomp_rule(std::initializer_list<tensor_type> operands,
                                   const attributes_of<Op>& a = {}) {
  static_assert(has_decompose<Op>, "the operator is a primitive");
  recorder r;
  const auto s =
      core::statement_of<Op>(r, {operands.begin(), static_cast<int>(operands.size())}, a);
  const int statement = s.statement();
  const inside_rule inside(r.report);
  for (int v : op_call::decompose<Op>(saved(&r, statement))) r.outputs.push_back(v);
  return r;
}
template <literal Name>
constexpr program call_decomp_rule(std::initializer_list<tensor_type> operands,
                                   const attributes_of<core::operator_named<Name>>& a = {}) {
  return call_decomp_rule<core::operator_named<Name>>(operands, a);
}

/// What the gradient rule of an operator records: inputs are the operands, then a cotangent for
/// every result; outputs the cotangents of the operands as the rule gives them, -1 where it gives
/// none.
template <class Op>
constexpr program call_decomp_vjp(std::initializer_list<tensor_type> operands,
                                  const attributes_of<Op>& a = {}) {
  static_assert(has_vjp<Op>, "the operator has no gradient rule of its own");
  recorder r;
  const auto s =
      core::statement_of<Op>(r, {operands.begin(), static_cast<int>(operands.size())}, a);
  const int statement = s.statement();
  tensors dy;
  for (int i = 0; i < output_count<Op>; ++i)
    dy.push_back(record_input(r, saved(&r, statement).output(i).type(), "cotangent"));
  const inside_rule inside(r.report);
  for (const auto& ct : op_call::vjp<Op>(saved(&r, statement), cotangents(dy)))
    r.outputs.push_back(ct.owner || !ct.has_value() ? ct.id : attach(r, ct.constant).id);
  return r;
}
template <literal Name>
constexpr program call_decomp_vjp(std::initializer_list<tensor_type> operands,
                                  const attributes_of<core::operator_named<Name>>& a = {}) {
  return call_decomp_vjp<core::operator_named<Name>>(operands, a);
}

}  // namespace primal
