// Random choices that are the same with every compiler and library.
#pragma once

#include <primal/interpret/dense.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace primal::test {

using interpretation::positions;

/// The standard library's distributions differ from one to the other.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : bits_(seed * 7919 + 13) { bits_.discard(5); }

  /// One of 0, 1, ..., n - 1.
  std::int64_t below(std::int64_t n) {
    return static_cast<std::int64_t>(bits_() % static_cast<std::uint64_t>(n));
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits_() >> 11) / 9007199254740992.0; }
  bool chance(double probability) { return unit() < probability; }

  template <std::size_t N> std::int64_t one_of(const std::int64_t (&choices)[N]) {
    return choices[below(N)];
  }
  std::int64_t one_of(const positions& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(choices.size())))];
  }
  /// An index, each as often as its weight says; the weights are not all 0.
  std::size_t weighted(const std::vector<double>& weights) {
    double sum = 0;
    for (double w : weights) sum += w;
    double left = unit() * sum;
    for (std::size_t i = 0; i + 1 < weights.size(); ++i) {
      if (left < weights[i]) return i;
      left -= weights[i];
    }
    return weights.size() - 1;
  }
  /// At least one axis of `rank`, in order.
  positions some_axes(std::int64_t rank) {
    positions out;
    while (out.empty())
      for (std::int64_t i = 0; i < rank; ++i)
        if (chance(.5)) out.push_back(i);
    return out;
  }
  positions permutation(std::size_t n) {
    positions out;
    for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = n; i > 1; --i)
      std::swap(out[i - 1], out[static_cast<std::size_t>(below(static_cast<std::int64_t>(i)))]);
    return out;
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace primal::test
