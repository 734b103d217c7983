// launch: a kernel over all its rows, on one thread or several.
#pragma once

#include <primal/cpu/loops.hpp>
#include <primal/cpu/threads.hpp>
#include <primal/kernel/element_bits.hpp>

#include <algorithm>

namespace primal {

namespace cpu {

/// How the rows of a kernel are cut. Sums over the outer axes are accumulated per block, and the blocks then
/// added in order: that bounds the rounding error, and makes the result the same on any number of threads.
struct row_blocks {
  std::int64_t rows = 0, count = 1;

  std::int64_t first(std::int64_t block) const { return rows * block / count; }
};

inline constexpr std::int64_t most_blocks = 64;

/// A block has 32 rows, so that adding it up costs little beside calculating it; or 8 pieces of one long axis, of
/// which each adds a number only.
constexpr row_blocks cut_rows(const arguments_view& a, bool serial) {
  const std::int64_t rows_per_block = a.row_length > 0 ? 8 : 32;
  row_blocks b{count_rows(a), 1};
  if (!serial && b.rows >= 2 * rows_per_block)
    b.count = std::min(b.rows / rows_per_block, most_blocks);
  return b;
}

/// Do blocks add up in memory of their own, which is added afterwards?
constexpr bool adds_blocks(const loops& k, const row_blocks& blocks) {
  return !k.sums.empty() && blocks.count > 1;
}

/// How many threads share the rows.
constexpr int threads_for_rows(const loops& k, const arguments_view& a, const row_blocks& blocks,
                               bool serial, int most) {
  if (!has_threads || most <= 1 || serial) return 1;
  const std::int64_t shares = k.sums.empty() ? blocks.rows : blocks.count;
  if (shares < most) most = static_cast<int>(shares);
  const auto elements = static_cast<double>(a.row_length > 0 ? a.columns : blocks.rows * a.columns);
  return threads_for(elements * k.nanoseconds, most);
}

/// The sums of one block.
inline std::size_t partial_bytes(const loops& k, const std::int64_t* sizes) {
  std::size_t bytes = 0;
  for (const auto& sum : k.sums) bytes += sum.bytes(sizes[sum.access]);
  return bytes;
}
/// How many blocks threads calculate before they meet and add them up: the more the better, as long as their
/// sums stay in a cache.
inline std::int64_t blocks_at_once(const row_blocks& blocks, std::size_t bytes, int threads) {
  constexpr std::size_t cached = 256 * 1024;
  if (threads == 1) return 1;
  const auto fitting = static_cast<std::int64_t>(cached / std::max<std::size_t>(bytes, 1));
  return std::clamp<std::int64_t>(fitting, threads, blocks.count);
}

/// Scratch memory: row buffers for each thread, and the sums of blocks. `sizes`: elements of the arrays that rows
/// accumulate in, by access.
inline std::size_t scratch_bytes(const loops& k, const arguments_view& a, bool serial,
                                 const std::int64_t* sizes, int most_threads) {
  const auto blocks = cut_rows(a, serial);
  const int threads = threads_for_rows(k, a, blocks, serial, most_threads);
  std::size_t bytes = static_cast<std::size_t>(threads) * k.buffer_bytes(a);
  if (adds_blocks(k, blocks)) {
    const auto of_block = partial_bytes(k, sizes);
    bytes += static_cast<std::size_t>(blocks_at_once(blocks, of_block, threads)) * of_block;
  }
  return bytes;
}

/// Runs all rows; the arrays that they accumulate in hold the identity already. `a` is the view of `arguments`.
inline void launch(const loops& k, const void* arguments, const arguments_view& a, bool serial,
                   const std::int64_t* sizes, std::byte* scratch, int most_threads) {
  const auto blocks = cut_rows(a, serial);
  const int threads = threads_for_rows(k, a, blocks, serial, most_threads);
  const bool adds = adds_blocks(k, blocks);
  const row_share all{k.walk_of(a), 0, blocks.rows, scratch, nullptr, sizes};
  if (!adds && threads == 1) return k.run(arguments, all);

  const auto buffers = k.buffer_bytes(a), step = partial_bytes(k, sizes);
  std::byte* const partial = scratch + static_cast<std::size_t>(threads) * buffers;
  const auto sums_of = [&](std::int64_t block) {
    return partial + static_cast<std::size_t>(block) * step;
  };
  const auto at_once = blocks_at_once(blocks, step, threads);
  on_threads(threads, [&](int t, int n) {
    row_share own = all;
    own.buffers = scratch + static_cast<std::size_t>(t) * buffers;
    const auto run = [&](std::int64_t first, std::int64_t last) {
      own.first = first;
      own.last = last;
      k.run(arguments, own);
    };
    if (!adds) return run(share_begin(blocks.rows, t, n), share_begin(blocks.rows, t + 1, n));
    for (std::int64_t first = 0; first < blocks.count; first += at_once) {
      const auto count = std::min(at_once, blocks.count - first);
      for (auto b = share_begin(count, t, n); b < share_begin(count, t + 1, n); ++b) {
        own.sums = nullptr;  // the first block adds up in the totals themselves
        if (first + b > 0) {
          own.sums = sums_of(b);
          for_each_sum(k.sums, a.base, sizes, own.sums, [&](const row_sum& sum, std::byte* place) {
            sum.begin(place, sizes[sum.access]);
          });
        }
        run(blocks.first(first + b), blocks.first(first + b + 1));
      }
      meet(n);
      for (auto b = first == 0 ? 1 : 0; b < count; ++b)
        for_each_sum(k.sums, a.base, sizes, sums_of(b), [&](const row_sum& sum, std::byte* place) {
          sum.add_share(a.base[sum.access], place, sizes[sum.access], t, n);
        });
      meet(n);
    }
  });
}

/// The same for one kernel, without a detour where one thread is to run all rows at once.
template <class K>
void launch(arguments_of<K>& a, bool serial, const std::int64_t* sizes, std::byte* scratch,
            int most_threads) {
  const auto& k = loops_of<K>;
  const auto view = view_of(a);
  const auto blocks = cut_rows(view, serial);
  if (most_threads > 1 || adds_blocks(k, blocks))
    return launch(k, &a, view, serial, sizes, scratch, most_threads);
  a.buffers = scratch;
  run_rows_of<K>(a, k.walk_of(view), 0, blocks.rows);
}

/// Does a kernel run on one thread, and all its rows at once, whatever a call asks for?
constexpr bool is_small(const loops& k, const arguments_view& a, bool serial) {
  const auto blocks = cut_rows(a, serial);
  return !adds_blocks(k, blocks) && threads_for_rows(k, a, blocks, false, 1 << 10) == 1;
}

/// Every element becomes the value with these bits: of a double for floating dtypes, else the integer.
inline void fill_elements(void* to, dtype d, std::int64_t bits, std::int64_t count) {
  const auto pattern = element_bits(d, bits);
  const auto repeat = [&]<class T>(T value) {
    auto* p = static_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) p[i] = value;
  };
  switch (size_of(d)) {
    case 1:  return repeat(static_cast<std::uint8_t>(pattern));
    case 2:  return repeat(static_cast<std::uint16_t>(pattern));
    case 4:  return repeat(static_cast<std::uint32_t>(pattern));
    default: return repeat(pattern);
  }
}

}  // namespace cpu

}  // namespace primal
