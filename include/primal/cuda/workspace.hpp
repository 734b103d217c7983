// workspace: device memory of calls that is neither input nor output.
#pragma once

#include <primal/cuda/error.hpp>

#include <cstddef>
#include <utility>

namespace primal {

namespace on_cuda {

inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

/// Makes another device the current one for a while.
class device_scope {
 public:
  explicit device_scope(int device) {
    if (cudaGetDevice(&before_) != cudaSuccess || before_ == device) before_ = -1;
    else cudaSetDevice(device);
  }
  device_scope(const device_scope&) = delete;
  ~device_scope() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  int before_ = -1;
};

}  // namespace on_cuda

/// Device memory that calls share, one at a time. It is allocated and freed in the order of its stream, and anew
/// where the current device is another one.
class cuda_workspace {
 public:
  explicit cuda_workspace(cudaStream_t stream = nullptr) : stream_(stream) {}
  cuda_workspace(cuda_workspace&& other) noexcept
      : stream_(other.stream_),
        block_(std::exchange(other.block_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        device_(other.device_) {}
  cuda_workspace& operator=(cuda_workspace&& other) noexcept {
    std::swap(stream_, other.stream_);
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(device_, other.device_);
    return *this;
  }
  ~cuda_workspace() { release(); }

  std::size_t size() const { return size_; }
  /// At least `bytes` bytes; what was there before is lost if it grows.
  std::byte* reserve(std::size_t bytes) {
    const int device = on_cuda::current_device();
    if (bytes <= size_ && (device == device_ || bytes == 0)) return block_;
    on_cuda::check(release(), "cudaFreeAsync");
    void* block = nullptr;
    on_cuda::check(cudaMallocAsync(&block, bytes, stream_), "cudaMallocAsync");
    block_ = static_cast<std::byte*>(block);
    size_ = bytes;
    device_ = device;
    return block_;
  }

 private:
  cudaStream_t stream_;
  std::byte* block_ = nullptr;
  std::size_t size_ = 0;
  int device_ = 0;

  cudaError_t release() noexcept {
    if (!block_) return cudaSuccess;
    const on_cuda::device_scope own(device_);  // the default stream is that of the current device
    size_ = 0;
    return cudaFreeAsync(std::exchange(block_, nullptr), stream_);
  }
};

}  // namespace primal
