// bundling: which kernels walk their rows in bundles, and when.
#pragma once

#include <primal/cpu/bundle_team.hpp>
#include <primal/cpu/tiled_rows.hpp>

namespace primal::cpu {

/// Do rows of so many elements cost more one by one than turned into columns, and back? Those that fill registers have
/// no ends, and cost less unless they are summed up.
template <class K> inline constexpr bool gains_by_bundling = false;
template <class Shape, class C, class Once, class... P>
inline constexpr auto gains_by_bundling<kernel<Shape, C, Once, P...>> = [](std::int64_t columns) {
  constexpr bool reduces = (facts_about<P>::value.reductions + ... + 0) > 0;
  const bool in_registers = columns % simd_lanes<Shape::lane_bytes>::count == 0;
  const auto longest = reduces ? longest_short_row : longest_short_row / 2;
  return columns * Shape::lane_bytes <= longest && (reduces || !in_registers);
};

/// Known while the program compiles: all rows are,
template <class K>
inline constexpr bool always_bundled = K::shape::rows::bundled == bundling::always;
template <class Shape, class... P>
  requires(Shape::rows::bundled == bundling::of_short_rows && Shape::columns >= 0)
inline constexpr bool always_bundled<kernel<Shape, P...>> =
    gains_by_bundling<kernel<Shape, P...>>(Shape::columns);
/// or it depends on their length.
template <class K>
inline constexpr bool may_be_bundled = K::shape::rows::bundled == bundling::of_short_rows &&
                                       K::shape::columns < 0 && !runs_in_tiles<K>;

/// Are the rows of a call?
template <class K, class Arguments> constexpr bool runs_in_bundles(const Arguments& a) {
  if constexpr (!may_be_bundled<K>) return always_bundled<K>;
  else
    return a.row_length == 0 && gains_by_bundling<K>(a.columns) &&
           a.extent[Arguments::axis_room - 1] >= least_bundle;
}

}  // namespace primal::cpu
