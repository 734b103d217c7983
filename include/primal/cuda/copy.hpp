// copy: arrays of any strides on the device.
#pragma once

#include <primal/core/list.hpp>
#include <primal/cuda/error.hpp>
#include <primal/runtime/array_ref.hpp>

#include <algorithm>

namespace primal::on_cuda {

/// The axes of a copy. It is passed by value.
struct strided_copy {
  int rank = 0;
  std::int64_t count = 1;
  std::int64_t extents[max_rank] = {}, from[max_rank] = {}, to[max_rank] = {};
};

template <class Word>
__global__ void copy_elements(const Word* source, Word* target,
                              const __grid_constant__ strided_copy axes) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       i < axes.count; i += step) {
    std::int64_t rest = i, from = 0, to = 0;
    for (int x = axes.rank - 1; x >= 0; --x) {
      from += rest % axes.extents[x] * axes.from[x];
      to += rest % axes.extents[x] * axes.to[x];
      rest /= axes.extents[x];
    }
    target[to] = source[from];
  }
}

template <class Word>
void copy(const array_ref& from, const array_ref& to, const strided_copy& axes,
          cudaStream_t stream) {
  constexpr std::int64_t threads = 256;
  const auto blocks =
      static_cast<unsigned>(std::min<std::int64_t>((axes.count + threads - 1) / threads, 65535));
  copy_elements<<<blocks, threads, 0, stream>>>(static_cast<const Word*>(from.data),
                                                static_cast<Word*>(to.data), axes);
  check_launch("the launch of a copy");
}

inline void copy(const array_ref& from, const array_ref& to, int rank, int element_size,
                 cudaStream_t stream) {
  strided_copy axes;
  axes.rank = rank;
  bool dense = true;
  for (int x = rank - 1; x >= 0; --x) {
    axes.extents[x] = to.extents[x];
    axes.from[x] = from.strides[x];
    axes.to[x] = to.strides[x];
    dense = dense &&
            (to.extents[x] == 1 || (from.strides[x] == axes.count && to.strides[x] == axes.count));
    axes.count *= to.extents[x];
  }
  if (axes.count == 0) return;
  if (dense)
    return check(
        cudaMemcpyAsync(to.data, from.data, static_cast<std::size_t>(axes.count * element_size),
                        cudaMemcpyDeviceToDevice, stream),
        "cudaMemcpyAsync");
  switch (element_size) {
    case 1:  return copy<std::uint8_t>(from, to, axes, stream);
    case 2:  return copy<std::uint16_t>(from, to, axes, stream);
    case 4:  return copy<std::uint32_t>(from, to, axes, stream);
    default: return copy<std::uint64_t>(from, to, axes, stream);
  }
}

}  // namespace primal::on_cuda
