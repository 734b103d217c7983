// cpu_backend: runs the steps of a plan on the cores of this machine.
#pragma once

#include <primal/core/error.hpp>
#include <primal/cpu/launch.hpp>
#include <primal/cpu/matmul.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/options.hpp>
#include <primal/runtime/product_batch.hpp>
#include <primal/runtime/workspace.hpp>

#include <cstring>

namespace primal {

class cpu_backend {
 public:
  using workspace = primal::workspace;
  static constexpr std::int64_t row_length = 4096;    // of the pieces of one long axis
  static constexpr bool rows_have_one_thread = true;  // so that they may replace what they read
  static constexpr bool returns_arrays = true;
  static constexpr bool finds_index_errors = true;
  template <class... Arrays> static constexpr bool takes = true;

  explicit cpu_backend(const options&) {}

  workspace new_workspace() const { return {}; }
  template <class Arguments> void watch_indices(Arguments& a) { a.fault = &fault_; }
  const index_fault& fault() const { return fault_; }

  template <class K, class Arguments>
  static std::size_t kernel_scratch(const Arguments& a, bool,
                                    const std::int64_t (&sizes)[Arguments::access_room]) {
    return cpu::scratch_bytes<K>(a, sizes);
  }
  template <class K, class Arguments>
  void run_kernel(const Arguments& a, bool serial,
                  const std::int64_t (&sizes)[Arguments::access_room], std::byte* scratch) {
    cpu::launch<K>(a, serial, sizes, scratch);
  }

  template <class T>
  static std::size_t product_scratch(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
    return cpu::multiply_scratch_bytes<T>(rows, columns, inner);
  }
  template <class T> void run_products(const product_batch<T>& products, std::byte* scratch) {
    for (std::int64_t i = 0; i < products.count; ++i) cpu::multiply(products[i], scratch);
  }

  void fill(void* to, dtype d, std::int64_t bits, std::int64_t count) {
    cpu::fill_elements(to, d, bits, count);
  }

  void copy(const array_ref& from, const array_ref& to, int rank, int element_size) {
    const auto* source = static_cast<const std::byte*>(from.data);
    auto* target = static_cast<std::byte*>(to.data);
    for_each_offset(to.extents, from.strides, to.strides, rank,
                    [&](std::int64_t a, std::int64_t b) {
                      std::memcpy(target + b * element_size, source + a * element_size,
                                  static_cast<std::size_t>(element_size));
                    });
  }

 private:
  index_fault fault_;
};

template <> struct backend_of<options> {
  using type = cpu_backend;
};

}  // namespace primal
