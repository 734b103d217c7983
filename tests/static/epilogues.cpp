// Products that add a bias or take gelu by themselves, where a back end's do: which kernels of a plan become part of a
// product.
#include <primal/primal.hpp>

namespace pm = primal;

namespace {

template <class T> using matrix = pm::array<T, pm::dyn, pm::dyn>;
template <class T> using row = pm::array<T, pm::dyn>;

using pm::epilogue;

struct counts {
  int kernels, products;
  epilogue after;  // of the first product that has one
  friend constexpr bool operator==(const counts&, const counts&) = default;
};
template <bool HasEpilogues, class F, class... A> constexpr counts count() {
  const auto p = pm::plan_pass<pm::recorded_model<F, A...>, HasEpilogues>::make();
  counts n{p.kernels.size(), p.matmuls.size(), epilogue::empty};
  for (const auto& m : p.matmuls)
    if (n.after == epilogue::empty) n.after = m.after;
  return n;
}
template <class... A, class F> constexpr counts with_epilogues(F) { return count<true, F, A...>(); }
template <class... A, class F> constexpr counts without(F) { return count<false, F, A...>(); }
template <class T, class F> constexpr counts of_layer(F f) {
  return with_epilogues<matrix<T>, matrix<T>, row<T>>(f);
}

constexpr auto layer = [](auto x, auto w, auto b) { return pm::matmul(x, w) + b; };
constexpr auto turned_layer = [](auto x, auto w, auto b) { return b + pm::matmul(x, w); };

static_assert(without<matrix<float>, matrix<float>, row<float>>(layer) ==
              counts{1, 1, epilogue::empty});
static_assert(of_layer<float>(layer) == counts{0, 1, epilogue::only_bias});
static_assert(of_layer<float>(turned_layer) == counts{0, 1, epilogue::only_bias});
static_assert(of_layer<pm::bfloat16>(layer) == counts{0, 1, epilogue::only_bias});
// Rows of a batch are rows of one product.
using batch = pm::array<float, pm::dyn, pm::dyn, pm::dyn>;
static_assert(with_epilogues<batch, matrix<float>, row<float>>(layer) ==
              counts{0, 1, epilogue::only_bias});
// Two layers: the first sum is read by a product, the second is the result.
constexpr auto layers = [](auto x, auto w, auto b, auto v, auto c) {
  return pm::matmul(pm::matmul(x, w) + b, v) + c;
};
static_assert(with_epilogues<matrix<float>, matrix<float>, row<float>, matrix<float>, row<float>>(
                  layers) == counts{0, 2, epilogue::only_bias});

// gelu in the form with tanh, of a sum with a bias and of a product alone.
constexpr auto by_tanh = [](auto x) {
  return pm::gelu(x, {.approximate = pm::approximation::tanh});
};
constexpr auto activated = [](auto x, auto w, auto b) { return by_tanh(pm::matmul(x, w) + b); };
constexpr auto unbiased = [](auto x, auto w) { return by_tanh(pm::matmul(x, w)); };
static_assert(of_layer<float>(activated) == counts{0, 1, epilogue::bias_and_gelu});
static_assert(of_layer<pm::float16>(activated) == counts{0, 1, epilogue::bias_and_gelu});
static_assert(with_epilogues<batch, matrix<float>, row<float>>(activated) ==
              counts{0, 1, epilogue::bias_and_gelu});
static_assert(with_epilogues<matrix<float>, matrix<float>>(unbiased) ==
              counts{0, 1, epilogue::only_gelu});
static_assert(with_epilogues<matrix<pm::bfloat16>, matrix<pm::bfloat16>>(unbiased) ==
              counts{0, 1, epilogue::only_gelu});
static_assert(with_epilogues<pm::array<float, 8, 12>, pm::array<float, 12, 16>>(unbiased) ==
              counts{0, 1, epilogue::only_gelu});
constexpr auto network = [](auto x, auto w, auto b, auto v) {
  return pm::matmul(by_tanh(pm::matmul(x, w) + b), v);
};
static_assert(with_epilogues<matrix<float>, matrix<float>, row<float>, matrix<float>>(network) ==
              counts{0, 2, epilogue::bias_and_gelu});
// Its gradient needs the sum as well, and other forms are others.
constexpr auto slope = [](auto x, auto w, auto b) {
  return pm::value_and_grad<0>([b, w](auto y) { return pm::sum(by_tanh(pm::matmul(y, w) + b)); })(
      x);
};
static_assert(of_layer<float>(slope).after == epilogue::empty);
constexpr auto exact = [](auto x, auto w, auto b) { return pm::gelu(pm::matmul(x, w) + b); };
static_assert(of_layer<float>(exact) == counts{1, 1, epilogue::empty});
constexpr auto silu = [](auto x, auto w, auto b) { return pm::silu(pm::matmul(x, w) + b); };
static_assert(of_layer<float>(silu) == counts{1, 1, epilogue::empty});
constexpr auto steeper = [](auto x, auto w) {
  auto u = pm::maximum(pm::matmul(x, w), -100);
  return u * pm::sigmoid(u * (1.6 + 1.6 * 0.044715 * (u * u)));
};
static_assert(with_epilogues<matrix<float>, matrix<float>>(steeper) ==
              counts{1, 1, epilogue::empty});
constexpr auto added = [](auto x, auto w, auto b) { return by_tanh(pm::matmul(x, w)) + b; };
static_assert(of_layer<float>(added) == counts{1, 1, epilogue::empty});

// cuBLASLt has none for float64.
static_assert(of_layer<double>(layer) == counts{1, 1, epilogue::empty});
static_assert(of_layer<double>(activated) == counts{1, 1, epilogue::empty});

// Sums of something else stay kernels: a column, a whole matrix, what is calculated, products that are needed alone.
static_assert(with_epilogues<matrix<float>, matrix<float>, pm::array<float, pm::dyn, 1>>(layer) ==
              counts{1, 1, epilogue::empty});
static_assert(with_epilogues<matrix<float>, matrix<float>, matrix<float>>(layer) ==
              counts{1, 1, epilogue::empty});
constexpr auto scaled = [](auto x, auto w, auto b) { return pm::matmul(x, w) + b * 2; };
static_assert(of_layer<float>(scaled).after == epilogue::empty);
constexpr auto both = [](auto x, auto w, auto b) {
  auto y = pm::matmul(x, w);
  return std::tuple(y, y + b);
};
static_assert(of_layer<float>(both).after == epilogue::empty);
constexpr auto difference = [](auto x, auto w, auto b) { return pm::matmul(x, w) - b; };
static_assert(of_layer<float>(difference).after == epilogue::empty);

}  // namespace
