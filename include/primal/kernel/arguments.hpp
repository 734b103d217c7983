// What a kernel is called with.
#pragma once

#include <primal/core/config.hpp>
#include <primal/core/list.hpp>

namespace primal {

/// How the blocks of a workspace are aligned: a cache line, and the widest register.
inline constexpr std::size_t workspace_alignment = 64;

constexpr std::size_t aligned_size(std::size_t bytes) {
  return (bytes + workspace_alignment - 1) / workspace_alignment * workspace_alignment;
}

/// The first index that a kernel found out of range.
struct index_fault {
  bool found = false;
  std::int64_t index = 0, extent = 0;  // of the axis

  /// Threads may come at once.
  [[gnu::cold, gnu::noinline]] void report(std::int64_t i, std::int64_t n) {
    if (__atomic_exchange_n(&found, true, __ATOMIC_RELAXED)) return;
    index = i;
    extent = n;
  }
};

/// The outer axes of a kernel and one array per access. Strides of outer axes are in bytes.
template <int Axes, int Accesses> struct kernel_arguments {
  static constexpr int axes = Axes;
  static constexpr int axis_room = Axes > 0 ? Axes : 1, access_room = Accesses > 0 ? Accesses : 1;

  void* base[access_room] = {};
  std::int64_t stride[access_room][axis_room] = {};
  std::int64_t inner_stride[access_room] = {};  // in elements
  std::int64_t element_size[access_room] = {};
  std::int64_t index_stride[access_room] = {};  // of gather and scatter: along the indexed axis
  std::int64_t index_extent[access_room] = {};
  std::int64_t extent[axis_room] = {};
  std::int64_t rows = 1, columns = 1;
  std::int64_t row_length = 0;            // > 0: a row is a piece of this length of one long axis
  const std::int64_t* extents = nullptr;  // for statements that ask for one
  void* buffers = nullptr;                // row buffers
  std::int64_t buffer_length = 0;         // of one, in lane elements
  bool* out_of_range = nullptr;           // on a device, or null: set when an index is out of range
  index_fault* fault = nullptr;           // on the host
};
/// What a kernel is called with.
template <class K> using arguments_of = kernel_arguments<K::shape::axes, K::shape::accesses>;

/// The same for any number of axes and arrays: of what a call says about its rows.
struct arguments_view {
  int axis_room = 1, access_room = 1;
  void* const* base = nullptr;
  const std::int64_t *stride = nullptr, *inner_stride = nullptr, *element_size = nullptr,
                     *extent = nullptr;
  std::int64_t columns = 1, row_length = 0, buffer_length = 0;
};
template <int Axes, int Accesses>
constexpr arguments_view view_of(const kernel_arguments<Axes, Accesses>& a) {
  return {a.axis_room,    a.access_room, a.base,    a.stride[0],  a.inner_stride,
          a.element_size, a.extent,      a.columns, a.row_length, a.buffer_length};
}

/// How many rows a kernel walks.
constexpr std::int64_t count_rows(const arguments_view& a) {
  if (a.row_length > 0) return (a.columns + a.row_length - 1) / a.row_length;
  std::int64_t n = 1;
  for (int x = 0; x < a.axis_room; ++x) n *= a.extent[x];
  return n;
}
template <int Axes, int Accesses>
constexpr std::int64_t count_rows(const kernel_arguments<Axes, Accesses>& a) {
  return count_rows(view_of(a));
}
/// How many columns a row has.
template <int Axes, int Accesses>
constexpr std::int64_t columns_of(const kernel_arguments<Axes, Accesses>& a) {
  return a.row_length > 0 && a.row_length < a.columns ? a.row_length : a.columns;
}

}  // namespace primal
