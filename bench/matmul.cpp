// Matrix products on one thread beside CBLAS, where there is one. Each row is named after its shape,
// rows x columns x summands, with t for a transposed operand. GFLOP/s is the speed of cpu::multiply
// as a program gets it, own_GFLOP/s that of primal's own loops; x_blas and own_x_blas are their times
// divided by CBLAS's, all minima of alternating runs.
#include "race.hpp"

#include <primal/cpu/matmul.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using primal::cpu::matrix_product;

struct shape {
  std::int64_t rows, columns, inner;
  bool a_transposed = false, b_transposed = false;

  std::string name() const {
    return std::to_string(rows) + "x" + std::to_string(columns) + "x" + std::to_string(inner) +
           "/" + (a_transposed ? "t" : "n") + (b_transposed ? "t" : "n");
  }
};

/// The processor's time of this thread: the wall clock of a shared machine counts its other work.
double now() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class T> struct operands {
  std::vector<T> a, b, c;
  std::vector<std::byte> scratch;
  matrix_product<T> product;

  explicit operands(const shape& s)
      : a(static_cast<std::size_t>(s.rows * s.inner)),
        b(static_cast<std::size_t>(s.inner * s.columns)),
        c(static_cast<std::size_t>(s.rows * s.columns)),
        scratch(primal::cpu::multiply_scratch_bytes<T>(s.rows, s.columns, s.inner)),
        product{a.data(),
                b.data(),
                c.data(),
                s.rows,
                s.columns,
                s.inner,
                s.a_transposed ? 1 : s.inner,
                s.a_transposed ? s.rows : 1,
                s.b_transposed ? 1 : s.columns,
                s.b_transposed ? s.inner : 1,
                s.columns} {
    for (std::size_t i = 0; i < a.size(); ++i)
      a[i] = static_cast<T>(static_cast<float>(i % 100) / 50.f - 1.f);
    for (std::size_t i = 0; i < b.size(); ++i)
      b[i] = static_cast<T>(static_cast<float>(i % 90) / 45.f - 1.f);
  }
};

template <class T> using function = void (*)(operands<T>&);

/// Seconds of one product, from a run of some 20 microseconds.
template <class T> double seconds(function<T> f, operands<T>& o, int repeats) {
  const double start = now();
  for (int i = 0; i < repeats; ++i) {
    f(o);
    benchmark::ClobberMemory();
  }
  return (now() - start) / repeats;
}

template <class T> function<T> by_blas() {
#if defined(PRIMAL_USE_CBLAS)
  if constexpr (std::is_floating_point_v<T>)
    return [](operands<T>& o) { primal::cpu::multiply_by_blas(o.product); };
#endif
  return nullptr;
}

template <class T> void run(benchmark::State& state, const shape& s) {
  operands<T> o(s);
  const double work = 2. * static_cast<double>(s.rows * s.columns * s.inner);
  const int repeats = static_cast<int>(std::max(1., 2e6 / work));
  const std::array<function<T>, 3> all{
      [](operands<T>& x) { primal::cpu::multiply(x.product, x.scratch.data()); },
      [](operands<T>& x) { primal::cpu::multiply_without_blas(x.product, x.scratch.data()); },
      by_blas<T>()};
  std::array<double, 3> best;
  best.fill(std::numeric_limits<double>::infinity());
  const int rounds = bench::quick() ? 1 : static_cast<int>(std::clamp(2e10 / work, 15., 1000.));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t who = 0; who < all.size(); ++who)
      if (all[who] != nullptr) best[who] = std::min(best[who], seconds(all[who], o, repeats));
  for (auto _ : state) state.SetIterationTime(seconds(all[0], o, repeats));
  state.counters["flops"] = work;
  state.counters["bytes"] = static_cast<double>((o.a.size() + o.b.size() + o.c.size()) * sizeof(T));
  state.counters["GFLOP/s"] = work / best[0] * 1e-9;
  state.counters["own_GFLOP/s"] = work / best[1] * 1e-9;
  if (all[2] != nullptr) {
    state.counters["x_blas"] = best[0] / best[2];
    state.counters["own_x_blas"] = best[1] / best[2];
  }
}

template <class T> int add(const std::string& type, const std::vector<shape>& shapes) {
  for (const shape& s : shapes)
    benchmark::RegisterBenchmark(("matmul/" + s.name() + "/" + type).c_str(),
                                 [s](benchmark::State& state) { run<T>(state, s); })
        ->UseManualTime()
        ->MinTime(0.02);
  return 0;
}

std::vector<shape> cubes(std::initializer_list<std::int64_t> extents) {
  std::vector<shape> all;
  for (std::int64_t n : extents) all.push_back({n, n, n});
  return all;
}

/// The products of a perceptron 64-128-10 on a batch of 64: forward, then the gradients with respect
/// to the weights and to the inputs of both layers; then the same with 100 outputs.
const std::vector<shape> perceptron{
    {64, 128, 64},  {64, 128, 64, true, false},  {64, 64, 128, false, true},
    {64, 10, 128},  {128, 10, 64, true, false},  {64, 128, 10, false, true},
    {64, 100, 128}, {128, 100, 64, true, false}, {64, 128, 100, false, true}};

/// The products of a transformer block of width 256 on 1,024 tokens.
const std::vector<shape> transformer{{1024, 256, 256},
                                     {1024, 256, 256, false, true},
                                     {256, 256, 1024, true, false},
                                     {1024, 1024, 256},
                                     {1024, 1024, 256, false, true},
                                     {256, 1024, 1024, true, false},
                                     {1024, 256, 1024},
                                     {1024, 256, 1024, false, true},
                                     {1024, 256, 1024, true, false},
                                     {128, 128, 64, false, true},
                                     {128, 64, 128},
                                     {128, 64, 128, true, false}};

[[maybe_unused]] const int registered =
    add<float>("f32", cubes({16, 32, 64, 128, 256, 512, 1024})) + add<float>("f32", perceptron) +
    add<float>("f32", transformer) + add<double>("f64", cubes({16, 64, 256, 512})) +
    add<double>("f64", perceptron) + add<primal::float16>("f16", cubes({64, 256})) +
    add<primal::bfloat16>("bf16", cubes({64, 256})) + add<std::int32_t>("i32", cubes({64, 256})) +
    add<std::int64_t>("i64", cubes({64, 256}));

}  // namespace
