// What the programs in tests/cuda share: inputs, checks and their exit status.
#pragma once

#include <primal/cuda/testing.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace primal::test {

/// Numbers from -1 to 1.
template <class T, std::integral... E> device_array<T, sizeof...(E)> wave(E... extents) {
  std::vector<T> values((static_cast<std::size_t>(extents) * ... * 1));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(std::sin(0.37 * static_cast<double>(i % 100'003)));
  return {{static_cast<std::int64_t>(extents)...}, values.data()};
}

inline device_array<std::int32_t, 1> labels(std::int64_t count, std::int64_t classes) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) * 7 % classes);
  return {{count}, values.data()};
}

inline int failures = 0;

/// `difference` is empty if all is well.
inline void check(const std::string& what, const std::string& difference) {
  if (difference.empty()) return;
  std::printf("%s: %s\n", what.c_str(), difference.c_str());
  ++failures;
}

/// Calls f(stream) where there is a GPU; gives the exit status of the program.
template <class F> int on_a_device(const F& f) try {
  if (!testing::has_device()) {
    std::puts("no GPU: nothing was run");
    return 0;
  }
  cudaStream_t stream = nullptr;
  on_cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  f(stream);
  on_cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  if (failures == 0) std::puts("all right");
  return failures != 0;
} catch (const std::exception& e) {
  std::puts(e.what());
  return 1;
}

}  // namespace primal::test
