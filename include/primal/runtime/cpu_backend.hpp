// cpu_backend: runs the steps of a plan on the cores of this machine.
#pragma once

#include <primal/core/error.hpp>
#include <primal/cpu/launch.hpp>
#include <primal/cpu/matmul.hpp>
#include <primal/cpu/strided_copy.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/options.hpp>
#include <primal/runtime/product_batch.hpp>
#include <primal/runtime/workspace.hpp>

#include <algorithm>

namespace primal {

class cpu_backend {
 public:
  using workspace = primal::workspace;
  static constexpr std::int64_t row_length = 4096;    // of the pieces of one long axis
  static constexpr bool rows_have_one_thread = true;  // so that they may replace what they read
  static constexpr bool returns_arrays = true;
#if defined(__NVCC__)
  static constexpr bool compiles = false;  // nvcc takes every function of registers for device code
#else
  static constexpr bool compiles = true;
#endif
  static constexpr bool finds_index_errors = true;
  static constexpr bool multiplies_fixed = true;  // by multiply_fixed, without run_products
  static constexpr bool has_epilogues = false;
  template <class... Arrays> static constexpr bool takes = true;

  explicit cpu_backend(const options& o) : threads_(cpu::has_threads ? o.threads : 1) {}

  workspace new_workspace() const { return {}; }
  template <class Arguments> void watch_indices(Arguments& a) { a.fault = &fault_; }
  const index_fault& fault() const { return fault_; }

  template <class K, class Arguments>
  std::size_t kernel_scratch(const Arguments& a, bool serial,
                             const std::int64_t (&sizes)[Arguments::access_room]) const {
    constexpr auto& loops = cpu::loops_of<K>;
    if constexpr (loops.buffers == 0 && loops.bundle_buffers == 0 && loops.sums.empty()) return 0;
    else return cpu::scratch_bytes(loops, view_of(a), serial, sizes, threads_);
  }
  template <class K, class Arguments>
  void run_kernel(Arguments& a, bool serial, const std::int64_t (&sizes)[Arguments::access_room],
                  std::byte* scratch) const {
    cpu::launch<K>(a, serial, sizes, scratch, threads_);
  }

  // Kernels that are known to be small.
  template <class K, class Arguments>
  static constexpr bool is_small(const Arguments& a, bool serial) {
    return cpu::is_small(cpu::loops_of<K>, view_of(a), serial);
  }
  template <class K, class Arguments>
  static constexpr std::size_t small_scratch(const Arguments& a) {
    return cpu::loops_of<K>.buffer_bytes(view_of(a));
  }
  template <class K, class Arguments> static void run_small(const Arguments& a) {
    cpu::run_block<K>(a, 0, count_rows(a));
  }

  template <class T>
  std::size_t product_scratch(std::int64_t rows, std::int64_t columns, std::int64_t inner) const {
    const auto bytes = aligned_size(cpu::multiply_scratch_bytes<T>(rows, columns, inner));
    return bytes * static_cast<std::size_t>(std::max(threads_, 1));
  }
  template <class T> void run_products(const product_batch<T>& products, std::byte* scratch) const {
    const auto& p = products.first;
    const auto bytes = aligned_size(cpu::multiply_scratch_bytes<T>(p.rows, p.columns, p.inner));
    const double time = 0.05 * static_cast<double>(products.count * p.rows * p.columns * p.inner);
    const int threads = threads_ > 1 ? cpu::threads_for(time, threads_) : 1;
    const auto scratch_of = [&](int t) { return scratch + static_cast<std::size_t>(t) * bytes; };
    if (products.count >= threads) {
      cpu::on_threads(threads, [&](int t, int n) {
        const auto last = cpu::share_begin(products.count, t + 1, n);
        for (auto i = cpu::share_begin(products.count, t, n); i < last; ++i)
          cpu::multiply(products[i], scratch_of(t));
      });
    } else {
      for (std::int64_t i = 0; i < products.count; ++i)
        cpu::on_threads(
            threads, [&](int t, int n) { cpu::multiply_share(products[i], t, n, scratch_of(t)); });
    }
  }

  static void fill(void* to, dtype d, std::int64_t bits, std::int64_t count) {
    cpu::fill_elements(to, d, bits, count);
  }

  void copy(const array_ref& from, const array_ref& to, int rank, int element_size) {
    if (element_count(to.extents, rank) == 0) return;
    cpu::strided_copy(to.extents, from.strides, to.strides, rank)
        .run(from.data, to.data, element_size);
  }

 private:
  index_fault fault_;
  int threads_;
};

template <> struct backend_of<options> {
  using type = cpu_backend;
};

}  // namespace primal
