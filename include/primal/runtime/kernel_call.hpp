// kernel_call: what a kernel of a plan is called with.
#pragma once

#include <primal/kernel/arguments.hpp>
#include <primal/kernel/facts.hpp>
#include <primal/runtime/plan_extents.hpp>
#include <primal/runtime/plan_table.hpp>

namespace primal {

/// The arguments of a kernel, but for where its arrays lie. Kernels with as many axes and arrays share the type: what
/// is compiled for each kernel of a plan is the kernel alone.
template <class Plan, class Arguments> struct kernel_call {
  using numbers = plan_table<Plan>;
  using extents = plan_extents<Plan>;
  using table = typename numbers::kernel;

  Arguments a;
  std::int64_t sizes[Arguments::access_room] = {};    // elements of the array behind each access
  std::int64_t offsets[Arguments::access_room] = {};  // in bytes
  int buffers[Arguments::access_room] = {};

  /// `row_length`: of the pieces of one long axis.
  constexpr kernel_call(const table& own, const extents& e, std::int64_t row_length) {
    for (int x = 0; x < Arguments::axis_room; ++x)
      a.extent[x] = x < Arguments::axes ? e(own[plan_layout::kernel_extents + x]) : 1;
    a.columns = e(own[plan_layout::kernel_columns]);
    if (own.flat()) a.row_length = row_length;
    // Whole registers are put into it and read from it, from any element on.
    a.buffer_length = ((own.flat() ? row_length : a.columns) + 15 + 63) / 64 * 64;
    for (int k = 0; k < own.accesses(); ++k) {
      const std::int64_t size =
          size_of(static_cast<dtype>(own.access(k, plan_layout::access_type)));
      for (int x = 0; x < Arguments::axes; ++x)
        a.stride[k][x] = e(own.access(k, plan_layout::access_strides + x)) * size;
      a.inner_stride[k] = e(own.access(k, plan_layout::access_inner));
      a.index_stride[k] = e(own.access(k, plan_layout::access_index_stride));
      a.index_extent[k] = e(own.access(k, plan_layout::access_index_extent));
      a.element_size[k] = size;
      buffers[k] = static_cast<int>(own.access(k, plan_layout::access_buffer));
      sizes[k] = e(numbers::buffer(buffers[k], plan_layout::buffer_size));
      offsets[k] = e(own.access(k, plan_layout::access_offset)) * size;
    }
  }

  /// The arguments with the arrays at `base`, by buffer.
  Arguments located(const std::byte* const* base, const extents& e) const {
    Arguments out = a;
    for (int k = 0; k < Arguments::access_room; ++k)
      out.base[k] = const_cast<std::byte*>(base[buffers[k]]) + offsets[k];
    out.extents = e.values();
    return out;
  }
};

}  // namespace primal
