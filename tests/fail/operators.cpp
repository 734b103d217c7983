// Mistakes in operators of one's own, and what a policy does not allow: the error names the operator.
#include <primal/primal.hpp>
#include <primal/testing/device_code.hpp>

namespace pm = primal;

using A = pm::array<float, 32, 64>;

struct liar_op : pm::composite<liar_op> {
  static constexpr pm::op_name name{"liar"};
  static constexpr pm::tensor_type infer(pm::tensor x) { return {{3}, x.dtype()}; }
  static constexpr pm::tensor decompose(pm::tensor x) { return x * 2; }
};
inline constexpr pm::op<liar_op> liar{};

struct nameless_op : pm::composite<nameless_op> {
  static constexpr pm::op_name name{""};
  static constexpr pm::tensor decompose(pm::tensor x) { return x * 2; }
};
inline constexpr pm::op<nameless_op> nameless{};

struct twice_op : pm::composite<twice_op> {
  static constexpr pm::op_name name{"twice"};
  static constexpr pm::tensor decompose(pm::tensor x) { return x * 2; }
};

struct steep_op : pm::elementwise<steep_op> {
  static constexpr pm::op_name name{"steep"};
  template <class T> static constexpr T apply(T x) { return x; }
};
inline constexpr pm::op<steep_op> steep{};

inline constexpr auto lying = [](auto x) { return liar(x); };
inline constexpr auto soft = [](auto x) { return pm::softmax(x); };

struct scalar_op : pm::elementwise<scalar_op> {
  static constexpr pm::op_name name{"scalar"};
  static constexpr bool differentiable = false;
  template <class T>
    requires std::is_arithmetic_v<T>
  static constexpr T apply(T x) {
    return x;
  }
};

struct list_op : pm::composite<list_op> {
  static constexpr pm::op_name name{"list"};
  static constexpr pm::tensors decompose(pm::tensor x) { return {x, -x}; }
};
struct scaled_op : pm::elementwise<scaled_op> {
  static constexpr pm::op_name name{"scaled"};
  struct attributes {
    double by = 2;
  };
  template <class T> static constexpr T apply(T x, attributes a) { return x * T(a.by); }
};

int main() {
#if CASE == 1
  // expect(1): liar: its decomposition
  // expect(1): f32\[32,64\] instead of f32\[3\]
  // expect(1): operators.cpp:33
  constexpr auto g = pm::compile<A>(lying);
#elif CASE == 2
  // expect(2): liar: its decomposition
  // expect(2): operators.cpp:33
  constexpr auto p = pm::decompose<A>(lying);
#elif CASE == 3
  // expect(3): liar: its decomposition
  // expect(3): operators.cpp:33
  auto y = pm::compile(lying)(xt::xtensor_fixed<float, xt::xshape<4>>());
  y(0) = 1;
#elif CASE == 4
  // A policy is no constant of the function that it is passed to.
  // expect(4): is_left_whole<primal::softmax_op>
  // expect(4): value .34. is outside the bounds of array .left_whole_at_line|cannot refer to element 34
  // lines(4): 20/28
  constexpr auto p =
      pm::decompose<A>(soft, pm::policy{.keep = {"softmax"}, .require_primitive = true});
#elif CASE == 5
  // expect(5): nameless_op
  // expect(5): this operator has no name
  constexpr auto all = pm::extend(pm::catalogue, nameless);
#elif CASE == 6
  // expect(6): steep_op
  // expect(6): neither .vjp. nor the mark
  constexpr auto all = pm::extend(pm::catalogue, steep);
#elif CASE == 7
  // expect(7): twice_op
  // expect(7): this operator has no .infer.
  static_assert(pm::core::are_complete(pm::operator_list<pm::exp_op, twice_op>{}));
#elif CASE == 8
  // expect(8): scalar_op
  // expect(8): kernels for CUDA cannot calculate this primitive
  static_assert(pm::testing::have_device_code(pm::operator_list<pm::exp_op, scalar_op>{}));
#elif CASE == 9
  // lines(9): 18/20
  // expect(9): list_op
  // expect(9): decompose returns a tensor, or a std::array
  constexpr pm::op<list_op> list{};
#elif CASE == 10
  // lines(10): 18/20
  // expect(10): scaled_op
  // expect(10): with attributes an operator is a composite
  constexpr pm::op<scaled_op> scaled{};
#endif
}
