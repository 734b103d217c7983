// block_grid: how the rows and columns of a kernel are shared out to blocks, by shape alone.
#pragma once

#include <primal/kernel/accumulations.hpp>
#include <primal/kernel/row_walk.hpp>
#include <primal/kernel/scatters.hpp>

#include <algorithm>
#include <limits>

namespace primal {

/// Outer axes come first in the numbers of rows. `groups` are the runs of rows that add up in different
/// places; each is cut into `parts`; columns are cut as well if rows are few. Every part adds up in memory
/// of its own, and a second step adds the parts. Where rows scatter, `owners` blocks share out the places that they
/// add to: each looks at all rows, and walks those that are its own.
struct block_grid {
  std::int64_t rows_of_group = 0, groups = 0, parts = 0;
  std::int64_t column_blocks = 1, columns_of_block = std::numeric_limits<int>::max();
  std::int64_t owners = 1;

  std::int64_t blocks() const { return groups * parts * column_blocks * owners; }
};

/// The rows and columns of one block.
struct block_share {
  std::int64_t part, first_row, last_row;
  int first_column, last_column;
  std::int64_t owner, owners;

  PRIMAL_INLINE block_share(const block_grid& g, std::int64_t block) : owners(g.owners) {
    owner = block % owners;
    block /= owners;
    const auto column_block = block % g.column_blocks;
    const auto cut = block / g.column_blocks;
    part = cut % g.parts;
    const auto group = cut / g.parts;
    first_row = group * g.rows_of_group + g.rows_of_group * part / g.parts;
    last_row = group * g.rows_of_group + g.rows_of_group * (part + 1) / g.parts;
    first_column = static_cast<int>(column_block * g.columns_of_block);
    last_column = first_column + static_cast<int>(g.columns_of_block);
  }
};

/// Where an accumulation goes.
struct block_sum {
  std::int64_t span = 0;       // elements from the first to behind the last
  std::int64_t part_step = 0;  // elements from one part to the next
  std::int64_t parts_at = 0;   // offset into the scratch memory
  std::int64_t memory_at = 0;  // offset into the block's own memory
  bool in_block = false;    // its elements are the same for all rows of a block, which holds them
  bool fill_first = false;  // not every element of a part is written
};

namespace grid {

template <class S>
inline constexpr int extent_room = S::fields.what == action::extent ? S::fields.a.index + 1 : 0;
template <bool Sweep, class... S> constexpr int extents_in(phase<Sweep, S...>) {
  return std::max({1, extent_room<S>...});
}
/// How many extents the statements of a kernel may ask for.
template <class Shape, class C, class... P> constexpr int extents_in(kernel<Shape, C, P...>) {
  return std::max({extents_in(P{})...});
}

}  // namespace grid

/// Everything that a block must know. It is passed by value.
template <class K> struct block_call {
  using arguments = arguments_of<K>;
  using accumulations = accumulations_of<K>;
  static constexpr int sum_room = accumulations::count > 0 ? accumulations::count : 1;

  static constexpr int extent_room = grid::extents_in(K{});

  arguments a;
  std::int64_t extents[extent_room] = {};
  block_grid grid;
  block_sum sums[sum_room];
  std::byte* scratch = nullptr;
  std::int64_t buffer_bytes = 0;  // of a block
  bool buffers_in_block = false;  // or one after another in the scratch memory
  std::int64_t block_bytes = 0;   // memory of a block
  std::int64_t scratch_bytes = 0;
  std::int64_t row_parts_at = 0;  // offset into the scratch memory, where blocks share rows
  int sweep = 0;                  // then: of this launch

  /// Cuts the rows for these arguments. The base pointers may still be missing.
  block_call(const arguments& given, const block_limits& limits, row_walk walk = row_walk::again)
      : a(given) {
    for (int i = 0; i < extent_room; ++i) extents[i] = a.extents[i];
    a.extents = nullptr;
    const auto rows = count_rows(a);
    if (rows == 0) return;
    if (walk != row_walk::registers)
      buffer_bytes = round_up(K::shape::buffers * a.buffer_length * K::shape::lane_bytes);
    accumulations::for_each([&]<class A>(auto j, A) { sums[j].span = span_of<A>(); });
    buffers_in_block = walk != row_walk::by_sweeps && buffer_bytes <= limits.block_memory;
    grid.groups = 1;
    for (int x = group_axes() - 1; x >= 0; --x) grid.groups *= a.extent[x];
    grid.rows_of_group = rows / grid.groups;
    if (walk == row_walk::by_sweeps) {
      cut_columns(blocks_of_row(needs_of<K>(a.columns, rows), limits));
      grid.parts = accumulations::count > 0 ? 1 : grid.rows_of_group;
      row_parts_at = rows * buffer_bytes;
      scratch_bytes = row_parts_at + round_up(rows * words_of_row() * 8);
    } else {
      cut(rows, limits);
      if (!buffers_in_block) scratch_bytes = grid.blocks() * buffer_bytes;
    }
    if (buffers_in_block) block_bytes = buffer_bytes;
    place(limits);
  }

  /// The launches that this takes.
  static constexpr int launches = long_rows::of<K>::launches;
  std::int64_t words_of_row() const {
    return grid.column_blocks * long_rows::of<K>::sweeps * long_rows::of<K>::reductions;
  }
  /// Where a block leaves its parts of the reductions of rows.
  PRIMAL_INLINE parts_of_row row_parts(const block_share& own) const {
    constexpr int of_block = long_rows::of<K>::sweeps * long_rows::of<K>::reductions;
    return {reinterpret_cast<unsigned long long*>(scratch + row_parts_at),
            grid.column_blocks * of_block,
            static_cast<int>(own.first_column / grid.columns_of_block),
            static_cast<int>(grid.column_blocks)};
  }

  /// f(place, accumulation) for each accumulation.
  template <class F> void for_each_sum(const F& f) const {
    accumulations::for_each([&](auto j, auto accumulation) { f(sums[j], accumulation); });
  }

 private:
  static constexpr int reductions = facts_of(K{}).reductions;
  using scatters = ordered_scatters<K>;
  bool rows_meet() const { return scatters::rows_meet(a); }
  static constexpr std::int64_t round_up(std::int64_t n) { return (n + 63) / 64 * 64; }
  static constexpr std::int64_t ceil_divide(std::int64_t n, std::int64_t d) {
    return (n + d - 1) / d;
  }
  /// The first axes along which all accumulations, and all that is scattered to, move on.
  int group_axes() const {
    int axes = 0;
    bool moves = (accumulations::count > 0 || rows_meet()) && a.row_length == 0;
    while (moves && axes < K::shape::axes) {
      moves = !scatters::meet_along(a, axes);
      accumulations::for_each([&]<class A>(auto, A) {
        moves = moves && (a.stride[A::access][axes] != 0 || a.extent[axes] == 1);
      });
      axes += moves;
    }
    return axes;
  }

  void cut_columns(std::int64_t blocks) {
    if (blocks <= 1) return;
    grid.columns_of_block = round_up(ceil_divide(a.columns, blocks));
    grid.column_blocks = ceil_divide(a.columns, grid.columns_of_block);
  }
  void cut(std::int64_t rows, const block_limits& limits) {
    const auto least = rows_meet() ? std::min<std::int64_t>(limits.least_columns, 4 * warp_lanes)
                                   : limits.least_columns;
    if (reductions == 0 && a.row_length == 0 && a.columns > least && !scatters::columns_meet(a)) {
      const auto independent = accumulations::count > 0 || rows_meet() ? grid.groups : rows;
      cut_columns(std::min(a.columns / least, ceil_divide(limits.enough_blocks, independent)));
    }
    const auto useful =
        std::max<std::int64_t>(1, limits.enough_blocks / (grid.groups * grid.column_blocks));
    grid.parts = std::min(grid.rows_of_group,
                          buffers_in_block ? std::int64_t{1} << 30 : limits.enough_blocks);
    if (accumulations::count > 0) {
      std::int64_t elements = 0;
      for_each_sum([&]<class A>(const block_sum& place, A) { elements += place.span; });
      grid.parts = parts_of_rows(grid.parts, rows * columns_of(a), elements,
                                 grid.groups * grid.column_blocks, limits);
    }
    if (!rows_meet()) return;
    grid.parts = 1;
    if constexpr (scatters::alone) {
      constexpr std::int64_t rows_of_owner = 4;  // of more that it looks at
      const auto places = a.index_extent[scatters::value.accesses[0]];
      grid.owners =
          std::clamp<std::int64_t>(std::min(grid.rows_of_group / rows_of_owner, places), 1, useful);
    }
  }
  template <class A> std::int64_t span_of() const {
    std::int64_t bytes = 0;
    for (int x = 0; x < K::shape::axes; ++x) bytes += (a.extent[x] - 1) * a.stride[A::access][x];
    const auto last_column = A::whole_row && a.columns > 0 ? a.columns - 1 : 0;
    return bytes / a.element_size[A::access] + last_column + 1;
  }

  void place(const block_limits& limits) {
    accumulations::for_each([&]<class A>(auto j, A) {
      auto& place = sums[j];
      place.in_block = !(A::whole_row && a.row_length > 0);
      for (int x = group_axes(); x < K::shape::axes; ++x)
        place.in_block = place.in_block && (a.stride[A::access][x] == 0 || a.extent[x] == 1);
      const auto held = A::whole_row ? std::min(a.columns, grid.columns_of_block) : 1;
      const auto bytes = round_up(held * a.element_size[A::access]);
      place.in_block = place.in_block && block_bytes + bytes <= limits.block_memory;
      if (place.in_block) {
        place.memory_at = block_bytes;
        block_bytes += bytes;
      }
      if (grid.parts == 1) return;
      place.fill_first = !place.in_block || grid.groups > 1;
      place.parts_at = scratch_bytes;
      const auto bytes_of_part = round_up(place.span * a.element_size[A::access]);
      place.part_step = bytes_of_part / a.element_size[A::access];
      scratch_bytes += grid.parts * bytes_of_part;
    });
  }
};

}  // namespace primal
