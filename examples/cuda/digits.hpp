// The training of `digits` on a GPU, for digits.cpp: nvcc compiles what is behind, the host's compiler what is before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// The numbers of one array of parameters, on the host.
struct host_numbers {
  float* data;
  std::size_t size;
};

/// Parameters are given as the leaves of their struct, in order.
class device_training {
 public:
  explicit device_training(const std::vector<host_numbers>& parameters);
  ~device_training();

  /// One step on a batch; returns its loss.
  float step(const float* images, const std::int32_t* labels);
  void read(const std::vector<host_numbers>& parameters) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};
