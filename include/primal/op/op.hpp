// op: the function object of an operator.
#pragma once

#include <primal/op/array_traits.hpp>
#include <primal/op/constant_expression.hpp>
#include <primal/op/constant_folding.hpp>
#include <primal/op/info.hpp>
#include <primal/op/record.hpp>
#include <primal/op/signature.hpp>

namespace primal {

/// Runs a callable at once on arrays, `run_now<Callable>{}(arrays...)`; defined in runtime/.
template <class Callable> struct run_now;
/// The same for an operator where numbers stand beside arrays: they take the dtype of those.
template <class Callable> struct run_beside_numbers;
/// Says that attributes cannot stand beside arrays.
template <class Callable> struct run_with_attributes;

namespace op_call {

template <class P> struct argument;
template <> struct argument<tensor> {
  using type = operand;
};
template <> struct argument<optional> {
  using type = optional_operand;
};
template <> struct argument<tensors> {
  using type = list_operand;
};
template <class Op, std::size_t I> using argument_of = typename argument<parameter_of<Op, I>>::type;

template <std::size_t N> constexpr auto first_of(recorder& r, const result_ids& ids) {
  if constexpr (N == 1) {
    return tensor{&r, ids[0]};
  } else {
    results<N> out;
    for (std::size_t i = 0; i < N; ++i) out[i] = {&r, ids[static_cast<int>(i)]};
    return out;
  }
}

/// The model that an operand belongs to, if only by its extents.
constexpr recorder* owner_among(const tensor* in, int count) {
  for (int i = 0; i < count; ++i)
    if (in[i].owner) return in[i].owner;
  for (int i = 0; i < count; ++i)
    if (in[i].near) return in[i].near;
  return nullptr;
}

template <class Op, int Results>
constexpr auto call_with(tensor* in, int count, const attributes_of<Op>& attributes,
                         const place& where) {
  constexpr auto results = static_cast<std::size_t>(Results);
  recorder* r = owner_among(in, count);
  if constexpr (is_elementwise<Op>)
    if (all_uniform(in, count)) return fold_constants(info_of<Op>, in, count);
  if (!r) {
    recorder own;
    own.report.at(where);
    core::attach_equal_expressions<>(own, in, count);
    const auto ids = record<Op>(own, in, count, attributes);
    return core::as_constants(first_of<results>(own, ids));
  }
  r->report.at(where);
  return first_of<results>(*r, record<Op>(*r, in, count, attributes));
}

/// The call with a given number of tensors. One overload per count and not a template, so that braces
/// after the tensors convert to the attributes.
template <class Op, class Indices> struct call;
template <class Op, std::size_t... I> struct call<Op, std::index_sequence<I...>> {
  using attributes = attributes_of<Op>;

  constexpr auto operator()(argument_of<Op, I>... in, attributes a = {}) const {
    return all<primary_count<Op>()>(a, in...);
  }
  constexpr auto outputs(argument_of<Op, I>... in, attributes a = {}) const {
    return all<output_count<Op>>(a, in...);
  }

 private:
  template <int Results>
  static constexpr auto all(const attributes& a, const argument_of<Op, I>&... in) {
    const place places[] = {in.where...};
    if constexpr (takes_list<Op>) {
      tensors items = (in.items, ...);
      return call_with<Op, Results>(items.data(), static_cast<int>(items.size()), a, places[0]);
    } else {
      tensor items[static_cast<std::size_t>(signature_of<Op>::total)] = {in.t...};
      return call_with<Op, Results>(items, signature_of<Op>::total, a, places[0]);
    }
  }
};

template <class Op, class Counts> struct calls;
template <class Op, std::size_t... Extra>
struct calls<Op, std::index_sequence<Extra...>>
    : call<Op, std::make_index_sequence<static_cast<std::size_t>(signature_of<Op>::required) +
                                        Extra>>... {
  using call<Op, std::make_index_sequence<static_cast<std::size_t>(signature_of<Op>::required) +
                                          Extra>>::operator()...;
  using call<Op, std::make_index_sequence<static_cast<std::size_t>(signature_of<Op>::required) +
                                          Extra>>::outputs...;
};

template <class Op>
using all_calls = calls<Op, std::make_index_sequence<static_cast<std::size_t>(
                                signature_of<Op>::total - signature_of<Op>::required + 1)>>;

/// `op.outputs` as a callable, to run it at once on arrays.
template <class Op> struct all_outputs;

/// An elementwise operator on numbers alone gives a number, also while a model is being recorded.
template <class Op, number... N> constexpr auto of_numbers(N... x) {
  constexpr int count = static_cast<int>(sizeof...(N)), first = Op::selects ? 1 : 0;
  static_assert(count == op_signature::arity<Op>(),
                "primal: this operator takes another number of operands");
  constexpr auto computed = [] {
    const tensor in[] = {constant_tensor({constant_source::number, dtype_of<N>, 0})...};
    return Op::dtypes::compute(common_dtype(in + first, count - first));
  }();
  const double in[] = {static_cast<double>(x)...};
  return static_cast<element_of<Op::dtypes::result(computed)>>(info_of<Op>.evaluate(in, computed));
}

}  // namespace op_call

/// The function object: tensors first, then the attributes. `op(...)` gives the primary results,
/// `op.outputs(...)` all of them. With arrays instead of tensors it runs at once.
template <operator_type Op> struct op : op_call::all_calls<Op> {
  static_assert(op_signature::has_known_results<Op>(),
                "primal: decompose returns a tensor, or a std::array, pair or tuple of them");
  static_assert(op_signature::applies_to_elements<Op>(),
                "primal: apply takes elements alone; with attributes an operator is a composite");

  using op_call::all_calls<Op>::operator();
  using op_call::all_calls<Op>::outputs;

  template <array_like... A> constexpr auto operator()(const A&... arrays) const {
    if constexpr (is_elementwise<Op> && (number<A> && ...))
      return op_call::of_numbers<Op>(arrays...);
    else if constexpr ((number<A> || ...)) return run_beside_numbers<op>{}(arrays...);
    else return run_now<op>{}(arrays...);
  }
  /// (Overloads and not a pack, because attributes in braces have no type.)
  template <array_like A>
  auto operator()(const A& a, attributes_of<Op>) const
    requires(!number<A>)
  {
    return run_with_attributes<op>{}(a);
  }
  template <array_like A, array_like B>
  auto operator()(const A& a, const B& b, attributes_of<Op>) const
    requires(!number<A> && !number<B>)
  {
    return run_with_attributes<op>{}(a, b);
  }
  template <array_like... A> auto outputs(const A&... arrays) const {
    if constexpr ((number<A> || ...))
      return run_beside_numbers<op_call::all_outputs<Op>>{}(arrays...);
    else return run_now<op_call::all_outputs<Op>>{}(arrays...);
  }
};

template <class Op> struct op_call::all_outputs {
  template <class... T>
  constexpr auto operator()(const T&... x) const -> decltype(op<Op>{}.outputs(x...)) {
    return op<Op>{}.outputs(x...);
  }
};

/// Is this callable an operator itself? Called with arrays it is recorded by the library, whose line helps nobody.
template <class F> inline constexpr bool is_operator = false;
template <class Op> inline constexpr bool is_operator<op<Op>> = true;
template <class Op> inline constexpr bool is_operator<op_call::all_outputs<Op>> = true;

}  // namespace primal

// What a call may need of numbers: attach() and cast().
#include <primal/op/attach.hpp>
