// Mistakes in a model: each is one error that names the operator, its operands and the line.
#include <primal/primal.hpp>

namespace pm = primal;

using A = pm::array<float, 32, 64>;
using B = pm::array<float, 128, 10>;

inline constexpr auto bad_matmul = [](auto x, auto w) {
  auto h = pm::exp(x);
  return pm::matmul(h, w);
};
inline constexpr auto bad_add = [](auto x, auto w) { return pm::exp(x) + w; };
inline constexpr auto bad_axis = [](auto x) { return pm::sum(x, {.axes = {2}}); };
inline constexpr auto bad_extent = [](auto x) { return x.extent(5) > 3 ? x : -x; };
inline constexpr auto unknown_extent = [](auto x) { return x.extent(0) > 3 ? x : -x; };
inline constexpr auto bad_reshape = [](auto x) { return pm::reshape(x, {7, -1}); };
inline constexpr auto out_of_range = [](auto x) {
  std::vector<pm::tensor> parts{x};
  return parts.at(2);
};
inline constexpr auto not_a_tensor = [](auto) { return "text"; };
inline constexpr auto bad_constants = [](auto) { return pm::matmul(pm::ones({2, 3}), pm::eye(2)); };
inline constexpr auto bad_axis_of_constants = [](auto) {
  return pm::sum(pm::ones({2}), {.axes = 1});
};
inline constexpr auto negative_extent = [](auto x) { return pm::zeros({2, -64}) + x(0, 0); };
inline constexpr auto too_many_axes = [](auto x) {
  return pm::reshape(x, {1, 1, 1, 1, 1, 1, 1, 32, 64});
};
inline constexpr auto unlike_trees = [](auto p, auto g) {
  const std::tuple two(p, p);
  return pm::adam(two, std::tuple(g), two, two, 1);
};

inline constexpr auto declared = pm::compile<A>([](auto x) { return x * 2; });

int main() {
  xt::xtensor<float, 2> x, w;
  xt::xtensor<float, 3> cube;
  static_cast<void>(x), static_cast<void>(w), static_cast<void>(cube);
#if CASE == 1
  // expect(1): matmul: inner
  // expect(1): f32\[32,64\]
  // expect(1): f32\[128,10\]
  // expect(1): model.cpp:11
  constexpr auto p = pm::program_of<A, B>(bad_matmul);
#elif CASE == 2
  // expect(2): add: shapes do not broadcast
  // expect(2): model.cpp:13
  auto y = pm::compile(bad_add)(xt::xtensor_fixed<float, xt::xshape<32, 64>>(),
                                pm::view(x.data(), pm::c<128>, pm::c<10>));
#elif CASE == 3
  // expect(3): sum: axis 2 is out of range
  // expect(3): f32\[n0,n1\]
  auto y = pm::compile(bad_axis)(x);
#elif CASE == 4
  // expect(4): extent: axis 5 is out of range
  auto y = pm::compile(bad_extent)(x);
#elif CASE == 5
  // expect(5): extent: n0 is known only at
  auto y = pm::compile(unknown_extent)(x);
#elif CASE == 6
  // expect(6): reshape: f32\[32,64\]
  constexpr auto g = pm::compile<A>(bad_reshape);
#elif CASE == 7
  // expect(7): sum: axis 3 is out of range
  auto y = pm::compile([](auto z) { return pm::sum(z, {.axes = 3}); })(cube);
#elif CASE == 8
  // expect(8): this many arguments
  auto y = pm::compile(bad_matmul)(x);
#elif CASE == 9
  // expect(9): this many arguments
  constexpr auto g = pm::compile<A>(bad_matmul);
#elif CASE == 10
  // expect(10): must be stateless
  auto y = pm::compile([&](auto z) { return z * static_cast<float>(x.size()); })(x);
#elif CASE == 11
  // expect(11): a model returns tensors
  auto y = pm::compile(not_a_tensor)(x);
#elif CASE == 12
  // expect(12): by a constant expression|non-.constexpr. function
  // lines(12): 42/75
  auto y = pm::compile(out_of_range)(x);
#elif CASE == 13
  // expect(13): matmul:
  auto y = pm::compile(bad_matmul)(pm::as<32, 64>(x), pm::as<128, 10>(w));
  y(0, 0) = 1;
#elif CASE == 14
  // expect(14): matmul: inner
  // expect(14): model.cpp:23
  auto y = pm::compile(bad_constants)(x);
#elif CASE == 15
  // expect(15): sum: the operands or attributes
  // expect(15): model.cpp:25
  auto y = pm::compile(bad_axis_of_constants)(x);
#elif CASE == 16
  // expect(16): reshape: a tensor has at most 8"}, .*axes: f32\[32,64\]
  // expect(16): model.cpp:29
  constexpr auto g = pm::compile<A>(too_many_axes);
#elif CASE == 17
  // expect(17): adam: parameters have 2 leaves,"}, .*gradients 1, m 2 and v 2
  auto y = pm::compile(unlike_trees)(x, w);
#elif CASE == 18
  // expect(18): with declarations or outputs it takes arrays
  // lines(18): 20/30
  auto y = pm::compile([](auto z) { return declared(z); })(x);
#elif CASE == 19
  // expect(19): could not convert|not contextually convertible
  // lines(19): 30/60
  auto y = pm::compile([](auto z) {
    if (z > 0) return z;
    return -z;
  })(x);
#elif CASE == 20
  // expect(20): full: an extent must not be
  // expect(20): f32\[2,-64\]
  // expect(20): model.cpp:27
  auto y = pm::compile(negative_extent)(x);
#endif
}
