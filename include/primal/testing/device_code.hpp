// device_code: has an operator code for the blocks of a GPU? Asked while compiling, also by a compiler for the host:
// lanes calculate with packs of elements, which are types of the same name there.
#pragma once

#include <primal/kernel/lane_memory.hpp>
#include <primal/op/catalogue.hpp>
#include <primal/plan/kinds.hpp>
#include <primal/plan/prepare.hpp>

namespace primal::testing {

namespace device_code {

/// What lanes calculate with: packs in a sweep, single elements once a row.
using packs = wide_lanes<4, 4>;
using elements = scalar_lanes;

template <class R, class V> inline constexpr bool becomes = std::is_convertible_v<R, V>;
template <class R, class V, int Width>
inline constexpr bool becomes<wide<R, Width>, wide<V, Width>> = std::is_convertible_v<R, V>;

/// Does `apply` take values of dtype D, and give one of dtype Result?
template <class Op, class X, class Condition, class Result> consteval bool applies() {
  constexpr auto fits = []<class R>(std::type_identity<R>) {
    return selects<Op> ? std::is_same_v<R, Result> : becomes<R, Result>;
  };
  constexpr int arity = op_signature::arity<Op>();
  if constexpr (selects<Op>) {
    if constexpr (requires(Condition c, X x) { Op::apply(c, x, x); })
      return fits(std::type_identity<decltype(Op::apply(Condition(), X(), X()))>{});
  } else if constexpr (arity == 1) {
    if constexpr (requires(X x) { Op::apply(x); })
      return fits(std::type_identity<decltype(Op::apply(X()))>{});
  } else if constexpr (arity == 2) {
    if constexpr (requires(X x) { Op::apply(x, x); })
      return fits(std::type_identity<decltype(Op::apply(X(), X()))>{});
  } else if constexpr (requires(X x) { Op::apply(x, x, x); }) {
    return fits(std::type_identity<decltype(Op::apply(X(), X(), X()))>{});
  }
  return false;
}

/// The code of a statement of a kernel; compiled where its address is taken.
template <class Lanes, class Op, dtype D, dtype Result>
void calculate(typename Lanes::template value<Result>& to,
               const typename Lanes::template value<dtype::bool_>& condition,
               const typename Lanes::template value<D>& x) {
  constexpr int arity = op_signature::arity<Op>();
  if constexpr (selects<Op>) to = primal::apply<Lanes, Op, Result>(condition, x, x);
  else if constexpr (arity == 1) to = primal::apply<Lanes, Op, Result>(x);
  else if constexpr (arity == 2) to = primal::apply<Lanes, Op, Result>(x, x);
  else to = primal::apply<Lanes, Op, Result>(x, x, x);
}

/// On operands of the dtype D, if it accepts them.
template <class Op, class Lanes, dtype Given> consteval bool calculates() {
  using rules = typename Op::dtypes;
  if constexpr (requires { rules::accepts(Given); })
    if (!rules::accepts(Given)) return true;
  constexpr dtype computed = rules::compute(Given), result = rules::result(computed);
  if constexpr (applies<Op, typename Lanes::template value<computed>,
                        typename Lanes::template value<dtype::bool_>,
                        typename Lanes::template value<result>>()) {
    static_cast<void>(&calculate<Lanes, Op, computed, result>);
    return true;
  } else {
    return false;
  }
}
template <class Op, int... D> consteval bool calculates_all(std::integer_sequence<int, D...>) {
  return (calculates<Op, packs, static_cast<dtype>(D)>() && ...) &&
         (calculates<Op, elements, static_cast<dtype>(D)>() && ...);
}

}  // namespace device_code

/// Can kernels for CUDA calculate it? A primitive of single elements on packs of every dtype, and on single elements;
/// another one if the planner knows it; a composite through its pieces.
template <class Op> consteval bool has_device_code() {
  if constexpr (has_decompose<Op>) return true;
  else if constexpr (is_elementwise<Op>)
    return device_code::calculates_all<Op>(std::make_integer_sequence<int, dtype_count>{});
  else return kind_of(&info_of<Op>) != plan_kind::unknown || is_prepared(&info_of<Op>);
}

template <class Op> consteval bool demand_device_code() {
  static_assert(has_device_code<Op>(), "primal: kernels for CUDA cannot calculate this primitive");
  return true;
}
/// Asserts it of each: `static_assert(pm::testing::have_device_code(pm::library_operators{}))`.
template <class... Op> consteval bool have_device_code(operator_list<Op...>) {
  return (demand_device_code<Op>() && ...);
}

}  // namespace primal::testing
