// The table of an operator's facets, made from its struct.
#pragma once

#include <primal/op/attribute_text.hpp>
#include <primal/op/broadcast.hpp>
#include <primal/op/record.hpp>
#include <primal/op/signature.hpp>

namespace primal {

/// The attributes of a statement.
template <class Op> constexpr attributes_of<Op> attributes_in(sequence_view<std::int64_t> words) {
  attributes_of<Op> a{};
  const std::int64_t* in = words.data();
  decode(a, in);
  return a;
}
namespace core {

/// Lets the extents of an attribute be resolved again: their words do not say whose they are.
template <class T> constexpr void adopt_extents(T& value, recorder* r) {
  if constexpr (std::is_same_v<T, extents>) {
    for (auto& e : value)
      if (!e.known()) e = extent(e.code(), r);
  } else if constexpr (std::is_class_v<T> && !std::is_empty_v<T> && std::is_aggregate_v<T> &&
                       !encodable<T>) {
    for_each_field(value, [&](auto& field) { adopt_extents(field, r); });
  }
}

}  // namespace core

template <class Op> constexpr attributes_of<Op> attributes_in(const saved& s) {
  auto a = attributes_in<Op>(s.owner().attributes_of(s.own()));
  core::adopt_extents(a, &s.owner());
  return a;
}

namespace op_call {

/// The value of parameter `P` of a rule: operand number i, all operands, or the attributes.
template <class P, class Op> constexpr P parameter(const saved& s, int i) {
  if constexpr (std::is_same_v<P, tensors>) {
    tensors all;
    for (int k = 0; k < s.input_count(); ++k) all.push_back(s.input(k));
    return all;
  } else if constexpr (std::is_base_of_v<tensor, P>) {
    P p{};
    static_cast<tensor&>(p) = s.input(i);
    return p;
  } else {
    return attributes_in<Op>(s);
  }
}
// A rule without attributes is called through a function of its signature alone, which many operators share.
template <class Op, class R, class... P, std::size_t... I>
constexpr R call_rule(R (*rule)(P...), const saved& s, std::index_sequence<I...>) {
  return rule(parameter<P, Op>(s, static_cast<int>(I))...);
}
template <class Op, class R, class... P> constexpr R call_rule(R (*rule)(P...), const saved& s) {
  using owner =
      std::conditional_t<((std::is_base_of_v<tensor, P> || std::is_same_v<tensors, P>) && ...),
                         no_attributes, Op>;
  return call_rule<owner>(rule, s, std::index_sequence_for<P...>{});
}

/// Where a policy requires primitives, no operator may be left whole. Compilers report an error of constant
/// evaluation with the names and indices that lead to it: this one names `Op` and the line.
template <class Op> constexpr bool is_left_whole(int line_of_the_model) {
  constexpr bool left_whole_at_line[1] = {};
  return left_whole_at_line[line_of_the_model];
}

template <class Op> constexpr result_ids decompose(saved s) {
  if (!s.exists()) return {is_left_whole<Op>(s.statement())};
  auto attached = [&](const tensor& t) {
    return t.owner ? t.id : attach(s.owner(), t.constant).id;
  };
  auto out = call_rule<Op>(&Op::decompose, s);
  if constexpr (std::is_same_v<decltype(out), tensor>) {
    return {attached(out)};
  } else {
    return std::apply([&](const auto&... t) { return result_ids{attached(t)...}; }, out);
  }
}

template <class Op> constexpr void infer(saved s) {
  recorder& r = s.owner();
  if constexpr (has_infer<Op>) {
    auto out = call_rule<Op>(&Op::infer, s);
    if constexpr (std::is_same_v<decltype(out), tensor_type>) r.append_result(out);
    else
      for (const auto& t : out) r.append_result(t);
  } else {  // run the rule once, and forget its statements
    const int mark = r.size();
    const policy* expanding = r.expanding;
    r.expanding = nullptr;
    list<tensor_type, 16> types;
    {
      inside_rule inside(r.report);
      for (int v : decompose<Op>(s)) types.push_back(r.type(v));
    }
    r.expanding = expanding;
    if (r.size() > mark) r.truncate(mark);
    for (const auto& t : types) r.append_result(t);
  }
}

template <class Op> constexpr tensors vjp(saved s, cotangents dy) {
  if constexpr (requires { Op::vjp(s, dy); }) return Op::vjp(s, dy);
  else if constexpr (requires { Op::vjp(s, dy, attributes_of<Op>{}); })
    return Op::vjp(s, dy, attributes_in<Op>(s));
  else if constexpr (requires { Op::vjp(s, dy[0]); }) return Op::vjp(s, dy[0]);
  else return Op::vjp(s, dy[0], attributes_in<Op>(s));
}

template <class Op, dtype Given = dtype::float64>
constexpr double evaluate(const double* x, dtype given) {
  constexpr int arity = op_signature::arity<Op>();
  constexpr dtype computed = Op::dtypes::compute(Given);
  if constexpr (std::is_same_v<typename Op::dtypes, integer_dtype> && computed != dtype::bool_)
    if (given == dtype::bool_)
      return evaluate<Op, dtype::bool_>(x, given);  // of one bit, not of many
  auto argument = [&](int i) {
    if constexpr (computed == dtype::bool_) return x[i] != 0;
    else return static_cast<element_of<computed>>(x[i]);
  };
  if constexpr (selects<Op>) return static_cast<double>(Op::apply(x[0] != 0, x[1], x[2]));
  else if constexpr (arity == 1) return static_cast<double>(Op::apply(argument(0)));
  else if constexpr (arity == 2) return static_cast<double>(Op::apply(argument(0), argument(1)));
  else return static_cast<double>(Op::apply(argument(0), argument(1), argument(2)));
}

// Operators with the same attributes share it, unless one prints them itself.
template <class Attributes>
constexpr text print(sequence_view<std::int64_t> words, const extent_space& extents) {
  return attribute_text::fields(attribute_text::description<Attributes>::value, words.data(),
                                extents);
}
template <class Op>
constexpr text own_print(sequence_view<std::int64_t> words, const extent_space&) {
  return Op::print(attributes_in<Op>(words));
}

template <class Rules> consteval dtype_rules make_rules() {
  dtype_rules r;
  r.compute = &Rules::compute;
  r.result = &Rules::result;
  if constexpr (requires { &Rules::accepts; }) {
    r.restricted = true;
    r.accepts = &Rules::accepts;
    r.needs = Rules::needs;
  }
  return r;
}
template <class Rules> inline constexpr dtype_rules rules_of = make_rules<Rules>();

}  // namespace op_call

template <class Op> consteval op_info make_info() {
  op_info info;
  info.name = Op::name;
  info.outputs = output_count<Op>;
  info.primary = primary_count<Op>();
  info.elementwise = is_elementwise<Op>;
  if constexpr (is_elementwise<Op>) info.arity = op_signature::arity<Op>();
  if constexpr (requires { Op::expensive; }) info.expensive = Op::expensive;
  info.differentiable = Op::differentiable;
  info.selects = selects<Op>;
  info.unifies = unifies_dtypes<Op>;
  info.composite = has_decompose<Op>;
  info.has_rule = has_vjp<Op>;
  info.has_attributes = !std::is_empty_v<attributes_of<Op>>;
  if constexpr (unifies_dtypes<Op>) info.dtypes = &op_call::rules_of<typename Op::dtypes>;
  if constexpr (is_elementwise<Op> && !has_infer<Op>) info.infer = &infer_elementwise;
  else info.infer = &op_call::infer<Op>;
  if constexpr (requires { &Op::print; }) info.print = &op_call::own_print<Op>;
  else if constexpr (!std::is_empty_v<attributes_of<Op>>)
    info.print = &op_call::print<attributes_of<Op>>;
  if constexpr (has_decompose<Op>) info.decompose = &op_call::decompose<Op>;
  if constexpr (has_vjp<Op>) info.vjp = &op_call::vjp<Op>;
  if constexpr (is_elementwise<Op>) info.evaluate = &op_call::evaluate<Op, dtype::float64>;
  return info;
}

}  // namespace primal
