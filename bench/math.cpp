// The elementary functions in the first-level cache, each beside xsimd's, libmvec's, SLEEF's (those of
// 1 ulp, and of 3.5 ulp where there are any) and the scalar standard library's. The rows time one pass
// over 1024 elements; ns is the time of one element, and x_... is our time divided by the other's, both
// minima of alternating runs.
#include "race.hpp"

#include <primal/cpu/batch_math.hpp>

#include <benchmark/benchmark.h>

#if defined(PRIMAL_BENCH_SLEEF)
#include <sleef.h>
#endif

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace {

constexpr std::size_t count = 1024;

template <class T> using pass = void (*)(const T*, const T*, T*);

/// One pass of a register function over both inputs.
template <auto F, class T> [[gnu::noinline]] void over_registers(const T* x, const T* y, T* out) {
  using V = xsimd::batch<T>;
  for (std::size_t i = 0; i < count; i += V::size)
    F(V::load_unaligned(x + i), V::load_unaligned(y + i)).store_unaligned(out + i);
}

template <auto F, class T> [[gnu::noinline]] void over_scalars(const T* x, const T* y, T* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = F(x[i], y[i]);
}

/// A null pointer stands for what a library does not have.
template <class T> struct row {
  std::string_view name;
  double low, high;
  pass<T> ours;
  pass<T> xsimd = nullptr;
  pass<T> libmvec = nullptr;
  pass<T> sleef = nullptr;
  pass<T> sleef_u35 = nullptr;
  pass<T> standard = nullptr;
};

#define REGISTERS(T, ...)                                                                          \
  over_registers<[](auto v, [[maybe_unused]] auto w) PRIMAL_LAMBDA_INLINE { return __VA_ARGS__; }, \
                 T>
#define SCALARS(T, ...) over_scalars<[](T v, [[maybe_unused]] T w) -> T { return __VA_ARGS__; }, T>

// libmvec's functions by their vector ABI names.
#if defined(__x86_64__) && defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#if defined(__AVX512F__)
#define VECTOR_NAME_f32(name) _ZGVeN16v_##name##f
#define VECTOR_NAME_f64(name) _ZGVeN8v_##name
#define VECTOR_POW_f32 _ZGVeN16vv_powf
#define VECTOR_POW_f64 _ZGVeN8vv_pow
#elif defined(__AVX2__)
#define VECTOR_NAME_f32(name) _ZGVdN8v_##name##f
#define VECTOR_NAME_f64(name) _ZGVdN4v_##name
#define VECTOR_POW_f32 _ZGVdN8vv_powf
#define VECTOR_POW_f64 _ZGVdN4vv_pow
#else
#define VECTOR_NAME_f32(name) _ZGVbN4v_##name##f
#define VECTOR_NAME_f64(name) _ZGVbN2v_##name
#define VECTOR_POW_f32 _ZGVbN4vv_powf
#define VECTOR_POW_f64 _ZGVbN2vv_pow
#endif
using f32_register = xsimd::batch<float>::register_type;
using f64_register = xsimd::batch<double>::register_type;
extern "C" {
#define DECLARE(name)                               \
  f32_register VECTOR_NAME_f32(name)(f32_register); \
  f64_register VECTOR_NAME_f64(name)(f64_register);
DECLARE(exp)
DECLARE(expm1)
DECLARE(log)
DECLARE(log2)
DECLARE(log1p)
DECLARE(sin)
DECLARE(cos)
DECLARE(tan)
DECLARE(tanh)
DECLARE(erf)
#undef DECLARE
f32_register VECTOR_POW_f32(f32_register, f32_register);
f64_register VECTOR_POW_f64(f64_register, f64_register);
}
#define LIBMVEC(T, kind, name) REGISTERS(T, xsimd::batch<T>(VECTOR_NAME_##kind(name)(v)))
#define LIBMVEC_POW(T, kind) REGISTERS(T, xsimd::batch<T>(VECTOR_POW_##kind(v, w)))
#else
#define LIBMVEC(T, kind, name) nullptr
#define LIBMVEC_POW(T, kind) nullptr
#endif

// SLEEF's functions by the names of one instruction set, without its dispatch.
#if defined(PRIMAL_BENCH_SLEEF)
#if defined(__AVX512F__)
#define SLEEF_NAME_f32(name, ulp) Sleef_##name##f16_##ulp##avx512f
#define SLEEF_NAME_f64(name, ulp) Sleef_##name##d8_##ulp##avx512f
#elif defined(__AVX2__)
#define SLEEF_NAME_f32(name, ulp) Sleef_##name##f8_##ulp##avx2
#define SLEEF_NAME_f64(name, ulp) Sleef_##name##d4_##ulp##avx2
#else
#define SLEEF_NAME_f32(name, ulp) Sleef_##name##f4_##ulp##sse2
#define SLEEF_NAME_f64(name, ulp) Sleef_##name##d2_##ulp##sse2
#endif
#define SLEEF(T, kind, name, ulp) REGISTERS(T, xsimd::batch<T>(SLEEF_NAME_##kind(name, ulp)(v)))
#define SLEEF_POW(T, kind) REGISTERS(T, xsimd::batch<T>(SLEEF_NAME_##kind(pow, u10)(v, w)))
#else
#define SLEEF(T, kind, name, ulp) nullptr
#define SLEEF_POW(T, kind) nullptr
#endif

#define ROW(T, kind, f, from, to, u35)                                                       \
  row<T> {                                                                                   \
    .name = #f "/" #kind, .low = from, .high = to, .ours = REGISTERS(T, primal::math::f(v)), \
    .xsimd = REGISTERS(T, xsimd::f(v)), .libmvec = LIBMVEC(T, kind, f),                      \
    .sleef = SLEEF(T, kind, f, u10), .sleef_u35 = u35, .standard = SCALARS(T, std::f(v))     \
  }
#define ROW_U35(T, kind, f, from, to) ROW(T, kind, f, from, to, SLEEF(T, kind, f, u35))

template <class T> T sigmoid(T x) { return T(1) / (T(1) + std::exp(-x)); }
template <class T> T gelu(T x) {
  return x * T(0.5) * (T(1) + std::erf(x * T(0.70710678118654752)));
}

#define ROWS(T, kind)                                                                          \
  ROW(T, kind, exp, -10, 10, nullptr), ROW(T, kind, expm1, -10, 10, nullptr),                  \
      ROW_U35(T, kind, log, 0.01, 100), ROW_U35(T, kind, log2, 0.01, 100),                     \
      ROW(T, kind, log1p, -0.9, 10, nullptr), ROW_U35(T, kind, sin, -10, 10),                  \
      ROW_U35(T, kind, cos, -10, 10), ROW_U35(T, kind, tan, -10, 10),                          \
      ROW_U35(T, kind, tanh, -5, 5), ROW(T, kind, erf, -4, 4, nullptr),                        \
      row<T>{.name = "sigmoid/" #kind,                                                         \
             .low = -10,                                                                       \
             .high = 10,                                                                       \
             .ours = REGISTERS(T, primal::math::sigmoid(v)),                                   \
             .xsimd = REGISTERS(T, decltype(v)(T(1)) / (decltype(v)(T(1)) + xsimd::exp(-v))),  \
             .standard = SCALARS(T, sigmoid(v))},                                              \
      row<T>{.name = "gelu/" #kind,                                                            \
             .low = -4,                                                                        \
             .high = 4,                                                                        \
             .ours = REGISTERS(T, primal::math::gelu(v)),                                      \
             .xsimd = REGISTERS(T, v * decltype(v)(T(0.5)) *                                   \
                                       (decltype(v)(T(1)) +                                    \
                                        xsimd::erf(v * decltype(v)(T(0.70710678118654752))))), \
             .standard = SCALARS(T, gelu(v))},                                                 \
      row<T>{.name = "gelu_slope/" #kind,                                                      \
             .low = -4,                                                                        \
             .high = 4,                                                                        \
             .ours = REGISTERS(T, primal::math::gelu_slope(v))},                               \
      row<T>{.name = "tanh_gelu/" #kind,                                                       \
             .low = -4,                                                                        \
             .high = 4,                                                                        \
             .ours = REGISTERS(T, primal::math::tanh_gelu(v))},                                \
      row<T>{.name = "tanh_gelu_slope/" #kind,                                                 \
             .low = -4,                                                                        \
             .high = 4,                                                                        \
             .ours = REGISTERS(T, primal::math::tanh_gelu_slope(v))},                          \
      row<T>{.name = "pow/" #kind,                                                             \
             .low = 0.01,                                                                      \
             .high = 10,                                                                       \
             .ours = REGISTERS(T, primal::math::pow(v, w)),                                    \
             .xsimd = REGISTERS(T, xsimd::pow(v, w)),                                          \
             .libmvec = LIBMVEC_POW(T, kind),                                                  \
             .sleef = SLEEF_POW(T, kind),                                                      \
             .standard = SCALARS(T, std::pow(v, w))},                                          \
      row<T>{.name = "remainder/" #kind,                                                       \
             .low = 0.01,                                                                      \
             .high = 10,                                                                       \
             .ours = REGISTERS(T, primal::math::remainder(v, w)),                              \
             .standard = SCALARS(T, std::fmod(v, w))},                                         \
      row<T> {                                                                                 \
    .name = "copy/" #kind, .low = 0, .high = 1, .ours = REGISTERS(T, v)                        \
  }

template <class T> struct data {
  alignas(64) std::array<T, count> x;
  alignas(64) std::array<T, count> y;
  alignas(64) std::array<T, count> out;
};

/// Seconds of one pass, from a run of some microseconds.
template <class T> double seconds(pass<T> f, data<T>& d) {
  constexpr int repeats = 16;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) {
    f(d.x.data(), d.y.data(), d.out.data());
    benchmark::ClobberMemory();
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / repeats;
}

template <class T> void run(benchmark::State& state, const row<T>& r) {
  data<T> d;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>((i * 379) % count) / count;
    d.x[i] = static_cast<T>(r.low + (r.high - r.low) * share);
    d.y[i] = static_cast<T>(3. * share - 1.001);
  }
  const int rounds = bench::quick() ? 1 : 300;
  const std::array all{r.ours, r.xsimd, r.libmvec, r.sleef, r.sleef_u35, r.standard};
  std::array<double, all.size()> best;
  best.fill(std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t who = 0; who < all.size(); ++who)
      if (all[who] != nullptr) best[who] = std::min(best[who], seconds(all[who], d));
  for (auto _ : state) state.SetIterationTime(best[0]);
  state.counters["ns"] = best[0] * 1e9 / count;
  constexpr std::array names{"", "x_xsimd", "x_libmvec", "x_sleef", "x_sleef_u35", "x_std"};
  for (std::size_t who = 1; who < all.size(); ++who)
    if (all[who] != nullptr) state.counters[names[who]] = best[0] / best[who];
}

template <class T> int add(std::initializer_list<row<T>> rows) {
  for (const row<T>& r : rows)
    benchmark::RegisterBenchmark(("math/" + std::string(r.name)).c_str(),
                                 [r](benchmark::State& state) { run(state, r); })
        ->UseManualTime()
        ->Iterations(1);
  return 0;
}

[[maybe_unused]] const int registered =
    add<float>({ROWS(float, f32)}) + add<double>({ROWS(double, f64)});

}  // namespace
