// race: the least times of several ways to do one thing, measured in turns within one process.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace bench {

using clock = std::chrono::steady_clock;
using runner = std::function<void()>;

inline double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// How the calls of a race are timed.
struct timing {
  double slice =
      2e-4;       // so long together: longer than a tick of the clock, shorter than a time slice
  runner wait{};  // until what calls have started is done
};

/// How long one call takes, over so many that the clock's own time does not count.
inline double seconds_of(const runner& call, int together, const timing& how) {
  const auto start = clock::now();
  for (int i = 0; i < together; ++i) call();
  if (how.wait) how.wait();
  return seconds_since(start) / together;
}

/// Does the run only show that the benchmarks work (bench/run --quick)?
inline bool quick() { return std::getenv("PRIMAL_BENCH_QUICK") != nullptr; }

/// On how many threads both sides run (bench/run --threads).
inline int threads() {
  const char* given = std::getenv("PRIMAL_BENCH_THREADS");
  return given == nullptr ? 1 : std::stoi(given);
}

/// How long a race goes on (bench/run --seconds).
inline double race_seconds() {
  const char* given = std::getenv("PRIMAL_BENCH_SECONDS");
  return given == nullptr ? 1 : std::stod(given);
}

/// The least time of one call of each runner. They take turns, so that whatever else the machine does
/// hurts all of them, and each is the faster the longer one looks: only ratios of one race mean
/// something.
inline std::vector<double> race(const std::vector<runner>& runners, const timing& how = {}) {
  const int least_rounds = quick() ? 1 : 5;
  const double seconds = quick() ? 0 : race_seconds();
  const std::size_t count = runners.size();
  std::vector<int> together(count);
  std::vector<double> best(count, std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < count; ++i) {
    runners[i]();  // touches all memory
    const double once = seconds_of(runners[i], 1, how);
    together[i] = once > how.slice ? 1 : static_cast<int>(how.slice / once) + 1;
  }
  const auto start = clock::now();
  for (int round = 0; round < least_rounds || seconds_since(start) < seconds; ++round)
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = (k + static_cast<std::size_t>(round)) % count;
      const double time = seconds_of(runners[i], together[i], how);
      if (time < best[i]) best[i] = time;
    }
  return best;
}

}  // namespace bench
