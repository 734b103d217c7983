// row_walk: how a block of a device walks its rows. What is chosen here by the length of the rows, and nowhere else:
// where a block holds what it needs of a row more than once, how many lanes share a row, and how many rows a block.
//
// Measured with kernels by hand on an H200, in fractions of the speed of a copy, for rows of 1,024 / 4,096 / 8,192
// floats. Forward (layer_norm): read again 0.98 / 0.86 / 0.97, held in shared memory 0.99 / 0.96 / 0.96, in registers
// 0.96 / 0.92 / 0.92. With gradients, where sums of columns take shared memory: read again 0.91 / 0.84 / 0.82, in
// registers 0.92 / 0.84 / 0.87.
#pragma once

#include <primal/kernel/held_rows.hpp>
#include <primal/kernel/scatters.hpp>

#include <algorithm>

namespace primal {

/// Where a row is between its sweeps.
enum class row_hold : std::uint8_t {
  again,      // in memory, from where it is read again
  shared,     // in shared memory
  registers,  // in registers of the lanes
};

/// How many lanes exchange their sums by shuffles, as a warp of CUDA threads does.
inline constexpr int warp_lanes = 32;
/// Pieces of a row that a lane holds in registers.
inline constexpr int register_pieces = 4;
/// 32-bit registers of a lane for this: with more, gradients spill.
inline constexpr int register_room = 48;

/// How many blocks keep a device busy, and what a block can hold.
struct block_limits {
  std::int64_t enough_blocks = 1024;
  std::int64_t least_columns = 4096;  // of a block that shares its rows with others
  // In bytes; with what reductions need every GPU from sm_80 on has as much, and most have room for two blocks.
  std::int64_t block_memory = 88 * 1024;
  int most_lanes = 512;  // then a thread has 128 registers
};

/// What matters of a kernel and its rows.
struct row_needs {
  std::int64_t columns = 0;
  int planned = 0;  // lane elements that the kernel keeps for each column
  int held = 0;     // the same if nothing is read twice
  int lane_bytes = 4;
  std::int64_t sums = 0;  // bytes of the sums of columns
  bool in_memory =
      false;  // no registers: elements are wider than a lane's, or other lanes read them
};

constexpr int lanes_for(std::int64_t columns, int width, const block_limits& limits) {
  const auto pieces = (columns + width - 1) / width;
  const auto lanes = (pieces + register_pieces - 1) / register_pieces;
  const auto whole = (lanes + warp_lanes - 1) / warp_lanes * warp_lanes;
  return static_cast<int>(std::clamp<std::int64_t>(whole, warp_lanes, limits.most_lanes));
}

/// Is there room for it?
constexpr bool can_hold(row_hold hold, const row_needs& row, int width,
                        const block_limits& limits) {
  if (hold == row_hold::registers)
    return row.held > 0 && !row.in_memory &&
           row.columns <= std::int64_t{limits.most_lanes} * width * register_pieces;
  if (hold == row_hold::shared)
    return row.held > row.planned &&
           row.held * row.columns * row.lane_bytes + row.sums <= limits.block_memory;
  return true;
}

constexpr row_hold hold_for(const row_needs& row, int width, const block_limits& limits) {
  const int words = row.held * register_pieces * width * row.lane_bytes / 4;
  if (row.sums > 0 && words <= register_room && can_hold(row_hold::registers, row, width, limits))
    return row_hold::registers;
  return can_hold(row_hold::shared, row, width, limits) ? row_hold::shared : row_hold::again;
}

/// Rows of a block that take one warp each.
constexpr int rows_of_block(int lanes, std::int64_t rows, std::int64_t bytes_of_row) {
  constexpr int most = 8;
  constexpr std::int64_t memory = 40 * 1024;  // so that several blocks fit
  int teams = 1;
  while (lanes == warp_lanes && teams < most && teams < rows && 2 * teams * bytes_of_row <= memory)
    teams *= 2;
  return teams;
}

/// What a kernel needs for rows of this length.
template <class K> constexpr row_needs needs_of(std::int64_t columns) {
  const auto& held = held_rows::of<K>::value;
  return {columns,
          K::shape::buffers,
          held.units,
          K::shape::lane_bytes,
          columns * held.sum_bytes,
          held.wide || !ordered_scatters<K>::value.in_row.empty()};
}

/// The kernel in the form in which such rows are walked.
template <class K, row_hold Hold>
using walked = std::conditional_t<Hold == row_hold::again, K, holding<K>>;

/// The row buffers of one lane.
template <class K, int Width, row_hold Hold, class Memory>
using row_buffers_of = std::conditional_t<
    Hold == row_hold::registers,
    buffers_in_registers<
        std::conditional_t<K::shape::lane_bytes == 8, std::uint64_t, std::uint32_t>,
        (K::shape::buffers > 0 ? K::shape::buffers : 1), Width, register_pieces>,
    buffers_in_memory<Memory, K::shape::lane_bytes>>;

}  // namespace primal
