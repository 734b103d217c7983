// Products that add a bias by themselves, where a back end's do: which sums of a plan become part of a product.

#include <primal/primal.hpp>

namespace pm = primal;

namespace {

template <class T> using matrix = pm::array<T, pm::dyn, pm::dyn>;
template <class T> using row = pm::array<T, pm::dyn>;

struct counts {
  int kernels, products, biases;
  friend constexpr bool operator==(const counts&, const counts&) = default;
};
template <bool ProductsAddBias, class F, class... A> constexpr counts count() {
  const auto p = pm::plan_pass<pm::recorded_model<F, A...>, ProductsAddBias>::make();
  counts n{p.kernels.size(), p.matmuls.size(), 0};
  for (const auto& m : p.matmuls) n.biases += m.bias >= 0;
  return n;
}
template <class... A, class F> constexpr counts with_bias(F) { return count<true, F, A...>(); }
template <class... A, class F> constexpr counts without(F) { return count<false, F, A...>(); }

constexpr auto layer = [](auto x, auto w, auto b) { return pm::matmul(x, w) + b; };
constexpr auto turned_layer = [](auto x, auto w, auto b) { return b + pm::matmul(x, w); };

static_assert(without<matrix<float>, matrix<float>, row<float>>(layer) == counts{1, 1, 0});
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(layer) == counts{0, 1, 1});
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(turned_layer) == counts{0, 1, 1});
static_assert(with_bias<matrix<pm::bfloat16>, matrix<pm::bfloat16>, row<pm::bfloat16>>(layer) ==
              counts{0, 1, 1});
// Rows of a batch are rows of one product.
static_assert(with_bias<pm::array<float, pm::dyn, pm::dyn, pm::dyn>, matrix<float>, row<float>>(
                  layer) == counts{0, 1, 1});
// Two layers: the first sum is read by a product, the second is the result.
constexpr auto layers = [](auto x, auto w, auto b, auto v, auto c) {
  return pm::matmul(pm::matmul(x, w) + b, v) + c;
};
static_assert(with_bias<matrix<float>, matrix<float>, row<float>, matrix<float>, row<float>>(
                  layers) == counts{0, 2, 2});

// cuBLASLt adds none to float64, and its gelu is the approximation with tanh.
static_assert(with_bias<matrix<double>, matrix<double>, row<double>>(layer) == counts{1, 1, 0});
constexpr auto activated = [](auto x, auto w, auto b) { return pm::gelu(pm::matmul(x, w) + b); };
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(activated) == counts{1, 1, 0});

// Sums of something else stay kernels: a column, a whole matrix, what is calculated, products that are needed alone.
static_assert(with_bias<matrix<float>, matrix<float>, pm::array<float, pm::dyn, 1>>(layer) ==
              counts{1, 1, 0});
static_assert(with_bias<matrix<float>, matrix<float>, matrix<float>>(layer) == counts{1, 1, 0});
constexpr auto scaled = [](auto x, auto w, auto b) { return pm::matmul(x, w) + b * 2; };
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(scaled).biases == 0);
constexpr auto both = [](auto x, auto w, auto b) {
  auto y = pm::matmul(x, w);
  return std::tuple(y, y + b);
};
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(both).biases == 0);
constexpr auto difference = [](auto x, auto w, auto b) { return pm::matmul(x, w) - b; };
static_assert(with_bias<matrix<float>, matrix<float>, row<float>>(difference).biases == 0);

}  // namespace
