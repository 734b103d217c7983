// bundling: which kernels walk their rows in bundles, and when.
#pragma once

#include <primal/cpu/bundle_team.hpp>
#include <primal/cpu/tiled_rows.hpp>

namespace primal::cpu {

/// Do rows of so many elements cost more one by one than turned into columns, and back? Those that fill registers, of
/// `lanes`, have no ends, and cost less unless they are summed up.
constexpr bool gains_by_bundling(std::int64_t columns, int lane_bytes, int lanes, bool reduces) {
  const auto longest = reduces ? longest_short_row : longest_short_row / 2;
  return columns * lane_bytes <= longest && (reduces || columns % lanes != 0);
}

/// When its rows are walked in bundles: never or always, where that is known while the program compiles.
template <class K> consteval bundling bundled_rows_of() {
  using shape = typename K::shape;
  if (shape::rows::bundled != bundling::of_short_rows) return shape::rows::bundled;
  if (shape::columns < 0) return runs_in_tiles<K> ? bundling::never : bundling::of_short_rows;
  const bool gains =
      gains_by_bundling(shape::columns, shape::lane_bytes, simd_lanes<shape::lane_bytes>::count,
                        facts_about<K>::value.reductions > 0);
  return gains ? bundling::always : bundling::never;
}

}  // namespace primal::cpu
