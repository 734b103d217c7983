// device: how runs on a GPU are timed, and what they are checked with.
#pragma once

#include "../contest.hpp"

#include <primal/cuda/testing.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace bench::on_cuda {

namespace pm = primal;
using pm::on_cuda::check;

inline cudaStream_t stream() {
  static const cudaStream_t own = [] {
    cudaStream_t s = nullptr;
    check(cudaStreamCreate(&s), "cudaStreamCreate");
    return s;
  }();
  return own;
}

inline pm::cuda options() { return {.stream = stream()}; }

/// Calls are started together for some milliseconds, and then waited for.
inline timing how() {
  return {5e-3, [] { check(cudaStreamSynchronize(stream()), "cudaStreamSynchronize"); }};
}

/// Copies half of `bytes` bytes, so that as many are read and written.
inline runner copying(double bytes) {
  const auto count = static_cast<std::int64_t>(bytes / 2);
  const auto from = std::make_shared<pm::device_array<std::uint8_t, 1>>(std::array{count}),
             to = std::make_shared<pm::device_array<std::uint8_t, 1>>(std::array{count});
  return [from, to] {
    check(
        cudaMemcpyAsync(to->data(), from->data(), from->size(), cudaMemcpyDeviceToDevice, stream()),
        "cudaMemcpyAsync");
  };
}

/// A contest on the device, in which nothing runs yet.
inline contest new_contest() {
  contest c;
  c.how = how();
  c.copy = copying;
  c.of_copy = true;
  return c;
}

/// What a run gives on small arrays, compared with the interpreter: empty if it is right.
struct check_of_work {
  std::string name;
  std::function<std::string()> differs;
};
inline std::vector<check_of_work>& checks() {
  static std::vector<check_of_work> all;
  return all;
}
inline bool add_check(const std::string& name, std::function<std::string()> differs) {
  checks().push_back({name, std::move(differs)});
  return true;
}

/// Waves, or labels below `classes`.
template <class T, std::size_t Rank>
pm::device_array<T, Rank> filled(const std::array<std::int64_t, Rank>& extents, double size = 1,
                                 double offset = 0, std::int64_t classes = 1) {
  std::size_t count = 1;
  for (const auto e : extents) count *= static_cast<std::size_t>(e);
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::is_floating_point_v<T>)
      values[i] = static_cast<T>(offset) +
                  static_cast<T>(size) * std::sin(T(0.37) * static_cast<T>(i % 100'003));
    else values[i] = static_cast<T>(static_cast<std::int64_t>(i) * 131 % classes);
  }
  return {extents, values.data()};
}

}  // namespace bench::on_cuda
