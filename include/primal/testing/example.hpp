// example: one use of an operator, and numbers for its inputs.
#pragma once

#include <primal/testing/recording.hpp>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace primal::testing {

/// One use of an operator: what its inputs look like, and how it is recorded on them.
struct example {
  /// An input: its extents and dtype, and for integers how many different values from 0 on.
  struct input {
    std::vector<std::int64_t> extents;
    primal::dtype dtype = dtype::float64;
    int values = 2;
  };
  std::string title;
  std::vector<input> inputs;
  std::function<tensors(const tensors&)> model;
};

/// Where smooth functions are tried: no multiple of 1/2 is drawn, so that most kinks are avoided, and no number twice.
struct domain {
  double low = -2.5, high = 2.5;
};
inline constexpr domain domains[] = {{-2.5, 2.5}, {0.1, 2.5}, {-0.9, 0.9}, {1.1, 4}};

/// Numbers for the inputs of an example; the same `seed` draws the same.
inline std::vector<dense> draw(const std::vector<example::input>& inputs, const domain& d,
                               unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> grid;
  for (int k = static_cast<int>(d.low * 64); k <= d.high * 64; ++k)
    if (k % 32 != 0 && k / 64. >= d.low) grid.push_back(k / 64. + 0.003);
  std::vector<dense> out;
  std::size_t next = grid.size();
  for (const auto& in : inputs) {
    dense x = interpretation::filled(in.extents, 0, in.dtype);
    for (auto& v : x.values) {
      if (!is_floating(in.dtype)) {
        v = static_cast<double>(random() % static_cast<unsigned>(in.values));
        continue;
      }
      if (next == grid.size()) {  // shuffled by hand: std::shuffle differs between libraries
        for (std::size_t i = grid.size(); i > 1; --i) std::swap(grid[i - 1], grid[random() % i]);
        next = 0;
      }
      v = grid[next++];
    }
    out.push_back(std::move(x));
  }
  return out;
}

}  // namespace primal::testing
