// kernel_call: what a kernel of a plan is called with.
#pragma once

#include <primal/kernel/arguments.hpp>
#include <primal/runtime/plan_extents.hpp>
#include <primal/runtime/plan_table.hpp>

namespace primal {

/// The arguments of kernel K, but for where its arrays lie. `RowLength`: of the pieces of one long axis.
template <class Plan, int K, std::int64_t RowLength> struct kernel_call {
  using numbers = plan_table<Plan>;
  using extents = plan_extents<Plan>;
  using kernel = typename Plan::template kernel_type<K>;
  using type = typename kernel::type;
  using shape = typename kernel::shape;
  using arguments = kernel_arguments<shape::axes, shape::accesses>;
  static constexpr typename numbers::kernel own{K};
  static constexpr bool flat = own[plan_layout::kernel_flat] != 0,
                        serial = own[plan_layout::kernel_serial] != 0;

  arguments a;
  std::int64_t sizes[arguments::access_room] = {};    // elements of the array behind each access
  std::int64_t offsets[arguments::access_room] = {};  // in bytes

  constexpr explicit kernel_call(const extents& e) {
    for (int x = 0; x < arguments::axis_room; ++x)
      a.extent[x] = x < shape::axes ? e(own[plan_layout::kernel_extents + x]) : 1;
    a.columns = e(own[plan_layout::kernel_columns]);
    if constexpr (flat) a.row_length = RowLength;
    a.buffer_length = ((flat ? a.row_length : a.columns) + 63) / 64 * 64;
    for (int k = 0; k < shape::accesses; ++k) {
      const std::int64_t size =
          size_of(static_cast<dtype>(own.access(k, plan_layout::access_type)));
      for (int x = 0; x < shape::axes; ++x)
        a.stride[k][x] = e(own.access(k, plan_layout::access_strides + x)) * size;
      a.inner_stride[k] = e(own.access(k, plan_layout::access_inner));
      a.index_stride[k] = e(own.access(k, plan_layout::access_index_stride));
      a.index_extent[k] = e(own.access(k, plan_layout::access_index_extent));
      a.element_size[k] = size;
      sizes[k] = e(numbers::buffer(static_cast<int>(own.access(k, plan_layout::access_buffer)),
                                   plan_layout::buffer_size));
      offsets[k] = e(own.access(k, plan_layout::access_offset)) * size;
    }
  }

  /// The arguments with the arrays at `base`, by buffer.
  arguments located(const std::byte* const* base, const extents& e) const {
    arguments out = a;
    locate(out, base, std::make_integer_sequence<int, shape::accesses>{});
    out.extents = e.values();
    return out;
  }

 private:
  template <int... I>
  void locate(arguments& out, const std::byte* const* base,
              std::integer_sequence<int, I...>) const {
    ((out.base[I] =
          const_cast<std::byte*>(base[own.access(I, plan_layout::access_buffer)]) + offsets[I]),
     ...);
  }
};

}  // namespace primal
