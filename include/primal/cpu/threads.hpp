// threads: one piece of work on several threads, by OpenMP where the program is compiled with it, else on one.
#pragma once

#include <cstdint>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace primal::cpu {

// A template argument of what depends on it, so that units compiled with and without OpenMP link.
#if defined(_OPENMP)
inline constexpr bool has_threads = true;
#else
inline constexpr bool has_threads = false;
#endif

/// Runs f(number, count) on up to `threads` threads at once. The system may give fewer.
template <bool OpenMP = has_threads, class F> void on_threads(int threads, const F& f) {
#if defined(_OPENMP)
  if (threads > 1) {
#pragma omp parallel num_threads(threads)
    f(omp_get_thread_num(), omp_get_num_threads());
    return;
  }
#endif
  static_cast<void>(threads);
  f(0, 1);
}

/// Inside f: waits until all threads are here.
template <bool OpenMP = has_threads> void meet(int count) {
  static_cast<void>(count);
#if defined(_OPENMP)
  if (count > 1) {  // with one, the barrier would be that of a region around the call
#pragma omp barrier
  }
#endif
}

/// The part of `total` that begins where thread `number` of `count` begins.
constexpr std::int64_t share_begin(std::int64_t total, int number, int count) {
  return total * number / count;
}

/// How many threads pay for work that takes one of them about this many nanoseconds. To wake another one and
/// to wait for it takes some microseconds.
constexpr int threads_for(double nanoseconds, int most) {
  constexpr double worth_a_thread = 5'000;
  if (nanoseconds < 2 * worth_a_thread) return 1;
  return nanoseconds < most * worth_a_thread ? static_cast<int>(nanoseconds / worth_a_thread)
                                             : most;
}

}  // namespace primal::cpu
