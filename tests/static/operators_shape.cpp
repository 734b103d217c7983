// Operators that move elements: shapes for extents that are known and for those that are not.
#include <primal/op/operators.hpp>
#include <support/record.hpp>

namespace pm = primal;
using namespace primal::test;

static_assert(
    gives_with_gradients("f32[3,2]", [](auto x) { return pm::reshape(x, {3, -1}); }, f32(2, 3)));
static_assert(gives_with_gradients("f32[]", [](auto x) { return pm::reshape(x, {}); }, f32(1, 1)));
static_assert(
    gives_with_gradients("f32[n0,2]", [](auto x) { return pm::reshape(x, {-1, 2}); }, f32(dyn, 2)));
static_assert(gives_with_gradients(
    "f32[n0*n1,4]", [](auto x) { return pm::reshape(x, {x.extent(0) * x.extent(1), -1}); },
    f32(dyn, dyn, 4)));
static_assert(gives_with_gradients(
    "f32[2,(n0/2)]", [](auto x) { return pm::reshape(x, {2, -1}); }, f32(dyn)));
static_assert(gives("f32[0,3]", [](auto x) { return pm::reshape(x, {0, 3}); }, f32(3, 0)));
static_assert(gives(
    "reshape: f32[2,3] does not fit f32[4,-1]", [](auto x) { return pm::reshape(x, {4, -1}); },
    f32(2, 3)));
static_assert(gives(
    "reshape: one extent may be -1, and no other may be negative",
    [](auto x) { return pm::reshape(x, {-1, -1}); }, f32(2, 3)));
static_assert(gives(
    "reshape: -1 has no meaning beside an extent 0: f32[0,3]",
    [](auto x) { return pm::reshape(x, {0, -1}); }, f32(0, 3)));

static_assert(gives_with_gradients("f32[3,2]", [](auto x) { return pm::transpose(x); }, f32(2, 3)));
static_assert(gives_with_gradients(
    "f32[4,n0,3]", [](auto x) { return pm::transpose(x, {-1, 0, 1}); }, f32(dyn, 3, 4)));
static_assert(gives(
    "transpose: every axis must be named once: f32[2,3]",
    [](auto x) { return pm::transpose(x, {1, 1}); }, f32(2, 3)));
static_assert(gives(
    "transpose: axis 2 is out of range for f32[2,3]",
    [](auto x) { return pm::transpose(x, {0, 2}); }, f32(2, 3)));

static_assert(gives_with_gradients(
    "f32[4,2,3]", [](auto x) { return pm::broadcast_to(x, {4, -1, 3}); }, f32(2, 1)));
static_assert(gives_with_gradients(
    "f32[n0,3]", [](auto x) { return pm::broadcast_to(x, {x.extent(0), 3}); }, f32(dyn, 1)));
static_assert(gives(
    "broadcast_to: f32[2,3] does not broadcast to f32[4,3]",
    [](auto x) { return pm::broadcast_to(x, {4, 3}); }, f32(2, 3)));
static_assert(gives(
    "broadcast_to: f32[2,3] does not broadcast to f32[3]",
    [](auto x) { return pm::broadcast_to(x, {3}); }, f32(2, 3)));

static_assert(gives_with_gradients("f32[2]", [](auto x) { return pm::squeeze(x); }, f32(1, 2, 1)));
static_assert(gives_with_gradients(
    "f32[2,1]", [](auto x) { return pm::squeeze(x, {.axes = 0}); }, f32(1, 2, 1)));
static_assert(gives_with_gradients(
    "f32[1,2,3,1]", [](auto x) { return pm::expand_dims(x, {.axes = {0, -1}}); }, f32(2, 3)));
static_assert(gives_with_gradients(
    "f32[2,12]", [](auto x) { return pm::flatten(x, {.start_axis = 1}); }, f32(2, 3, 4)));
static_assert(
    gives_with_gradients("f32[6*n0]", [](auto x) { return pm::flatten(x); }, f32(dyn, 6)));
static_assert(gives_with_gradients("f32[1]", [](auto x) { return pm::flatten(x); }, f32()));
static_assert(gives_with_gradients(
    "f32[n0*n1*n2*n3*n4*n5*n6*n7]", [](auto x) { return pm::flatten(x); },
    f32(dyn, dyn, dyn, dyn, dyn, dyn, dyn, dyn)));
static_assert(gives(
    "squeeze: axis 1 has more than one element: f32[1,2]",
    [](auto x) { return pm::squeeze(x, {.axes = 1}); }, f32(1, 2)));
static_assert(gives(
    "expand_dims: no such axes can be added to f32[2]",
    [](auto x) { return pm::expand_dims(x, {.axes = {0, 0}}); }, f32(2)));

// Subscripts.
static_assert(gives_with_gradients(
    "f32[2,1]", [](auto x) { return x(pm::all, pm::range(2, -1), pm::newaxis, 0)(pm::all, 0); },
    f32(2, 4, 3)));
static_assert(gives_with_gradients(
    "f32[1,1,2]",
    [](auto x) { return x(pm::range(2, -1), pm::newaxis, pm::range(pm::none, pm::none, -2)); },
    f32(4, 3)));
static_assert(
    gives_with_gradients("f32[n0-3,3]", [](auto x) { return x(pm::range(2, -1)); }, f32(dyn, 3)));
static_assert(gives_with_gradients(
    "f32[((n0+1)/2)]", [](auto x) { return x(pm::range(pm::none, pm::none, 2)); }, f32(dyn)));
static_assert(gives_with_gradients(
    "f32[n0]", [](auto x) { return x(pm::range(pm::none, pm::none, -1)); }, f32(dyn)));
static_assert(
    gives_with_gradients("f32[3]", [](auto x) { return x(pm::range(-3, pm::none)); }, f32(dyn)));
static_assert(
    gives_with_gradients("f32[2]", [](auto x) { return x(pm::ellipsis, -1); }, f32(2, dyn)));
static_assert(gives_with_gradients(
    "f32[n0,1,3]", [](auto x) { return x(pm::all, pm::newaxis); }, f32(dyn, 3)));
static_assert(gives("f32[0]", [](auto x) { return x(pm::range(3, 1)); }, f32(4)));
static_assert(gives("f32[4]", [](auto x) { return x(pm::range(-9, 9)); }, f32(4)));
static_assert(gives(
    "f32[3] f32[2]",
    [](auto x) { return pm::tensors{x(pm::range(5, 0, -2)), x(pm::range(-2, -6, -3))}; }, f32(6)));
static_assert(statements_of([](auto x) { return x(pm::all, pm::ellipsis); }, f32(2, 3)) == 0);
static_assert(
    gives("slice: 3 axes are indexed of f32[2,3]", [](auto x) { return x(0, 0, 0); }, f32(2, 3)));
static_assert(gives(
    "slice: axis 1 of f32[2,3] has no such elements", [](auto x) { return x(0, 3); }, f32(2, 3)));

static_assert(gives_with_gradients(
    "f32[n0+3,4]", [](auto x) { return pm::pad(x, {.low = {1, 0}, .high = {2, 1}}); },
    f32(dyn, 3)));
static_assert(gives(
    "pad: -1 is out of the range of u8",
    [](auto x) { return pm::pad(x, {.low = {1}, .value = -1}); }, u8(2)));
static_assert(gives_with_gradients(
    "f32[1,3]", [](auto x) { return pm::pad(x, {.low = {-1, 0}}); }, f32(2, 3)));
static_assert(gives(
    "pad: nothing is left of axis 0 of f32[2]", [](auto x) { return pm::pad(x, {.high = {-3}}); },
    f32(2)));
static_assert(gives_with_gradients(
    "f32[2,n0]", [](auto x) { return pm::flip(x, {.axes = -1}); }, f32(2, dyn)));

static_assert(gives_with_gradients(
    "f32[2,7]", [](auto a, auto b) { return pm::concat({a, b}, {.axis = 1}); }, f32(2, 3),
    f32(2, 4)));
static_assert(gives(
    "f32[n0+n1,3]", [](auto a, auto b) { return pm::concat({a, b}); }, f32(dyn, 3), f16(dyn, 3)));
static_assert(gives_with_gradients(
    "f32[2,3,2]", [](auto a, auto b) { return pm::stack({a, b}, {.axis = -1}); }, f32(2, 3),
    f32(2, 3)));
static_assert(gives_with_gradients(
    "f32[2,2] f32[2,2] f32[2,2]", [](auto x) { return pm::split<3>(x, {.axis = 1}); }, f32(2, 6)));
static_assert(gives(
    "concat: extents differ along an axis other than 0: f32[2,3] and f32[2,4]",
    [](auto a, auto b) { return pm::concat({a, b}); }, f32(2, 3), f32(2, 4)));
static_assert(gives(
    "stack: shapes differ: f32[2] and f32[3]", [](auto a, auto b) { return pm::stack({a, b}); },
    f32(2), f32(3)));
static_assert(gives(
    "split: axis 0 of f32[3] has no 2 equal parts", [](auto x) { return pm::split<2>(x); },
    f32(3)));

// Indices.
static_assert(gives_gradients(
    "f32[2,3] none", [](auto x, auto i) { return pm::take_along_axis(x, i); }, f32(2, 3),
    i32(2, 5)));
static_assert(gives(
    "f32[2,5]", [](auto x, auto i) { return pm::take_along_axis(x, i); }, f32(2, 3), i64(2, 5)));
static_assert(gives_gradients(
    "f32[2,3] none", [](auto x, auto i) { return pm::take_along_axis(x, i); }, f32(2, 3),
    u8(2, 1)));
static_assert(gives(
    "f32[2,5,6,4]", [](auto x, auto i) { return pm::take(x, i, {.axis = 1}); }, f32(2, 3, 4),
    i32(5, 6)));
static_assert(gives(
    "f32[2,4]", [](auto x, auto i) { return pm::take(x, i, {.axis = 1}); }, f32(2, 3, 4), i32()));
static_assert(gives(
    "f16[n0,n1,8]", [](auto i, auto table) { return pm::embedding(i, table); }, i32(dyn, dyn),
    f16(100, 8)));
static_assert(gives_gradients(
    "none f16[100,8]", [](auto i, auto table) { return pm::embedding(i, table); }, i32(dyn, dyn),
    f16(100, 8)));
static_assert(gives(
    "f32[3]", [](auto x, auto i, auto u) { return pm::scatter_add(x, i, u); }, f32(3), i32(5),
    f32(5)));
static_assert(gives_gradients(
    "f32[3] none f32[5]", [](auto x, auto i, auto u) { return pm::scatter_add(x, i, u); }, f32(3),
    i32(5), f32(5)));
static_assert(
    gives("f32[4,10]", [](auto i) { return pm::one_hot(i, {.num_classes = 10}); }, i32(4)));
static_assert(gives(
    "i64[4,n0]",
    [](auto i, auto x) {
      return pm::one_hot(i, {.num_classes = x.extent(0), .dtype = pm::dtype::int64});
    },
    i32(4), f32(dyn)));
static_assert(gives(
    "take: an index must be an integer: f32[3]", [](auto x, auto i) { return pm::take(x, i); },
    f32(2), f32(3)));
static_assert(gives(
    "one_hot: .num_classes must say how many classes there are",
    [](auto i) { return pm::one_hot(i, {}); }, i32(4)));
