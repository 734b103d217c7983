// Facets: what a struct says to be an operator, as concepts, and the bases that it derives from.
#pragma once

#include <primal/core/fields.hpp>
#include <primal/expr/tensor.hpp>

#include <tuple>
#include <utility>

namespace primal {

/// How the dtypes of an elementwise operator follow from the common dtype of its operands.
struct same_dtype {
  static constexpr dtype compute(dtype d) { return d; }
  static constexpr dtype result(dtype d) { return d; }
};
/// Integers and bool are computed in float32.
struct floating_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return to_floating(d); }
};
/// Bool is computed in int32.
struct arithmetic_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return d == dtype::bool_ ? dtype::int32 : d; }
};
/// A question about numbers: the result is bool. Bool itself is asked as a number.
struct predicate_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return d == dtype::bool_ ? dtype::int32 : d; }
  static constexpr dtype result(dtype) { return dtype::bool_; }
};
/// Integers and bool alone.
struct integer_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return is_floating(d) ? dtype::int64 : d; }
  static constexpr bool accepts(dtype d) { return !is_floating(d); }
  static constexpr std::string_view needs = "integers or bool are needed";
};
/// Operands are taken as bool, and so is the result.
struct logical_dtype : predicate_dtype {
  static constexpr dtype compute(dtype) { return dtype::bool_; }
};

/// The base of an operator that is defined by simpler ones: it states `decompose`.
template <class Op> struct composite {
  using attributes = no_attributes;
  static constexpr bool differentiable = true;
};

/// The base of a primitive that moves or reduces elements: it states `infer`. With `dtypes` its operands
/// are converted to one dtype, as those of an elementwise operator are.
template <class Op> struct primitive {
  using attributes = no_attributes;
  static constexpr bool differentiable = true;
};

/// The base of a primitive that works on one element at a time: it states `apply`, a function of
/// scalars or of registers of them, for every back end. `static constexpr bool expensive = true` marks one
/// that costs more than reading its result back.
template <class Op> struct elementwise {
  using attributes = no_attributes;
  using dtypes = same_dtype;
  using is_elementwise = void;
  static constexpr bool differentiable = true;
  static constexpr bool selects = false;  // the first operand is a condition
};

/// The mark of an operator whose results carry no gradient.
struct not_differentiable {
  static constexpr bool differentiable = false;
};

template <class Op>
concept has_decompose = requires { &Op::decompose; };
template <class Op>
concept has_vjp = requires { &Op::vjp; };
template <class Op>
concept has_infer = requires { &Op::infer; };
template <class Op>
concept is_elementwise = requires { typename Op::is_elementwise; };

/// Its operands are converted to their common dtype before it is recorded.
template <class Op>
concept unifies_dtypes = requires { typename Op::dtypes; };
/// It brings attributes to one form when it is recorded: `normalised(first_operand, attributes)` turns
/// negative axes into those they mean, and reports what cannot be meant.
template <class Op>
concept has_normalised = requires { &Op::normalised; };
/// The first operand is a condition, which stays out of the common dtype.
template <class Op> inline constexpr bool selects = requires { requires Op::selects; };

/// An operator: a struct with a name and at least one way to be computed.
template <class Op>
concept operator_type =
    requires { Op::name; } && (has_decompose<Op> || has_infer<Op> || is_elementwise<Op>);

template <class Op> using attributes_of = typename Op::attributes;

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

/// The facets of an operator as a value; see op/info.hpp.
template <class Op> consteval op_info make_info();
template <class Op> inline constexpr op_info info_of = make_info<Op>();

/// Is it the operator `Op`?
template <class Op> constexpr bool is(const op_info* op) { return same_operator(op, &info_of<Op>); }

/// Using it lets op_of<&info_of<Op>> find Op.
template <class Op> struct reveal {
  friend constexpr auto operator_of(info_key<&info_of<Op>>) { return std::type_identity<Op>{}; }
};

}  // namespace primal
