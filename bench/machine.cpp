// What the machine can do: multiply-adds in registers, and copies in each cache and in memory. The
// roofs of the roofline.
#include "contest.hpp"

#include <xsimd/xsimd.hpp>

#include <array>

namespace {

/// As many multiply-adds at once as hide their latency on every processor.
template <class T> bench::contest multiply_adds() {
  using batch = xsimd::batch<T>;
  constexpr std::size_t chains = 12;
  constexpr int rounds = 1000;
  bench::contest c;
  c.ours = [] {
    std::array<batch, chains> x;
    x.fill(batch(T(1)));
    batch a(T(0.999)), b(T(0.001));
    benchmark::DoNotOptimize(a.data);  // else the compiler may see that the result is 1
    benchmark::DoNotOptimize(b.data);
    for (int i = 0; i < rounds; ++i)
#pragma GCC unroll 12
      for (std::size_t k = 0; k < chains; ++k) x[k] = xsimd::fma(x[k], a, b);
    for (auto& v : x) benchmark::DoNotOptimize(v.data);
  };
  c.flops = 2. * batch::size * chains * rounds;
  c.for_peers = false;
  return c;
}

bench::contest copy(double bytes) {
  bench::contest c;
  c.ours = bench::copying(bytes);
  c.bytes = bytes;
  c.for_peers = false;
  return c;
}

[[maybe_unused]] const bool registered =
    bench::add("multiply_add/f32", "", multiply_adds<float>) &&
    bench::add("multiply_add/f64", "", multiply_adds<double>) &&
    bench::add("copy/16KiB", "", [] { return copy(1 << 14); }) &&
    bench::add("copy/256KiB", "", [] { return copy(1 << 18); }) &&
    bench::add("copy/4MiB", "", [] { return copy(1 << 22); }) &&
    bench::add("copy/128MiB", "", [] { return copy(1 << 27); });

}  // namespace
