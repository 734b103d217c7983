// catalogue: every operator of the library as a Hana tuple of types. Documentation tables, test
// lists and the checks below are computed from it; nothing is looked up in it when a model is
// recorded.
#pragma once

#include <primal/op/input.hpp>
#include <primal/op/operators.hpp>

#include <boost/hana/concat.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>

namespace primal {

/// Operators as a plain list of types.
template <class... Op> struct operator_list {
  static constexpr const op_info* infos[sizeof...(Op)] = {&info_of<Op>...};
};

/// The operators of the library, by family.
using library_operators = operator_list<
    // sources
    input_op, full_op, arange_op, extent_op,
    // arithmetic
    add_op, subtract_op, multiply_op, divide_op, negative_op, floor_divide_op, remainder_op,
    // exponentials and powers
    exp_op, expm1_op, log_op, log2_op, log1p_op, sigmoid_op, tanh_op, erf_op, square_op, sqrt_op,
    rsqrt_op, reciprocal_op, pow_op, sin_op, cos_op, tan_op,
    // rounding
    abs_op, sign_op, floor_op, ceil_op, round_op, trunc_op,
    // truth
    equal_op, not_equal_op, less_op, less_equal_op, greater_op, greater_equal_op, logical_and_op,
    logical_or_op, logical_xor_op, logical_not_op, bitwise_and_op, bitwise_or_op, bitwise_xor_op,
    bitwise_not_op, isnan_op, isinf_op, isfinite_op,
    // selection and casts
    where_op, maximum_op, minimum_op, clip_op, lerp_op, cast_op, stop_gradient_op,
    // reductions
    sum_op, prod_op, max_op, min_op, argmax_op, argmin_op, any_op, all_op, mean_op, var_op, std_op,
    norm_op, squared_l2_norm_op, reduce_as_op,
    // shape
    reshape_op, transpose_op, broadcast_to_op, squeeze_op, expand_dims_op, flatten_op, slice_op,
    pad_op, flip_op, concat_op, stack_op, split_op<2>,
    // indexing and products
    take_along_axis_op, scatter_add_op, take_op, embedding_op, one_hot_op, matmul_op,
    // activations
    relu_op, relu6_op, hardtanh_op, leaky_relu_op, elu_op, erf_gelu_op, erf_gelu_slope_op,
    tanh_gelu_op, tanh_gelu_slope_op, gelu_op, silu_op, softplus_op, log_sigmoid_op, hardsigmoid_op,
    hardswish_op,
    // normalization
    softmax_op, safe_softmax_op, log_softmax_op, logsumexp_op, layer_norm_op, rms_norm_op,
    batch_norm_op,
    // losses
    cross_entropy_op, bce_with_logits_op, mse_loss_op>;

namespace core {

/// An operator has a name, and a gradient or the mark that it has none.
template <class Op> consteval bool has_facets() {
  static_assert(!op_name(Op::name).empty(), "primal: this operator has no name");
  static_assert(has_vjp<Op> || has_decompose<Op> || !Op::differentiable,
                "primal: this operator has neither `vjp` nor the mark `not_differentiable`");
  static_assert(Op::differentiable || !has_vjp<Op>,
                "primal: this operator has a `vjp` and says that it has no gradient");
  return true;
}
/// One of the library states its result types, a composite as well, so that its rule is checked against something
/// independent.
template <class Op> consteval bool is_complete() {
  static_assert(is_elementwise<Op> || has_infer<Op>, "primal: this operator has no `infer`");
  return has_facets<Op>();
}

/// Are all of them? Asked by the tests, and not by every program.
template <class... Op> consteval bool are_complete(operator_list<Op...>) {
  return (is_complete<Op>() && ...);
}
template <class... Op> consteval auto hana_tuple_of(operator_list<Op...>) {
  return boost::hana::tuple_t<Op...>;
}

template <class Op> consteval boost::hana::basic_type<Op> type_of(op<Op>) { return {}; }

}  // namespace core

/// `boost::hana::tuple_t<add_op, ...>`.
inline constexpr auto catalogue = core::hana_tuple_of(library_operators{});

/// A catalogue with more operators: `pm::extend(pm::catalogue, mish, sinc)`.
template <class Catalogue, class... Op> constexpr auto extend(const Catalogue& known, op<Op>...) {
  static_assert((core::has_facets<Op>() && ...));
  return boost::hana::concat(known, boost::hana::tuple_t<Op...>);
}

}  // namespace primal
