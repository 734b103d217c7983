// Chains of 20 and of 100 elementwise operations beside the same chain in one loop by hand: 16,384
// elements lie in the first-level cache, 4 million in memory. A library that calculates one operation
// after another reads and writes memory for each.
#include "work.hpp"

#include <primal/cpu/batch_math.hpp>

namespace {

namespace pm = primal;

/// Five operations a round.
template <int Operations, class T, class Max, class Min>
constexpr T chain(const T& x, const T& y, Max maximum, Min minimum) {
  T t = x;
  for (int i = 0; i < Operations / 5; ++i) t = minimum(maximum(t * y + x, y) - x, x);
  return t;
}

template <int Operations>
constexpr auto model =
    [](auto x, auto y) { return chain<Operations>(x, y, pm::maximum, pm::minimum); };

template <int Operations>
[[gnu::noinline]] void by_hand(const float* x, const float* y, float* out, std::int64_t n) {
  using batch = xsimd::batch<float>;
  using math = pm::math_of<batch>;
  constexpr auto width = static_cast<std::int64_t>(batch::size);
  const auto maximum = [](batch a, batch b) { return math::maximum(a, b); };
  const auto minimum = [](batch a, batch b) { return math::minimum(a, b); };
  for (std::int64_t i = 0; i < n; i += width)
    chain<Operations>(batch::load_unaligned(x + i), batch::load_unaligned(y + i), maximum, minimum)
        .store_unaligned(out + i);
}

template <int Operations> void add(std::int64_t n) {
  using vector = pm::array<float, pm::dyn>;
  using work = bench::work<vector(vector, vector)>;
  const auto loop = [](auto& a) {
    by_hand<Operations>(a.template x<0>(), a.template x<1>(), a.out.data, a.extent(0, 0));
  };
  work{.name = "chain" + std::to_string(Operations),
       .out = {n},
       .in = {{n}, {n}},
       .beside = {.forward = {{"x_hand", loop}}},
       .flops = static_cast<double>(Operations * n)}
      .add(model<Operations>);
}

[[maybe_unused]] const bool registered = [] {
  for (const std::int64_t n : {1 << 14, 1 << 22}) {
    add<20>(n);
    add<100>(n);
  }
  return true;
}();

}  // namespace
