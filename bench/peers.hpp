// peers: how long PyTorch and JAX take for a work, measured by bench/peers/run.py.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <tuple>

namespace bench {

/// Seconds by peer, pass and rows.
using peer_times = std::map<std::tuple<std::string, std::string, int>, double>;

/// The value of a field in one line of JSON, without quotes; empty if there is none.
inline std::string json_field(const std::string& line, const std::string& name) {
  const auto key = line.find("\"" + name + "\":");
  if (key == std::string::npos) return {};
  auto first = line.find_first_not_of(' ', key + name.size() + 3);
  const bool quoted = line[first] == '"';
  if (quoted) ++first;
  return line.substr(first, line.find_first_of(quoted ? "\"" : ",}", first) - first);
}

/// The times of all peers for a work; none without PRIMAL_BENCH_PYTHON. Each work is measured once.
inline const peer_times& peers_of(const std::string& work) {
  static std::map<std::string, peer_times> known;
  const auto [at, missing] = known.try_emplace(work);
  const char* python = std::getenv("PRIMAL_BENCH_PYTHON");
  if (!missing || python == nullptr) return at->second;
  const auto script = std::filesystem::path(__FILE__).parent_path() / "peers" / "run.py";
  std::string command = "'";
  command.append(python).append("' '").append(script.string()).append("' ").append(work);
  std::FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return at->second;
  char buffer[4096];
  while (std::fgets(buffer, sizeof buffer, output) != nullptr) {
    const std::string line = buffer, seconds = json_field(line, "seconds");
    if (seconds.empty()) continue;
    at->second[{json_field(line, "peer"), json_field(line, "pass"),
                std::stoi(json_field(line, "rows"))}] = std::stod(seconds);
  }
  pclose(output);
  return at->second;
}

/// Counters x_torch, x_jax ...: our time over theirs.
inline void compare_with_peers(benchmark::State& state, const std::string& work,
                               const std::string& pass, int rows, double ours) {
  for (const auto& [key, seconds] : peers_of(work))
    if (std::get<1>(key) == pass && std::get<2>(key) == rows)
      state.counters[std::string("x_").append(std::get<0>(key))] = ours / seconds;
}

}  // namespace bench
