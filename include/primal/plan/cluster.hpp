// cluster: statements that share one iteration space and become one kernel.
#pragma once

#include <primal/plan/plan.hpp>

#include <bit>

namespace primal {

/// For each axis of a value the axis of the iteration space that it runs along, or one of these.
using axis_map = list<std::int8_t, max_rank>;
using axis_map_wide = list<std::int8_t, 16>;   // of all axes of a cluster
inline constexpr std::int8_t fixed_axis = -1;  // the value does not vary along it
inline constexpr std::int8_t open_axis = -2;   // not decided yet

/// A value inside a cluster.
struct node {
  enum kind_t : std::uint8_t { load, gather, source, calculate, reduce } kind = calculate;
  const op_info* op = nullptr;
  int value = -1;  // of the program
  tensor_type type;
  int in[3] = {-1, -1, -1};  // nodes
  axis_map map;
  int cluster = -1;
  int sibling = -1;                                 // the node of the same value made before
  location from;                                    // of load and gather
  std::int64_t index_stride = 0, index_extent = 0;  // of gather
  combiner how = combiner::sum;                     // of reduce
  unsigned reduced = 0;                             // axes of the iteration space
  bool fed_back = false;  // of reduce: used by a later sweep over the same row

  /// The axes of the iteration space that the value varies along.
  constexpr unsigned axes() const {
    unsigned mask = 0;
    for (auto a : map)
      if (a >= 0) mask |= 1u << a;
    return mask;
  }
};

/// A node whose value must be written to memory.
struct store_request {
  int node = -1;
  location to;            // strides of the node's own axes
  bool scatters = false;  // adds to the place that the node `index` says
  int index = -1;
  std::int64_t index_stride = 0, index_extent = 0;
};

struct cluster {
  int level = 0;                   // kernels of one level do not depend on each other
  list<std::int64_t, 16> extents;  // of the iteration space, the outermost axis first
  sequence<int> nodes;
  sequence<store_request> stores;
  unsigned inner =
      0;  // the axes of a row, once a reduction along the row is used in the same kernel
  bool dead = false;  // merged into another

  constexpr bool reduces() const { return inner != 0; }
};

/// May rows run along an axis that is not the last one? Each of their elements lies in another line of memory, so that
/// they must not be too long: in the middle they hardly are.
constexpr bool can_cross(const cluster& c, unsigned mask) {
  constexpr std::int64_t most_columns = 512, least_neighbours = 8;
  if (!std::has_single_bit(mask)) return false;
  const int axis = std::countr_zero(mask), last = c.extents.size() - 1;
  if (axis >= last) return false;
  if (is_number(c.extents[last]) && c.extents[last] < least_neighbours) return false;
  const auto n = c.extents[axis];
  return is_number(n) ? n <= most_columns : axis > 0;
}

}  // namespace primal
