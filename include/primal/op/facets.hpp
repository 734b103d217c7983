// Facets: what a struct says to be an operator, as concepts, and the bases that it derives from.
#pragma once

#include <primal/core/fields.hpp>
#include <primal/expr/op_info.hpp>
#include <primal/op/dtype_rules.hpp>

namespace primal {

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
