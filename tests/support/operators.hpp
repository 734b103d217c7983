// Operators by name: how a case of tests/data is recorded. Attributes are spelled there as in the library,
// unless a line here says otherwise.
#pragma once

#include <primal/op/operators.hpp>

#include <map>
#include <string>
#include <support/reference.hpp>

namespace primal::test {

/// Records the operator of a case on its inputs.
using recording = tensors (*)(const tensors& x, const reference_case& c);
using operator_table = std::map<std::string, recording>;

inline dtype dtype_named(const std::string& name) {
  for (int i = 0; i <= static_cast<int>(dtype::float64); ++i)
    if (name_of(static_cast<dtype>(i)) == name) return static_cast<dtype>(i);
  throw std::runtime_error("no dtype is called " + name);
}

/// The attributes of a case in the library's types.
struct attributes_of_case {
  const reference_case& c;

  int integer(const char* name, int otherwise) const {
    return static_cast<int>(c.number(name, otherwise));
  }
  primal::axes axes(const char* name = "axes") const {
    primal::axes a;
    a.every = !c.has(name);
    for (auto i : c.list(name)) a.push_back(static_cast<int>(i));
    return a;
  }
  place_attributes place() const { return {axes("axis"), c.flag("keepdims")}; }
  variance_attributes variance() const {
    return {axes(), c.flag("keepdims"), c.number("correction", 0)};
  }
  extents dims(const char* name = "shape") const {
    extents e;
    for (auto i : c.list(name)) e.push_back(i);
    return e;
  }
  primal::ints ints(const char* name) const {
    primal::ints list;
    for (auto i : c.list(name)) list.push_back(i);
    return list;
  }
  primal::dtype dtype() const {
    return c.has("dtype") ? dtype_named(c.attrs.at("dtype")) : dtype::float32;
  }
  primal::reduction loss() const {
    const auto how = c.has("reduction") ? c.attrs.at("reduction") : "mean";
    return how == "none" ? reduction::none : how == "sum" ? reduction::sum : reduction::mean;
  }
};

/// An input that a case may leave out.
inline tensor input(const tensors& x, std::size_t i) { return i < x.size() ? x[i] : tensor{}; }

// One adaptor for each kind of attributes.
template <const auto& Op> tensors unary(const tensors& x, const reference_case&) {
  return {Op(x[0])};
}
template <const auto& Op> tensors binary(const tensors& x, const reference_case&) {
  return {Op(x[0], x[1])};
}
template <const auto& Op> tensors ternary(const tensors& x, const reference_case&) {
  return {Op(x[0], x[1], x[2])};
}
template <const auto& Op> tensors reduction_of(const tensors& x, const reference_case& c) {
  return {Op(x[0], {attributes_of_case{c}.axes(), c.flag("keepdims")})};
}
template <const auto& Op, int Default> tensors along(const tensors& x, const reference_case& c) {
  return {Op(x[0], {attributes_of_case{c}.integer("axis", Default)})};
}
template <const auto& Op, int Default> tensors indexed(const tensors& x, const reference_case& c) {
  if constexpr (requires { Op(x[0], x[1]); })
    return {Op(x[0], x[1], {attributes_of_case{c}.integer("axis", Default)})};
  else return {Op(x[0], x[1], x[2], {attributes_of_case{c}.integer("axis", Default)})};
}
template <const auto& Op> tensors joined(const tensors& x, const reference_case& c) {
  return {Op(x, {attributes_of_case{c}.integer("axis", 0)})};
}
template <const auto& Op> tensors loss(const tensors& x, const reference_case& c) {
  return {Op(x[0], x[1], {attributes_of_case{c}.loss()})};
}

inline const operator_table& operators() {
  using given = attributes_of_case;
  static const operator_table table = {
      // one element
      {"negative", unary<negative>},
      {"abs", unary<abs>},
      {"sign", unary<sign>},
      {"exp", unary<exp>},
      {"log", unary<log>},
      {"log1p", unary<log1p>},
      {"expm1", unary<expm1>},
      {"sqrt", unary<sqrt>},
      {"rsqrt", unary<rsqrt>},
      {"square", unary<square>},
      {"reciprocal", unary<reciprocal>},
      {"sin", unary<sin>},
      {"cos", unary<cos>},
      {"tanh", unary<tanh>},
      {"sigmoid", unary<sigmoid>},
      {"erf", unary<erf>},
      {"floor", unary<floor>},
      {"ceil", unary<ceil>},
      {"round", unary<round>},
      {"isnan", unary<isnan>},
      {"isinf", unary<isinf>},
      {"isfinite", unary<isfinite>},
      {"logical_not", unary<logical_not>},
      {"relu", unary<relu>},
      {"relu6", unary<relu6>},
      {"silu", unary<silu>},
      {"hardswish", unary<hardswish>},
      {"log_sigmoid", unary<log_sigmoid>},
      {"hardtanh", unary<hardtanh>},
      {"stop_gradient", unary<stop_gradient>},
      {"leaky_relu",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {leaky_relu(x[0], {c.number("negative_slope", 0.01)})};
       }},
      {"elu",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {elu(x[0], {c.number("alpha", 1)})};
       }},
      {"softplus",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {softplus(x[0], {c.number("beta", 1)})};
       }},
      {"gelu",
       [](const tensors& x, const reference_case& c) -> tensors {
         const bool by_tanh = c.has("approximate") && c.attrs.at("approximate") == "tanh";
         return {gelu(x[0], {by_tanh ? approximation::tanh : approximation::erf})};
       }},
      {"cast",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {cast(x[0], given{c}.dtype())};
       }},
      {"clip",
       [](const tensors& x, const reference_case& c) -> tensors {
         clip_op::attributes a;
         a.min = c.number("min", a.min), a.max = c.number("max", a.max);
         return {clip(x[0], input(x, 1), input(x, 2), a)};
       }},

      // two and three elements
      {"add", binary<add>},
      {"subtract", binary<subtract>},
      {"multiply", binary<multiply>},
      {"divide", binary<divide>},
      {"maximum", binary<maximum>},
      {"minimum", binary<minimum>},
      {"pow", binary<pow>},
      {"floor_divide", binary<floor_divide>},
      {"remainder", binary<remainder>},
      {"equal", binary<equal>},
      {"not_equal", binary<not_equal>},
      {"less", binary<less>},
      {"less_equal", binary<less_equal>},
      {"greater", binary<greater>},
      {"greater_equal", binary<greater_equal>},
      {"logical_and", binary<logical_and>},
      {"logical_or", binary<logical_or>},
      {"logical_xor", binary<logical_xor>},
      {"where", ternary<where>},
      {"lerp", ternary<lerp>},

      // reductions
      {"sum", reduction_of<sum>},
      {"prod", reduction_of<prod>},
      {"max", reduction_of<max>},
      {"min", reduction_of<min>},
      {"mean", reduction_of<mean>},
      {"norm", reduction_of<norm>},
      {"any", reduction_of<any>},
      {"all", reduction_of<all>},
      {"logsumexp", reduction_of<logsumexp>},
      {"squared_l2_norm", unary<squared_l2_norm>},
      {"reduce_as", binary<reduce_as>},
      {"var",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {var(x[0], given{c}.variance())};
       }},
      {"std",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {primal::std(x[0], given{c}.variance())};
       }},
      {"argmax",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {argmax(x[0], given{c}.place())};
       }},
      {"argmin",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {argmin(x[0], given{c}.place())};
       }},

      // moving and choosing elements
      {"reshape",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {reshape(x[0], given{c}.dims())};
       }},
      {"broadcast_to",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {broadcast_to(x[0], given{c}.dims())};
       }},
      {"transpose",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {transpose(x[0], given{c}.ints("axes"))};
       }},
      {"slice",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {
             slice(x[0], {given{c}.dims("start"), given{c}.dims("extent"), given{c}.ints("step")})};
       }},
      {"pad",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {pad(x[0], {given{c}.dims("low"), given{c}.dims("high"), c.number("value", 0)})};
       }},
      {"concat", joined<concat>},
      {"stack", joined<stack>},
      {"full",
       [](const tensors&, const reference_case& c) -> tensors {
         return {full(given{c}.dims(), c.number("value", 0), {given{c}.dtype()})};
       }},
      {"arange",
       [](const tensors&, const reference_case& c) -> tensors {
         return {arange(c.number("start", 0), c.number("stop", 0), c.number("step", 1),
                        {given{c}.dtype()})};
       }},
      {"take_along_axis", indexed<take_along_axis, -1>},
      {"scatter_add", indexed<scatter_add, -1>},
      {"gather", indexed<take, 0>},
      {"embedding", binary<embedding>},
      {"one_hot",
       [](const tensors& x, const reference_case& c) -> tensors {
         return {one_hot(x[0], {given{c}.integer("classes", 0)})};
       }},
      {"matmul", binary<matmul>},

      // rows
      {"softmax", along<softmax, -1>},
      {"log_softmax", along<log_softmax, -1>},
      {"safe_softmax", along<safe_softmax, -1>},
      {"layer_norm",
       [](const tensors& x, const reference_case& c) -> tensors {
         normalization_attributes a;
         if (c.has("axes")) a.axes = given{c}.axes();
         a.epsilon = c.number("epsilon", a.epsilon);
         const auto all = layer_norm.outputs(x[0], input(x, 1), input(x, 2), a);
         return {all[0], all[1], all[2]};
       }},
      {"rms_norm",
       [](const tensors& x, const reference_case& c) -> tensors {
         rms_norm_op::attributes a;
         if (c.has("axes")) a.axes = given{c}.axes();
         a.epsilon = c.number("epsilon", a.epsilon);
         return {rms_norm(x[0], input(x, 1), a)};
       }},
      {"batch_norm",
       [](const tensors& x, const reference_case& c) -> tensors {
         batch_norm_op::attributes a;
         a.training = c.flag("training");
         a.momentum = c.number("momentum", a.momentum), a.epsilon = c.number("epsilon", a.epsilon);
         const auto all = batch_norm.outputs(x[0], x[1], x[2], x[3], x[4], a);
         return {all[0], all[1], all[2], all[3], all[4]};
       }},

      // losses and optimizers
      {"cross_entropy", loss<cross_entropy>},
      {"bce_with_logits", loss<bce_with_logits>},
      {"mse_loss", loss<mse_loss>},
      {"sgd",
       [](const tensors& x, const reference_case& c) -> tensors {
         const sgd_options o{c.number("learning_rate", 0.01), c.number("momentum", 0)};
         if (x.size() == 2) return {sgd_update(x[0], x[1], o)};
         const auto all = sgd_update(x[0], x[1], x[2], o);
         return {all[0], all[1]};
       }},
      {"adam",
       [](const tensors& x, const reference_case& c) -> tensors {
         const adam_options o{c.number("learning_rate", 1e-3), c.number("beta1", 0.9),
                              c.number("beta2", 0.999), c.number("epsilon", 1e-8)};
         const auto all = adam_update(x[0], x[1], x[2], x[3], x[4], o);
         return {all[0], all[1], all[2]};
       }},
  };
  return table;
}

}  // namespace primal::test
