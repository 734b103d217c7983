// Examples of the library's operators that need others than the defaults.
#pragma once

#include <primal/op/catalogue.hpp>
#include <primal/testing/examples.hpp>

#include <map>

namespace primal::testing {

/// Examples of the library's operators, by name, beside those with attributes as they are by default: other attributes,
/// and inputs that are integers or must fit each other.
inline std::map<std::string, std::vector<example>> library_examples() {
  using extents = std::vector<std::int64_t>;
  using model = std::function<tensors(const tensors&)>;
  const auto of = [](std::string title, std::vector<example::input> inputs, model f) {
    return example{std::move(title), std::move(inputs), std::move(f)};
  };
  const auto index = [](extents e, int values) {
    return example::input{std::move(e), dtype::int64, values};
  };
  const auto array = [](extents e) { return example::input{std::move(e)}; };

  std::map<std::string, std::vector<example>> all;
  const auto reductions = [&]<class Op>(const op<Op>&) {
    for (const auto& a : {axes{0}, axes{1}, axes{-1}, axes{0, 2}, axes{0, 1, 2}, axes()})
      for (const bool keepdims : {false, true}) {
        attributes_of<Op> attributes{a, keepdims};
        if constexpr (requires { attributes.correction; }) attributes.correction = 0.5;
        all[std::string(Op::name)].push_back(
            of("over axes", {array({2, 3, 4})},
               [attributes](const tensors& x) { return apply<Op>(x, attributes); }));
      }
  };
  reductions(sum);
  reductions(prod);
  reductions(max);
  reductions(min);
  reductions(mean);
  reductions(norm);
  reductions(logsumexp);
  reductions(any);
  reductions(primal::all);
  reductions(var);
  reductions(primal::std);

  const auto along = [&]<class Op>(const op<Op>&) {
    for (const int axis : {0, 1, -1})
      all[std::string(Op::name)].push_back(
          of("axis " + std::to_string(axis), {array({2, 3, 4})},
             [axis](const tensors& x) { return apply<Op>(x, {axis}); }));
  };
  along(softmax);
  along(log_softmax);
  along(safe_softmax);
  const auto joined = [&]<class Op>(const op<Op>&, int last) {
    for (int axis = -1; axis <= last; ++axis)
      all[std::string(Op::name)].push_back(
          of("axis " + std::to_string(axis), {array({2, 3, 4}), array({2, 3, 4})},
             [axis](const tensors& x) { return apply<Op>(x, {axis}); }));
  };
  joined(concat, 2);
  joined(stack, 3);
  all["concat"].push_back(of("unequal", {array({2, 3}), array({2, 0}), array({2, 4})},
                             [](const tensors& x) -> tensors { return {concat(x, {.axis = 1})}; }));
  all["split"].push_back(
      of("halves", {array({4, 3})}, [](const tensors& x) { return apply<split_op<2>>(x); }));
  all["split"].push_back(
      of("inner", {array({3, 4})}, [](const tensors& x) { return apply<split_op<2>>(x, {1}); }));

  all["reshape"] = {
      of("merged", {array({2, 3, 4})},
         [](const tensors& x) -> tensors {
           return {reshape(x[0], {x[0].extent(0) * x[0].extent(1), -1})};
         }),
      of("flat", {array({2, 3})}, [](const tensors& x) -> tensors { return {reshape(x[0], -1)}; })};
  all["transpose"] = {of("cycle", {array({2, 3, 4})},
                         [](const tensors& x) -> tensors { return {transpose(x[0], {2, 0, 1})}; })};
  all["broadcast_to"] = {
      of("rows", {array({3, 1})},
         [](const tensors& x) -> tensors { return {broadcast_to(x[0], {2, -1, 4})}; }),
      of("number", {array({})},
         [](const tensors& x) -> tensors { return {broadcast_to(x[0], {2, 3})}; })};
  all["squeeze"] = {of("middle", {array({2, 1, 4})},
                       [](const tensors& x) -> tensors { return {squeeze(x[0], {.axes = 1})}; })};
  all["expand_dims"] = {of("last", {array({2, 3})}, [](const tensors& x) -> tensors {
    return {expand_dims(x[0], {.axes = {-1, 1}})};
  })};
  all["flatten"] = {of("inner", {array({2, 3, 4})}, [](const tensors& x) -> tensors {
    return {flatten(x[0], {.start_axis = 1})};
  })};
  all["flip"] = {of("inner", {array({2, 3, 4})},
                    [](const tensors& x) -> tensors { return {flip(x[0], {.axes = {0, -1}})}; })};
  all["slice"] = {
      of("ranges", {array({4, 5})},
         [](const tensors& x) -> tensors { return {x[0](range(1, 3), range(none, none, 2))}; }),
      of("backwards", {array({4, 5})},
         [](const tensors& x) -> tensors {
           return {x[0](range(none, none, -1), range(-1, 1, -2))};
         }),
      of("points", {array({2, 3, 4})}, [](const tensors& x) -> tensors {
        return {x[0](primal::all, -1, newaxis, range(1, none))};
      })};
  all["pad"] = {of("both sides", {array({2, 3})},
                   [](const tensors& x) -> tensors {
                     return {pad(x[0], {.low = {1, 0}, .high = {2, 1}, .value = 0.5})};
                   }),
                of("cut off", {array({4, 3})}, [](const tensors& x) -> tensors {
                  return {pad(x[0], {.low = {-1, 1}, .high = {1, -1}})};
                })};

  all["take_along_axis"] = {
      of("inner", {array({3, 4}), index({3, 2}, 4)},
         [](const tensors& x) -> tensors { return {take_along_axis(x[0], x[1])}; }),
      of("one", {array({3, 4}), index({3, 1}, 4)},
         [](const tensors& x) -> tensors { return {take_along_axis(x[0], x[1])}; }),
      of("outer", {array({3, 4}), index({5, 4}, 3)},
         [](const tensors& x) -> tensors { return {take_along_axis(x[0], x[1], {0})}; })};
  all["scatter_add"] = {
      of("inner", {array({3, 4}), index({3, 2}, 4), array({3, 2})},
         [](const tensors& x) -> tensors { return {scatter_add(x[0], x[1], x[2])}; }),
      of("outer", {array({3, 2}), index({5, 2}, 3), array({5, 2})},
         [](const tensors& x) -> tensors { return {scatter_add(x[0], x[1], x[2], {0})}; })};
  all["take"] = {of("rows", {array({4, 3}), index({5}, 4)},
                    [](const tensors& x) -> tensors { return {take(x[0], x[1])}; }),
                 of("columns", {array({2, 4, 3}), index({2, 2}, 4)},
                    [](const tensors& x) -> tensors { return {take(x[0], x[1], {.axis = 1})}; }),
                 of("one", {array({4, 3}), index({}, 4)},
                    [](const tensors& x) -> tensors { return {take(x[0], x[1])}; })};
  all["embedding"] = {of("matrix", {index({2, 3}, 5), array({5, 2})},
                         [](const tensors& x) -> tensors { return {embedding(x[0], x[1])}; })};
  all["one_hot"] = {of("four", {index({2, 3}, 4)}, [](const tensors& x) -> tensors {
    return {one_hot(x[0], {.num_classes = 4})};
  })};

  const std::pair<extents, extents> products[] = {
      {{3, 4}, {4, 5}},       {{4}, {4, 3}},       {{3, 4}, {4}},       {{5}, {5}},
      {{2, 3, 4}, {2, 4, 2}}, {{2, 3, 4}, {4, 2}}, {{3, 4}, {2, 4, 2}}, {{2, 1, 3, 2}, {3, 2, 2}},
      {{2, 3, 4}, {4}},       {{3}, {2, 3, 4}},    {{2, 0}, {0, 3}}};
  for (const auto& [a, b] : products)
    all["matmul"].push_back(of("product", {array(a), array(b)},
                               [](const tensors& x) -> tensors { return {matmul(x[0], x[1])}; }));
  for (const bool left : {false, true})
    for (const bool right : {false, true})
      for (const extents& batch : {extents{}, extents{2}}) {
        auto a = batch, b = batch;
        a.insert(a.end(), left ? std::initializer_list<std::int64_t>{4, 3}
                               : std::initializer_list<std::int64_t>{3, 4});
        b.insert(b.end(), right ? std::initializer_list<std::int64_t>{5, 4}
                                : std::initializer_list<std::int64_t>{4, 5});
        all["matmul"].push_back(
            of("transposed", {array(a), array(b)},
               [=](const tensors& x) -> tensors { return {matmul(x[0], x[1], {left, right})}; }));
      }

  all["clip"] = {of("numbers", {array({3, 4})}, [](const tensors& x) -> tensors {
    return {clip(x[0], none, none, {.min = -1, .max = 1.5})};
  })};
  all["gelu"] = {of("by tanh", {array({3, 4})}, [](const tensors& x) -> tensors {
    return {gelu(x[0], {approximation::tanh})};
  })};
  all["elu"] = {of("alpha", {array({3, 4})},
                   [](const tensors& x) -> tensors { return {elu(x[0], {.alpha = 0.5})}; })};
  all["softplus"] = {of("beta", {array({3, 4})}, [](const tensors& x) -> tensors {
    return {softplus(x[0], {.beta = 2.5})};
  })};
  all["leaky_relu"] = {of("negative", {array({3, 4})}, [](const tensors& x) -> tensors {
    return {leaky_relu(x[0], {.negative_slope = -0.5})};
  })};
  all["cast"] = {of("to itself", {array({2, 3})},
                    [](const tensors& x) { return apply<cast_op>(x, {dtype::float64}); }),
                 of("from integers", {index({2, 3}, 9)},
                    [](const tensors& x) { return apply<cast_op>(x, {dtype::float64}); })};
  all["pow"] = {of("number", {array({3, 4})}, [](const tensors& x) -> tensors {
    return {pow(x[0], 3), pow(x[0], 2), pow(2, x[0])};
  })};

  for (const bool scaled : {false, true})
    for (const axes& a : {axes{-1}, axes{1}, axes{0, 2}}) {
      std::vector<example::input> in{array({2, 3, 4})};
      const extents affine = a.size() == 2 ? extents{2, 4} : a[0] == 1 ? extents{3} : extents{4};
      if (scaled) in.insert(in.end(), {array(affine), array(affine)});
      all["layer_norm"].push_back(
          of("axes", in, [a](const tensors& x) { return apply<layer_norm_op>(x, {a, 0.25}); }));
      if (scaled) in.pop_back();
      all["rms_norm"].push_back(
          of("axes", in, [a](const tensors& x) { return apply<rms_norm_op>(x, {a, 0.25}); }));
    }
  for (const bool training : {false, true}) {
    const auto f = [training](const tensors& x) {
      auto in = x;
      in.resize(5);
      if (x.size() == 5) in[4] = square(in[4]);  // a variance
      return apply<batch_norm_op>(in, {.training = training, .epsilon = 0.25});
    };
    const auto channel = array({3});
    all["batch_norm"].push_back(
        of("all", {array({4, 3, 2}), channel, channel, channel, channel}, f));
    all["batch_norm"].push_back(of("x alone", {array({4, 3})}, f));
    all["batch_norm"].push_back(of("scale", {array({4, 3}), channel}, f));
  }

  for (const auto how : {reduction::mean, reduction::sum, reduction::none}) {
    all["cross_entropy"].push_back(
        of("labels", {array({4, 5}), index({4}, 5)},
           [how](const tensors& x) -> tensors { return {cross_entropy(x[0], x[1], {how})}; }));
    all["cross_entropy"].push_back(
        of("classes first", {array({5, 2, 3}), index({2, 3}, 5)},
           [how](const tensors& x) -> tensors { return {cross_entropy(x[0], x[1], {how, 0})}; }));
    all["cross_entropy"].push_back(
        of("targets", {array({2, 3}), array({2, 3})},
           [how](const tensors& x) -> tensors { return {cross_entropy(x[0], x[1], {how})}; }));
    all["mse_loss"].push_back(
        of("reduction", {array({2, 3}), array({3})},
           [how](const tensors& x) -> tensors { return {mse_loss(x[0], x[1], {how})}; }));
    all["bce_with_logits"].push_back(
        of("reduction", {array({2, 3}), array({3})},
           [how](const tensors& x) -> tensors { return {bce_with_logits(x[0], x[1], {how})}; }));
  }
  return all;
}

}  // namespace primal::testing
