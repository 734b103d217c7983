// Elementwise operators: shapes broadcast, dtypes are promoted, numbers are weak.
#include <primal/op/operators.hpp>
#include <support/record.hpp>

namespace pm = primal;
using namespace primal::test;

// Broadcasting.
static_assert(gives("f32[2,3]", [](auto a, auto b) { return a + b; }, f32(2, 3), f32(3)));
static_assert(gives("f32[2,4,3]", [](auto a, auto b) { return a * b; }, f32(2, 1, 3), f32(4, 1)));
static_assert(gives("f32[2,0]", [](auto a, auto b) { return a - b; }, f32(2, 1), f32(1, 0)));
static_assert(gives("f32[n0,3]", [](auto a, auto b) { return a / b; }, f32(dyn, 3), f32(3)));
static_assert(gives("f32[n1]", [](auto a, auto b) { return a + b; }, f32(dyn), f32(dyn)));
static_assert(gives("f32[5]", [](auto a, auto b) { return a + b; }, f32(dyn), f32(5)));
static_assert(gives(
    "f32[2,3]", [](auto a, auto b, auto c) { return pm::where(a, b, c); }, boolean(3), f32(2, 1),
    f32()));

// Promotion: JAX's table, and numbers that take the dtype of the tensors beside them.
static_assert(gives("f32[2]", [](auto a, auto b) { return a + b; }, f32(2), f16(2)));
static_assert(gives("f32[2]", [](auto a, auto b) { return a + b; }, f16(2), bf16(2)));
static_assert(gives("f16[2]", [](auto a, auto b) { return a + b; }, f16(2), i64(2)));
static_assert(gives("f64[2]", [](auto a, auto b) { return a * b; }, f64(2), f32(2)));
static_assert(
    gives("i16[2]", [](auto a, auto b) { return a * b; }, typed(pm::dtype::int8, 2), u8(2)));
static_assert(gives("f16[2]", [](auto a) { return 2 * a + 0.5; }, f16(2)));
static_assert(gives("i32[2]", [](auto a) { return a * 2; }, i32(2)));
static_assert(gives("f32[2]", [](auto a) { return a * 2.0; }, i32(2)));
static_assert(gives("i32[2]", [](auto a, auto b) { return a + b; }, boolean(2), boolean(2)));
static_assert(gives(
    "f32[2] i32[2] i32[2]",
    [](auto a, auto b) { return pm::tensors{a / b, pm::floor_divide(a, b), a % b}; }, i32(2),
    i32(2)));
static_assert(gives(
    "f32[2] f16[2] f64[2]",
    [](auto a, auto b, auto c) { return pm::tensors{pm::exp(a), pm::exp(b), pm::exp(c)}; }, i32(2),
    f16(2), f64(2)));
static_assert(gives(
    "u8[2] i32[2]", [](auto a, auto b) { return pm::tensors{pm::abs(a), pm::abs(b)}; }, u8(2),
    boolean(2)));

// A number that its dtype does not reach would be another one.
static_assert(gives("less: 300 is out of the range of u8", [](auto a) { return a < 300; }, u8(2)));
static_assert(gives("add: -1 is out of the range of u8", [](auto a) { return a + -1; }, u8(2)));
static_assert(gives("u8[2]", [](auto a) { return pm::clip(a, 0, 255); }, u8(2)));
static_assert(gives(
    "clip: 256 is out of the range of u8", [](auto a) { return pm::clip(a, 0, 256); }, u8(2)));
static_assert(gives(
    "full: 1e300 is out of the range of i32",
    [](auto a) { return a + pm::full({2}, 1e300, {.dtype = pm::dtype::int32}); }, i32(2)));
static_assert(gives("i64[2]", [](auto a) { return a * (std::int64_t{-1} << 63); }, i64(2)));
static_assert(gives("f64[2]", [](auto a) { return a + 9007199254740993; }, f64(2)));
static_assert(gives(
    "add: a number beside integers has at most 53 bits, and 90072e11 has more",
    [](auto a) { return a + 9007199254740993; }, i64(2)));

// Truth.
static_assert(gives("bool[2]", [](auto a) { return a > 0.5 && a != 1; }, f16(2)));
static_assert(gives(
    "bool[2]", [](auto a) { return !(pm::isnan(a) || pm::isinf(a)) ^ pm::isfinite(a); }, f32(2)));
static_assert(gives(
    "bool[2] i32[2]", [](auto a, auto b) { return pm::tensors{a & a, ~b | 3}; }, boolean(2),
    i32(2)));
static_assert(gives(
    "bitwise_xor: no rule for f32: integers or bool are needed", [](auto a) { return a ^ a; },
    f32(2)));

// Casts.
static_assert(gives(
    "f16[2] i64[2] bool[2]",
    [](auto a) {
      return pm::tensors{pm::cast<pm::float16>(a), pm::cast(a, pm::dtype::int64),
                         pm::cast<bool>(a)};
    },
    f32(2)));
static_assert(statements_of([](auto a) { return pm::cast<float>(a); }, f32(2)) == 0);

// Creation: constants stand alone until a tensor is near.
static_assert(gives(
    "f32[2,3]", [](auto a) { return a + pm::zeros({2, 3}) + pm::arange(3) + pm::eye(2, 3); },
    f32(3)));
static_assert(gives(
    "i64[3]", [](auto a) { return a + pm::arange(1, 10, 3, {.dtype = pm::dtype::int64}); }, i64()));
static_assert(gives(
    "f64[n0]", [](auto a) { return a * pm::full_like(a, 2) + pm::arange(a.extent(0)); }, f64(dyn)));
static_assert(gives("f32[2]", [](auto) { return pm::full({2}, 0.5) * 2; }, f32()));
static_assert(gives("f32[n0]", [](auto a) { return a * a.extent(0); }, f32(dyn)));

// Selection.
static_assert(
    gives("f32[2,3]", [](auto a) { return pm::clip(a, {.min = 0, .max = 1}); }, f32(2, 3)));
static_assert(gives("i32[3]", [](auto a) { return pm::clip(a, {.min = 0, .max = 9}); }, i32(3)));
static_assert(gives("f32[3]", [](auto a) { return pm::clip(a, {.min = 0.5}); }, i32(3)));
static_assert(
    gives("f32[2,3]", [](auto a, auto b) { return pm::clip(a, pm::none, b); }, f32(3), f32(2, 1)));
static_assert(gives("f32[3]", [](auto a, auto b) { return pm::clip(a, 0, b); }, f32(3), f16()));

// Activations keep f16, and compute integers in f32.
template <class F> constexpr bool is_activation(F f) {
  return gives_with_gradients("f32[2,3]", f, f32(2, 3)) &&
         gives_with_gradients("f16[n0,3]", f, f16(dyn, 3)) &&
         gives_with_gradients("f64[]", f, f64());
}
static_assert(is_activation([](auto x) { return pm::relu(x); }));
static_assert(is_activation([](auto x) { return pm::relu6(x); }));
static_assert(is_activation([](auto x) { return pm::hardtanh(x); }));
static_assert(is_activation([](auto x) { return pm::leaky_relu(x, {.negative_slope = 0.2}); }));
static_assert(is_activation([](auto x) { return pm::elu(x); }));
static_assert(is_activation([](auto x) { return pm::gelu(x); }));
static_assert(is_activation([](auto x) {
  return pm::gelu(x, {.approximate = pm::approximation::tanh});
}));
static_assert(is_activation([](auto x) { return pm::silu(x); }));
static_assert(is_activation([](auto x) { return pm::softplus(x, {.beta = 2}); }));
static_assert(is_activation([](auto x) { return pm::log_sigmoid(x); }));
static_assert(is_activation([](auto x) { return pm::hardsigmoid(x); }));
static_assert(is_activation([](auto x) { return pm::hardswish(x); }));
static_assert(gives(
    "i32[2] i32[2] f32[2]",
    [](auto x) { return pm::tensors{pm::relu(x), pm::relu6(x), pm::silu(x)}; }, i32(2)));
static_assert(gives("i32[2]", [](auto x) { return pm::relu(x); }, boolean(2)));

// Gradients: the operands' own shapes and dtypes, whatever was broadcast or promoted.
static_assert(
    gives_with_gradients("f32[2,3]", [](auto a, auto b) { return a + b; }, f32(2, 1), f16(3)));
static_assert(
    gives_with_gradients("f64[2,3]", [](auto a, auto b) { return a / b; }, f64(), f32(2, 3)));
static_assert(gives_with_gradients(
    "f32[n0,3]", [](auto a, auto b) { return pm::pow(a, b); }, f32(dyn, 3), f32(3)));
static_assert(gives_with_gradients(
    "f32[2]", [](auto a, auto b) { return pm::maximum(a, b) + pm::minimum(a, b); }, f32(2), f32()));
static_assert(gives_with_gradients(
    "f32[2]", [](auto a, auto b, auto w) { return pm::lerp(a, b, w); }, f32(2), f32(), f16(1)));
static_assert(gives_with_gradients(
    "f32[3]", [](auto a, auto b, auto c) { return pm::clip(a, b, c); }, f32(3), f32(), f32(1)));
static_assert(gives_gradients(
    "none f32[2] f32[]", [](auto c, auto a, auto b) { return pm::where(c, a, b); }, boolean(2),
    f32(2), f32()));
static_assert(gives_gradients(
    "none f32[2]", [](auto a, auto b) { return pm::floor(a) + b * 2; }, f32(2), f32(2)));
static_assert(gives_gradients(
    "f32[2] none", [](auto a, auto b) { return a * pm::stop_gradient(b); }, f32(2), f32(2)));
static_assert(gives_gradients("f32[2] none", [](auto a, auto n) { return a * n; }, f32(2), i32(2)));

// Bits of numbers: a truth value has one.
static_assert(!pm::bitwise_not(true) && pm::bitwise_not(false) && pm::bitwise_not(5) == -6);
static_assert(pm::bitwise_xor(true, false) && !pm::bitwise_xor(true, true));
