// Reductions, products of matrices, normalization and losses.
#include <primal/op/operators.hpp>
#include <support/record.hpp>

namespace pm = primal;
using namespace primal::test;

// Axes.
static_assert(gives_with_gradients("f32[]", [](auto x) { return pm::sum(x); }, f32(2, 3)));
static_assert(gives_with_gradients(
    "f32[2,1,1]", [](auto x) { return pm::sum(x, {.axes = {-1, 1}, .keepdims = true}); },
    f32(2, 3, 4)));
static_assert(gives_with_gradients(
    "f32[n0,4]", [](auto x) { return pm::max(x, {.axes = 1}); }, f32(dyn, 3, 4)));
static_assert(
    gives_with_gradients("f32[3]", [](auto x) { return pm::min(x, {.axes = 0}); }, f32(0 + 1, 3)));
static_assert(gives_with_gradients(
    "f32[3,4]", [](auto x) { return pm::prod(x, {.axes = 0}); }, f32(dyn, 3, 4)));
static_assert(gives_with_gradients(
    "f32[3]", [](auto x) { return pm::prod(x, {.axes = {0, 2}}); }, f32(2, 3, 4)));
static_assert(gives(
    "sum: axis 2 is out of range for f32[2,3]", [](auto x) { return pm::sum(x, {.axes = 2}); },
    f32(2, 3)));
static_assert(gives(
    "sum: axis 0 is named twice for f32[2,3]", [](auto x) { return pm::sum(x, {.axes = {0, -2}}); },
    f32(2, 3)));
static_assert(gives(
    "max: no elements along axis 0: f32[0,3]", [](auto x) { return pm::max(x, {.axes = 0}); },
    f32(0, 3)));
static_assert(gives("f32[0]", [](auto x) { return pm::max(x, {.axes = 1}); }, f32(0, 3)));

// Dtypes: small integers widen, statistics are floating, comparisons are bool, places are int64.
static_assert(gives(
    "i64[] u64[] i64[] f16[]",
    [](auto a, auto b, auto c, auto d) {
      return pm::tensors{pm::sum(a), pm::sum(b), pm::prod(c), pm::sum(d)};
    },
    i32(3), u8(3), boolean(3), f16(3)));
static_assert(gives(
    "u8[] f32[] f16[]",
    [](auto a, auto b) { return pm::tensors{pm::max(a), pm::mean(a), pm::var(b)}; }, u8(3),
    f16(3)));
static_assert(gives(
    "i64[2] i64[] i64[2,1]",
    [](auto x) {
      return pm::tensors{pm::argmax(x, {.axis = 1}), pm::argmin(x),
                         pm::argmin(x, {.axis = -1, .keepdims = true})};
    },
    f32(2, 3)));
static_assert(gives(
    "bool[2] bool[]", [](auto x) { return pm::tensors{pm::any(x, {.axes = 1}), pm::all(x)}; },
    f32(2, 3)));
static_assert(gives(
    "argmax: one axis must be named, or none for all: f32[2,3,4]",
    [](auto x) { return pm::argmax(x, {.axis = {0, 1}}); }, f32(2, 3, 4)));

template <class F> constexpr bool is_statistic(F f) {
  return gives_with_gradients("f32[2,4]", f, f32(2, 3, 4)) &&
         gives_with_gradients("f16[n0,n2]", f, f16(dyn, dyn, dyn));
}
static_assert(is_statistic([](auto x) { return pm::mean(x, {.axes = 1}); }));
static_assert(is_statistic([](auto x) { return pm::var(x, {.axes = 1}); }));
static_assert(is_statistic([](auto x) { return pm::std(x, {.axes = 1, .correction = 1}); }));
static_assert(is_statistic([](auto x) { return pm::norm(x, {.axes = 1}); }));
static_assert(is_statistic([](auto x) { return pm::logsumexp(x, {.axes = -2}); }));
static_assert(
    gives_with_gradients("f16[]", [](auto x) { return pm::squared_l2_norm(x); }, f16(2, dyn)));
static_assert(gives_gradients(
    "f32[2,3] none", [](auto x, auto y) { return pm::reduce_as(x, y); }, f32(2, 3), f32(2, 1)));
static_assert(gives(
    "f32[3] f32[2,1] f32[]",
    [](auto x, auto a, auto b, auto c) {
      return pm::tensors{pm::reduce_as(x, a), pm::reduce_as(x, b), pm::reduce_as(x, c)};
    },
    f32(2, 3), f32(3), f32(2, 1), f32()));
static_assert(gives(
    "reduce_as: f32[2] does not broadcast to f32[2,3]",
    [](auto x, auto y) { return pm::reduce_as(x, y); }, f32(2, 3), f32(2)));

// A mean is a sum times a number: two statements.
static_assert(statements_of([](auto x) { return pm::mean(x, {.axes = 1}); }, f32(2, 3)) == 2);
static_assert(statements_of([](auto x) { return pm::softmax(x); }, f32(2, 3)) == 5);

// Products of matrices.
static_assert(gives_with_gradients(
    "f32[32,10]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(32, 64), f32(64, 10)));
static_assert(gives_with_gradients(
    "f32[n0,10]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(dyn, 64), f32(dyn, 10)));
static_assert(gives_with_gradients(
    "f32[5,2,4]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(2, 3), f32(5, 3, 4)));
static_assert(gives_with_gradients(
    "f32[5,2,4]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(5, 2, 3), f32(3, 4)));
static_assert(gives_with_gradients(
    "f32[6,5,2,4]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(6, 1, 2, 3),
    f32(5, 3, 4)));
static_assert(gives_with_gradients(
    "f32[2]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(2, 3), f32(3)));
static_assert(gives_with_gradients(
    "f32[5,4]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(3), f32(5, 3, 4)));
static_assert(gives_with_gradients(
    "f32[]", [](auto a, auto b) { return pm::matmul(a, b); }, f32(dyn), f32(dyn)));
static_assert(gives_with_gradients(
    "f32[7,2,4]",
    [](auto a, auto b) { return pm::matmul(a, b, {.transpose_a = true, .transpose_b = true}); },
    f32(7, 3, 2), f32(4, 3)));
static_assert(gives(
    "f32[2,4] i64[2,2]",
    [](auto a, auto b, auto c) { return pm::tensors{pm::matmul(a, b), pm::matmul(c, c)}; },
    f16(2, 3), f32(3, 4), i64(2, 2)));
static_assert(gives(
    "matmul: inner dimensions differ: f32[32,64] x f32[128,10]",
    [](auto a, auto b) { return pm::matmul(a, b); }, f32(32, 64), f32(128, 10)));
static_assert(gives(
    "matmul: leading axes do not broadcast: f32[2,3,4] x f32[3,4,5]",
    [](auto a, auto b) { return pm::matmul(a, b); }, f32(2, 3, 4), f32(3, 4, 5)));
static_assert(gives(
    "matmul: an operand has no axes; multiply by a number with *: f32[] x f32[2,2]",
    [](auto a, auto b) { return pm::matmul(a, b); }, f32(), f32(2, 2)));
// The gradient needs no transpose, and a stack of rows meets one matrix as one tall matrix.
static_assert(statements_of([](auto a, auto b) { return pm::matmul(a, b); }, f32(5, 2, 3),
                            f32(3, 4)) == 1);

// Softmax.
template <class F> constexpr bool is_softmax(F f) {
  return gives_with_gradients("f32[2,3]", f, f32(2, 3)) &&
         gives_with_gradients("bf16[n0,n1]", f, bf16(dyn, dyn)) &&
         gives_with_gradients("f32[2,0]", f, f32(2, 0));
}
static_assert(is_softmax([](auto x) { return pm::softmax(x); }));
static_assert(is_softmax([](auto x) { return pm::safe_softmax(x); }));
static_assert(is_softmax([](auto x) { return pm::log_softmax(x); }));
static_assert(gives(
    "softmax: axis -1 is out of range for f32[]", [](auto x) { return pm::softmax(x); }, f32()));

// Normalization: statistics of 16-bit floats are float32.
static_assert(gives_with_gradients(
    "f16[2,3] f32[2] f32[2]",
    [](auto x, auto s, auto b) { return pm::layer_norm.outputs(x, s, b); }, f16(2, 3), f16(3),
    f32(3)));
static_assert(gives_with_gradients(
    "f32[n0,4,3]", [](auto x, auto s, auto b) { return pm::layer_norm(x, s, b, {.axes = {1, 2}}); },
    f32(dyn, 4, 3), f32(4, 3), f32(4, 3)));
static_assert(gives_with_gradients(
    "f32[4,3,2]", [](auto x, auto s, auto b) { return pm::layer_norm(x, s, b, {.axes = 1}); },
    f32(4, 3, 2), f32(3), f32(3)));
static_assert(gives_with_gradients(
    "f32[2,3]", [](auto x, auto b) { return pm::layer_norm(x, pm::none, b); }, f32(2, 3), f32(3)));
static_assert(gives_with_gradients(
    "bf16[2,n1]", [](auto x, auto s) { return pm::rms_norm(x, s); }, bf16(2, dyn), bf16(dyn)));
static_assert(gives(
    "layer_norm: scale and bias must have the extents of the normalized axes: f32[2,3] and f32[2]",
    [](auto x, auto s) { return pm::layer_norm(x, s); }, f32(2, 3), f32(2)));
static_assert(gives_with_gradients(
    "f16[8,3,4] f32[3] f32[3] f32[3] f32[3]",
    [](auto x, auto s, auto b, auto m, auto v) {
      return pm::batch_norm.outputs(x, s, b, m, v, {.training = true});
    },
    f16(8, 3, 4), f16(3), f16(3), f32(3), f32(3)));
static_assert(gives_with_gradients(
    "f32[n0,3] f32[3] f32[3] f32[3] f32[3]",
    [](auto x, auto s, auto b, auto m, auto v) {
      return pm::batch_norm.outputs(x, s, b, m, v, {.training = true});
    },
    f32(dyn, 3), f32(3), f32(3), f32(3), f32(3)));
static_assert(gives_with_gradients(
    "f32[n0,3]",
    [](auto x, auto s, auto b, auto m, auto v) { return pm::batch_norm(x, s, b, m, v); },
    f32(dyn, 3), f32(3), f32(3), f32(3), f32(3)));
static_assert(gives(
    "batch_norm: training needs more than one element per channel: f32[1,3]",
    [](auto x) {
      return pm::batch_norm(x, pm::none, pm::none, pm::none, pm::none, {.training = true});
    },
    f32(1, 3)));

// Losses.
static_assert(gives_gradients(
    "f32[4,10] none", [](auto x, auto y) { return pm::cross_entropy(x, y); }, f32(4, 10), i32(4)));
static_assert(gives(
    "f16[4]",
    [](auto x, auto y) { return pm::cross_entropy(x, y, {.reduction = pm::reduction::none}); },
    f16(4, 10), i64(4)));
static_assert(gives(
    "f32[2,4]",
    [](auto x, auto y) {
      return pm::cross_entropy(x, y, {.reduction = pm::reduction::none, .axis = 1});
    },
    f32(2, 10, 4), i64(2, 4)));
static_assert(gives_with_gradients(
    "f32[]", [](auto x, auto y) { return pm::cross_entropy(x, y); }, f32(4, 10), f16(4, 10)));
static_assert(gives_with_gradients(
    "f16[]", [](auto x, auto y) { return pm::bce_with_logits(x, y); }, f16(4, 3), f16(4, 1)));
static_assert(gives_with_gradients(
    "f32[4,3]",
    [](auto x, auto y) { return pm::mse_loss(x, y, {.reduction = pm::reduction::none}); },
    f32(4, 3), f32(3)));
static_assert(gives(
    "cross_entropy: labels must be integers without axis 1, or targets of the shape of the logits: "
    "f32[4,10] and i32[5]",
    [](auto x, auto y) { return pm::cross_entropy(x, y); }, f32(4, 10), i32(5)));

// Optimizers keep every dtype.
static_assert(gives(
    "f16[2] f32[2] f32[2]",
    [](auto p, auto g, auto m, auto v, auto t) { return pm::adam_update(p, g, m, v, t); }, f16(2),
    f16(2), f32(2), f32(2), i32()));
static_assert(gives(
    "f32[2]",
    [](auto p, auto g, auto rate) { return pm::sgd_update(p, g, {.learning_rate = rate}); }, f32(2),
    f32(2), f32()));
static_assert(gives(
    "f32[2] f32[2]",
    [](auto p, auto g, auto v) { return pm::sgd_update(p, g, v, {.momentum = 0.9}); }, f32(2),
    f32(2), f32(2)));

// After an error everything goes on, and the error stays the first.
static_assert(gives(
    "matmul: inner dimensions differ: f32[2,3] x f32[4,5]",
    [](auto a, auto b, auto labels) {
      auto x = pm::matmul(a, b);
      x = pm::layer_norm(pm::transpose(x, {2, 0, 1}), b, b, {.axes = {1, 3}});
      x += pm::softmax(x, {.axis = 5}) * pm::max(x, {.axes = 4}) +
           pm::prod(x(0, 0, 0, pm::range(2, 9)));
      x = pm::concat({x, pm::reshape(x, {7, -1, 3}), pm::flip(x)}, {.axis = 3});
      auto [p, q] = pm::split<2>(pm::pad(x, {.low = {1}, .high = {2, 3, 4}}), {.axis = 6});
      x = pm::stack({p, pm::squeeze(q, {.axes = 3}), pm::expand_dims(q, {.axes = 9})}, {.axis = 4});
      x = pm::batch_norm(x, b, labels, x, x, {.training = true, .axis = 7}) +
          pm::flatten(x, {3, 1});
      x = pm::take(pm::take_along_axis(x, x), x, {.axis = 3}) + pm::embedding(x, x);
      x = pm::scatter_add(x, labels, x) + pm::one_hot(x, {}) + pm::argmax(x, {.axis = {0, 5}});
      x = pm::broadcast_to(pm::var(x, {.axes = {3, 3}}), {1, 2}) + pm::logsumexp(x, {.axes = 9});
      x = pm::reduce_as(pm::slice(x, {.start = {1}}), b) + pm::clip(x, b, labels) + x.extent(6);
      x = pm::adam_update(x, b, labels, x, labels)[0] & pm::sgd_update(x, b);
      return pm::cross_entropy(x, labels) + pm::mse_loss(x, b) + pm::bce_with_logits(labels, x);
    },
    f32(2, 3), f32(4, 5), i32(2)));
