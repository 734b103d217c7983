// Arrays that a model cannot take or write to.
#include <primal/primal.hpp>

#if __has_include(<xtensor/containers/xarray.hpp>)
#include <xtensor/containers/xarray.hpp>
#else
#include <xtensor/xarray.hpp>
#endif

namespace pm = primal;

inline constexpr auto twice = [](auto x) { return x * 2; };
inline constexpr auto both = [](auto x) { return std::tuple(x * 2, pm::sum(x)); };

int main() {
  xt::xtensor<float, 2> x, w;
  xt::xtensor<double, 2> doubles;
  xt::xtensor<float, 1> row;
  const xt::xtensor<float, 2> constant;
  xt::xarray<float> any_rank;
  static_cast<void>(x), static_cast<void>(w), static_cast<void>(doubles), static_cast<void>(row);
  static_cast<void>(constant), static_cast<void>(any_rank);
#if CASE == 1
  // expect(1): xt::xarray has no rank
  auto y = pm::compile(twice)(any_rank);
#elif CASE == 2
  // expect(2): xt::xarray has no rank
  auto y = pm::exp(any_rank);
#elif CASE == 3
  // expect(3): an argument is not an array
  auto y = pm::compile(twice)(x + w);
#elif CASE == 4
  // expect(4): matmul: inner
  auto y = pm::matmul(pm::as<2, 3>(x), pm::as<4, 5>(w));
#elif CASE == 5
  // expect(5): layer_norm|sum
  auto y = pm::sum.outputs(pm::as<2, 3>(x), pm::as<4, 5>(w));
#elif CASE == 6
  // expect(6): differ from the declaration
  constexpr auto g = pm::compile<pm::array<float, pm::dyn, 3>>(twice);
  auto y = g(doubles);
#elif CASE == 7
  // expect(7): differ from the declaration
  constexpr auto g = pm::compile<pm::array<float, pm::dyn, 3>>(twice);
  auto y = g(x, w);
#elif CASE == 8
  // expect(8): into: the outputs differ
  pm::compile(twice).into(doubles)(x);
#elif CASE == 9
  // expect(9): into: the outputs differ
  pm::compile(both).into(x)(w);
#elif CASE == 10
  // expect(10): into: an output is read-only
  pm::compile(twice).into(constant)(x);
#elif CASE == 11
  // expect(11): must outlive the call
  pm::compile(twice).into(xt::xtensor<float, 2>())(x);
#elif CASE == 12
  // expect(12): as: the rank of the array differs
  auto y = pm::compile(twice)(pm::as<2>(x));
#elif CASE == 13
  // expect(13): one stride for each extent
  auto y = pm::compile(twice)(pm::view(x.data(), 2, 3, pm::strides(1)));
#elif CASE == 14
  // expect(14): attributes must be constants: pm::compile
  auto y = pm::softmax(x, {.axis = 0});
#elif CASE == 15
  // expect(15): attributes must be constants: pm::compile
  auto y = pm::matmul(x, w, {.transpose_b = true});
#endif
}
