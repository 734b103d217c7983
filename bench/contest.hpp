// contest: one row of a table, our run beside others that do the same work in this process.
#pragma once

#include "race.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// Another run, and the column that shows our time over its own.
struct rival {
  std::string column;
  runner run;
  bool same_work = true;  // else a part of it, whose results are other ones
};

/// Copies half of `bytes` from one block to another, so that as many are read and written. The blocks begin
/// at different places of a page: at equal ones, loads would wait for stores that look the same.
inline runner copying(double bytes) {
  constexpr std::size_t page = 4096;
  const auto count = static_cast<std::size_t>(bytes / 2);
  const auto second = (count / page + 1) * page + page / 2;
  const std::shared_ptr<char[]> memory(new char[second + count]);
  std::memset(memory.get(), 1, second + count);
  return [=, shares = static_cast<std::size_t>(threads())] {
    const char* from = memory.get();
    char* to = memory.get() + second;
    if (shares == 1) {  // a parallel region of one thread would take longer than a small copy
      std::memcpy(to, from, count);
    } else {
      const auto share = count / shares + 1;
#pragma omp parallel for num_threads(static_cast<int>(shares))
      for (std::size_t first = 0; first < count; first += share)
        std::memcpy(to + first, from + first, std::min(share, count - first));
    }
    benchmark::DoNotOptimize(to);
    benchmark::ClobberMemory();
  };
}

struct contest {
  runner ours;
  std::vector<rival> rivals;
  double bytes = 0;                                // that must be read and written at least: x_copy
  double flops = 0;                                // floating-point operations: GFLOP/s
  double repeats = 1;                              // how often a run does the work
  std::function<std::vector<double>()> results{};  // what a run has written, to compare
  timing how{};
  std::function<runner(double)> copy = copying;  // of so many bytes
  bool of_copy = false;   // also say which part of the speed of a copy a run reaches
  bool for_peers = true;  // libraries in Python can do the job as well
};

/// The first of the rivals that should have written the same and has not; empty if there is none.
inline std::string differing(const contest& c) {
  if (!c.results) return {};
  for (const rival& other : c.rivals) {
    if (!other.same_work) continue;
    other.run();
    const auto wanted = c.results();
    c.ours();
    const auto given = c.results();
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (!(std::abs(given[i] - wanted[i]) <= 1e-3 * std::max(1., std::abs(wanted[i]))))
        return other.column;
  }
  return {};
}

inline void run(benchmark::State& state, const std::string& job, const contest& c) {
  if (const auto other = differing(c); !other.empty())
    return state.SkipWithError(("differs from " + other).c_str());
  std::vector<runner> runners{c.ours};
  for (const rival& other : c.rivals) runners.push_back(other.run);
  if (c.bytes > 0) runners.push_back(c.copy(c.bytes));
  const auto seconds = race(runners, c.how);
  for (auto _ : state) state.SetIterationTime(seconds[0] / c.repeats);
  for (std::size_t i = 0; i < c.rivals.size(); ++i)
    state.counters[c.rivals[i].column] = seconds[0] / seconds[i + 1];
  if (c.bytes > 0) {
    state.counters["x_copy"] = seconds[0] / seconds.back() / c.repeats;
    if (c.of_copy) state.counters["of_copy"] = c.repeats * seconds.back() / seconds[0];
    state.counters["bytes"] = c.bytes;
    state.counters["GB/s"] = c.bytes * c.repeats / seconds[0] * 1e-9;
  }
  if (c.flops > 0) {
    state.counters["flops"] = c.flops;
    state.counters["GFLOP/s"] = c.flops * c.repeats / seconds[0] * 1e-9;
  }
  if (c.for_peers) state.SetLabel(job);
}

/// Adds a row. `job` is WORK/PASS/DTYPE/EXTENTS, by which the peers know it (bench/peers), and `variant`
/// tells rows of one job apart. The contest is made when its turn comes: one row at a time has memory.
inline bool add(const std::string& job, const std::string& variant,
                const std::function<contest()>& make) {
  const std::string name = variant.empty() ? job : job + "/" + variant;
  benchmark::RegisterBenchmark(name.c_str(),
                               [job, make](benchmark::State& state) { run(state, job, make()); })
      ->UseManualTime()
      ->Iterations(1);
  return true;
}

}  // namespace bench
