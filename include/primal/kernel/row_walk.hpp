// row_walk: how the blocks of a device walk rows. What is chosen here by the length of the rows, and nowhere else:
// where a block holds what it needs of a row more than once, how many lanes share a row, how many rows a block, and
// how many blocks a row.
//
// Measured with kernels by hand on an H200, in fractions of the speed of a copy, for rows of 1,024 / 4,096 / 8,192
// floats. Forward (layer_norm): read again 0.98 / 0.86 / 0.97, held in shared memory 0.99 / 0.96 / 0.96, in registers
// 0.96 / 0.92 / 0.92. With gradients, where sums of columns take shared memory: read again 0.91 / 0.84 / 0.82, in
// registers 0.92 / 0.84 / 0.87. The kernels that are chosen here have not run on a GPU yet.
#pragma once

#include <primal/kernel/held_rows.hpp>
#include <primal/kernel/long_rows.hpp>
#include <primal/kernel/scatters.hpp>

#include <algorithm>
#include <limits>

namespace primal {

/// Where a row is between its sweeps, and whose.
enum class row_walk : std::uint8_t {
  again,      // in memory, from where it is read again
  shared,     // in shared memory
  registers,  // in registers of the lanes
  by_sweeps,  // in memory, for several blocks: each sweep is a launch of its own (long_rows.hpp)
};

/// How many lanes exchange their sums by shuffles, as a warp of CUDA threads does.
inline constexpr int warp_lanes = 32;
/// Pieces of a row that a lane holds in registers.
inline constexpr int register_pieces = 4;
/// 32-bit registers of a lane for this, of 128. (With 48 the gradient of layer_norm(gelu(x + b)) takes 125.)
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
  std::int64_t sums = 0;   // bytes of the sums of columns
  bool in_memory = false;  // no registers: elements are wider, or other lanes read them
  bool splits = false;     // blocks may share a row, by sweeps
  std::int64_t rows = many;

  static constexpr auto many = std::numeric_limits<std::int64_t>::max();
};

/// Blocks that share a row: as many as keep the device busy, each with enough to do. (All blocks of a sweep combine the
/// parts of all blocks of the earlier ones.)
constexpr std::int64_t blocks_of_row(const row_needs& row, const block_limits& limits) {
  constexpr std::int64_t most = 128;
  return std::clamp<std::int64_t>(
      std::min(row.columns / limits.least_columns,
               limits.enough_blocks / std::max<std::int64_t>(row.rows, 1)),
      1, most);
}

constexpr int lanes_for(std::int64_t columns, int width, const block_limits& limits) {
  const auto pieces = (columns + width - 1) / width;
  const auto lanes = (pieces + register_pieces - 1) / register_pieces;
  const auto whole = (lanes + warp_lanes - 1) / warp_lanes * warp_lanes;
  return static_cast<int>(std::clamp<std::int64_t>(whole, warp_lanes, limits.most_lanes));
}

/// Parts into which `rows` are cut that add up in the same `sums`, each with memory of its own; `others` blocks run
/// beside each. Writing and adding parts costs time, at most that of half an array and, where a quarter of what keeps
/// the device busy is enough, an eighth. (On an H200 2 blocks a multiprocessor were best for rows of 4,096 and 8,192,
/// 8 for rows of 1,024.)
constexpr std::int64_t parts_of_rows(std::int64_t rows, std::int64_t elements, std::int64_t sums,
                                     std::int64_t others, const block_limits& limits) {
  const auto useful = limits.enough_blocks / others;
  const auto cheap = std::max(useful / 4, elements / (16 * sums));
  return std::max<std::int64_t>(1, std::min({rows, useful, cheap, elements / (4 * sums)}));
}

/// Is there room for it?
constexpr bool can_walk(row_walk walk, const row_needs& row, int width,
                        const block_limits& limits) {
  if (walk == row_walk::registers)
    return row.held > 0 && !row.in_memory &&
           row.columns <= std::int64_t{limits.most_lanes} * width * register_pieces;
  if (walk == row_walk::shared)
    return row.held > row.planned &&
           row.held * row.columns * row.lane_bytes + row.sums <= limits.block_memory;
  if (walk == row_walk::by_sweeps) return row.splits && blocks_of_row(row, limits) > 1;
  return true;
}

constexpr row_walk walk_for(const row_needs& row, int width, const block_limits& limits) {
  constexpr int few = 4;  // rows leave most of the device idle, and launches are worth their time
  if (can_walk(row_walk::by_sweeps, row, width, limits) && row.rows <= limits.enough_blocks / few &&
      row.columns >= few * limits.least_columns)
    return row_walk::by_sweeps;
  const int words = row.held * register_pieces * width * row.lane_bytes / 4;
  if (row.sums > 0 && words <= register_room && can_walk(row_walk::registers, row, width, limits))
    return row_walk::registers;
  return can_walk(row_walk::shared, row, width, limits) ? row_walk::shared : row_walk::again;
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

/// What a kernel needs for so many rows of this length.
template <class K>
constexpr row_needs needs_of(std::int64_t columns, std::int64_t rows = row_needs::many) {
  const auto& held = held_rows::of<K>::value;
  const auto& scatters = ordered_scatters<K>::value;
  return {columns, K::shape::buffers, held.units, K::shape::lane_bytes, columns * held.sum_bytes,
          held.wide || !scatters.in_row.empty(),
          // One sweep over one axis is cut into rows anyway.
          long_rows::of<K>::reductions > 0 && scatters.accesses.empty() &&
              (K::shape::axes > 0 || long_rows::of<K>::sweeps > 1),
          rows};
}
template <class K, class Arguments> row_needs needs_for(const Arguments& a) {
  return needs_of<K>(columns_of(a), a.row_length > 0 ? row_needs::many : count_rows(a));
}

/// The kernel in the form in which such rows are walked.
template <class K, row_walk Walk>
using walked =
    std::conditional_t<Walk == row_walk::shared || Walk == row_walk::registers, holding<K>, K>;

/// What a team knows about whose rows it walks.
template <class K, row_walk Walk>
using row_share = std::conditional_t<Walk == row_walk::by_sweeps,
                                     row_sharer<long_rows::of<K>::reductions>, row_owner>;

/// The row buffers of one lane.
template <class K, int Width, row_walk Walk, class Memory>
using row_buffers_of = std::conditional_t<
    Walk == row_walk::registers,
    buffers_in_registers<
        std::conditional_t<K::shape::lane_bytes == 8, std::uint64_t, std::uint32_t>,
        (K::shape::buffers > 0 ? K::shape::buffers : 1), Width, register_pieces>,
    buffers_in_memory<Memory, K::shape::lane_bytes>>;

}  // namespace primal
