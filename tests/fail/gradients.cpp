// Gradients that do not exist.
#include <primal/primal.hpp>

namespace pm = primal;

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <std::size_t Rank> using i32 = xt::xtensor<std::int32_t, Rank>;

inline constexpr auto not_a_number = [](auto x) { return pm::exp(x); };
inline constexpr auto total = [](auto x) { return pm::sum(x); };
inline constexpr auto total_of = [](auto p) { return pm::sum(p.w) + pm::sum(p.b); };
inline constexpr auto two_results = [](auto x) { return std::tuple(pm::sum(x), x); };

struct opaque_op : pm::primitive<opaque_op> {
  static constexpr pm::op_name name{"opaque"};
  static constexpr pm::tensor_type infer(pm::tensor x) { return x.type(); }
};
inline constexpr pm::op<opaque_op> opaque{};

inline constexpr auto bad_piece =
    pm::custom_vjp([](auto x) { return pm::sum(x, {.axes = 3}); },
                   [](pm::saved, pm::tensor dy) { return pm::tensors{dy}; });

int main() {
  xt::xtensor<float, 2> x;
  xt::xtensor<std::int32_t, 2> integers;
  linear<i32> p;
  static_cast<void>(x), static_cast<void>(integers), static_cast<void>(p);
#if CASE == 1
  // expect(1): grad: the value must be of rank
  // expect(1): f32\[n0,n1\]; use vjp
  auto d = pm::grad<0>(not_a_number)(x);
#elif CASE == 2
  // expect(2): grad: argument 0 is
  // expect(2): only floating-point inputs
  auto d = pm::grad<0>(total)(integers);
#elif CASE == 3
  // expect(3): grad: w of argument 0 is
  auto d = pm::compile(pm::grad<0>(total_of))(p);
#elif CASE == 4
  // expect(4): opaque has neither
  auto d = pm::grad<0>([](auto z) { return pm::sum(opaque(z)); })(x);
#elif CASE == 5
  // expect(5): this many arguments
  auto d = pm::grad<0>(total)(x, x);
#elif CASE == 6
  // expect(6): the model returns 2
  // expect(6): tensors; use vjp
  auto d = pm::grad<0>(two_results)(x);
#elif CASE == 7
  // expect(7): this many arguments
  auto d = pm::grad<1>(total)(x);
#elif CASE == 8
  // expect(8): must not capture anything
  auto f = pm::custom_vjp([x](auto z) { return z * static_cast<float>(x.size()); },
                          [](pm::saved, pm::tensor dy) { return pm::tensors{dy}; });
#elif CASE == 9
  // expect(9): must be stateless
  float scale = 2;
  auto d = pm::grad<0>([=](auto z) { return pm::sum(z * scale); })(x);
#elif CASE == 10
  // expect(10): vjp: the result is
  auto d = pm::vjp<0>(not_a_number)(x, 1.0f);
#elif CASE == 11
  // expect(11): sum: axis 3 is out of range
  // expect(11): gradients.cpp:23
  auto d = pm::compile(bad_piece)(x);
#endif
}
