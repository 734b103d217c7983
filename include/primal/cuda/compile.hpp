// compile: models on a CUDA device: `pm::compile(f, pm::cuda{.stream = s}).into(Y)(X)`.
#pragma once

#include <primal/cuda/copy.hpp>
#include <primal/cuda/device_array.hpp>
#include <primal/cuda/launch.hpp>
#include <primal/cuda/matmul.hpp>
#include <primal/cuda/workspace.hpp>
#include <primal/kernel/element_bits.hpp>
#include <primal/runtime/compile.hpp>
#include <primal/runtime/view.hpp>

namespace primal {

/// How a compiled model runs on the current CUDA device: on this stream, without waiting for it.
struct cuda {
  cudaStream_t stream = nullptr;
  /// In device memory: set if an index is out of range (it counts as 0 then).
  bool* out_of_range = nullptr;
  /// Products of float32 matrices may round their factors to 11 bits.
  bool tf32 = false;
};

namespace on_cuda {

template <class Leaf> struct is_device_array : std::false_type {};
template <class T, class... E> struct is_device_array<array_view<T, E...>> : std::true_type {};
template <class T, std::size_t Rank>
struct is_device_array<device_array<T, Rank>> : std::true_type {};
template <class A, auto... Extents>
struct is_device_array<declared_array<A, Extents...>> : is_device_array<std::remove_const_t<A>> {};

}  // namespace on_cuda

class cuda_backend {
 public:
  using workspace = cuda_workspace;
  static constexpr std::int64_t row_length = 4096;
  static constexpr bool rows_have_one_thread = false;
  static constexpr bool returns_arrays = false;
  static constexpr bool compiles = true;
  static constexpr bool multiplies_fixed = false;
  static constexpr bool has_epilogues = true;
  static constexpr bool finds_index_errors = false;  // the host waits for nothing
  template <class... Arrays>
  static constexpr bool takes =
      (0 + ... + count_leaves<on_cuda::is_device_array, Arrays>) == (0 + ... + leaf_count<Arrays>);

  explicit cuda_backend(const cuda& o) : options_(o), device_(on_cuda::current_device()) {}

  workspace new_workspace() const { return cuda_workspace(options_.stream); }
  template <class Arguments> void watch_indices(Arguments& a) const {
    a.out_of_range = options_.out_of_range;
  }

  template <class K, class Arguments>
  static std::size_t kernel_scratch(const Arguments& a, bool,
                                    const std::int64_t (&)[Arguments::access_room]) {
    return static_cast<std::size_t>(on_cuda::scratch_bytes<K>(a));
  }
  template <class K, class Arguments>
  void run_kernel(const Arguments& a, bool, const std::int64_t (&)[Arguments::access_room],
                  std::byte* scratch) const {
    on_cuda::launch<K>(a, scratch, options_.stream);
  }

  template <class T> static std::size_t product_scratch(std::int64_t, std::int64_t, std::int64_t) {
    return 0;
  }
  template <class T> void run_products(const product_batch<T>& products, std::byte*) const {
    on_cuda::multiply(products, options_.tf32, device_, options_.stream);
  }

  void fill(void* to, dtype d, std::int64_t bits, std::int64_t count) const {
    const auto pattern = element_bits(d, bits);
    switch (size_of(d)) {
      case 1:
        return on_cuda::fill(static_cast<std::uint8_t*>(to), static_cast<std::uint8_t>(pattern),
                             count, options_.stream);
      case 2:
        return on_cuda::fill(static_cast<std::uint16_t*>(to), static_cast<std::uint16_t>(pattern),
                             count, options_.stream);
      case 4:
        return on_cuda::fill(static_cast<std::uint32_t*>(to), static_cast<std::uint32_t>(pattern),
                             count, options_.stream);
      default:
        return on_cuda::fill(static_cast<std::uint64_t*>(to), pattern, count, options_.stream);
    }
  }
  void copy(const array_ref& from, const array_ref& to, int rank, int element_size) const {
    on_cuda::copy(from, to, rank, element_size, options_.stream);
  }

 private:
  cuda options_;
  int device_;
};

template <> struct backend_of<cuda> {
  using type = cuda_backend;
};

}  // namespace primal
