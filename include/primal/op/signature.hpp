// signature: how many operands and results an operator has, read from its rules.
#pragma once

#include <primal/expr/tensor.hpp>
#include <primal/op/facets.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace primal {

namespace op_signature {

template <class... P> struct parameters {};
template <class F> struct of;
template <class R, class... P> struct of<R (*)(P...)> {
  using result = R;
  using list = parameters<P...>;
};

template <class R, class... P> consteval int parameter_count(R (*)(P...)) {
  return static_cast<int>(sizeof...(P));
}

/// How many operands an elementwise operator has: `static constexpr int arity`, or what `apply` takes.
template <class Op> consteval int arity() {
  if constexpr (requires { Op::arity; }) return Op::arity;
  else return parameter_count(&Op::template apply<float>);
}

template <std::size_t... I>
auto uniform(std::index_sequence<I...>)
    -> of<tensor (*)(decltype((static_cast<void>(I), tensor{}))...)>;

template <class Op> consteval auto find() {
  if constexpr (has_decompose<Op>) return of<decltype(&Op::decompose)>{};
  else if constexpr (has_infer<Op>) return of<decltype(&Op::infer)>{};
  else
    return decltype(uniform(std::make_index_sequence<static_cast<std::size_t>(arity<Op>())>{})){};
}

template <class L> struct counted;
template <class... P> struct counted<parameters<P...>> {
  template <class T>
  static constexpr int of_type = (0 + ... + static_cast<int>(std::is_same_v<P, T>));
  static constexpr int required = of_type<tensor> + of_type<tensors>;
  static constexpr int total = required + of_type<optional>;
  static constexpr bool takes_attributes = static_cast<int>(sizeof...(P)) > total;
  using types = std::tuple<P...>;
};

}  // namespace op_signature

/// The parameters of an operator, read from its rule.
template <class Op>
using signature_of = op_signature::counted<typename decltype(op_signature::find<Op>())::list>;

template <class Op, std::size_t I>
using parameter_of = std::tuple_element_t<I, typename signature_of<Op>::types>;

template <class Op> inline constexpr bool takes_list = std::is_same_v<parameter_of<Op, 0>, tensors>;

namespace op_signature {
template <class R> inline constexpr int results_in = 1;
template <class T, std::size_t N>
inline constexpr int results_in<std::array<T, N>> = static_cast<int>(N);
template <class... T>
inline constexpr int results_in<std::tuple<T...>> = static_cast<int>(sizeof...(T));
template <class A, class B> inline constexpr int results_in<std::pair<A, B>> = 2;

template <class Attributes, class R, class... P> consteval bool is_among(R (*)(P...)) {
  return (std::is_same_v<P, Attributes> || ...);
}

/// Does `decompose` return one tensor, or as many as its type says?
template <class Op> consteval bool has_known_results() {
  using result = typename decltype(find<Op>())::result;
  return !has_decompose<Op> || std::is_same_v<result, tensor> ||
         requires { std::tuple_size<result>::value; };
}

/// Does `apply` take nothing but elements?
template <class Op> consteval bool applies_to_elements() {
  if constexpr (!is_elementwise<Op> || requires { Op::arity; }) return true;
  else return !is_among<attributes_of<Op>>(&Op::template apply<float>);
}

}  // namespace op_signature

/// How many results a statement of the operator has.
template <class Op>
inline constexpr int output_count =
    op_signature::results_in<typename decltype(op_signature::find<Op>())::result>;

/// How many of them a plain call returns: `static constexpr int primary` says so, else one.
template <class Op> consteval int primary_count() {
  if constexpr (requires { Op::primary; }) return Op::primary;
  else return 1;
}

}  // namespace primal
