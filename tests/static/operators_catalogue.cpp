// The catalogue, and the questions that are answered from it.
#include <primal/op/questions.hpp>
#include <support/record.hpp>

namespace pm = primal;
using namespace primal::test;

inline constexpr std::size_t own = decltype(boost::hana::length(pm::catalogue))::value;
static_assert(own > 100);

template <class... Op> consteval bool names_differ(pm::operator_list<Op...>) {
  const pm::op_name names[] = {Op::name...};
  for (std::size_t i = 0; i < sizeof...(Op); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (names[i] == names[k]) return false;
  return true;
}
static_assert(names_differ(pm::library_operators{}));
static_assert(pm::core::are_complete(pm::library_operators{}));

struct mish_op : pm::composite<mish_op> {
  static constexpr pm::op_name name{"mish"};
  static constexpr pm::tensor decompose(pm::tensor x) { return x * pm::tanh(pm::softplus(x)); }
};
inline constexpr pm::op<mish_op> mish{};
static_assert(decltype(boost::hana::length(pm::extend(pm::catalogue, mish)))::value == own + 1);
static_assert(gives_with_gradients("f32[2,n0]", [](auto x) { return mish(x); }, f32(2, dyn)));

static_assert(pm::has_decomp_rule("softmax") && pm::has_decomp_rule<pm::gelu_op>() &&
              pm::has_decomp_rule<mish_op>());
static_assert(!pm::has_decomp_rule("exp") && !pm::has_decomp_rule("matmul"));
static_assert(pm::has_vjp_rule("exp") && pm::has_vjp_rule<pm::softmax_op>() &&
              !pm::has_vjp_rule("equal"));
static_assert(!pm::has_vjp_rule<mish_op>());

// softmax: max, subtract, exp, sum, divide behind the input and the statement itself.
static_assert(pm::call_decomp_rule<"softmax">({f32(2, 3)}).size() == 7);
static_assert(pm::call_decomp_rule<pm::mean_op>({f16(2, 3)}, {.axes = 1})
                  .type(pm::call_decomp_rule<pm::mean_op>({f16(2, 3)}, {.axes = 1}).outputs[0]) ==
              f16(2));
static_assert(pm::call_decomp_vjp<"layer_norm">({f32(2, 3), f32(3)}).outputs.size() == 3);
static_assert(pm::call_decomp_vjp<"layer_norm">({f32(2, 3), f32(3)}).outputs[2] == -1);
static_assert(pm::call_decomp_vjp<pm::multiply_op>({f32(2, 3), f32(2, 3)}).size() == 6);
