// launch: a kernel over all its rows, on one thread or several.
#pragma once

#include <primal/cpu/bundling.hpp>
#include <primal/cpu/streaming.hpp>
#include <primal/cpu/threads.hpp>
#include <primal/kernel/accumulations.hpp>
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
template <class Arguments> constexpr row_blocks cut_rows(const Arguments& a, bool serial) {
  const std::int64_t rows_per_block = a.row_length > 0 ? 8 : 32;
  row_blocks b{count_rows(a), 1};
  if (!serial && b.rows >= 2 * rows_per_block)
    b.count = std::min(b.rows / rows_per_block, most_blocks);
  return b;
}

template <class K> inline constexpr bool may_stream = can_stream<K> && !runs_in_tiles<K>;

template <class K, class Arguments>
__attribute__((noinline)) void run_bundles(const Arguments& a, std::int64_t first,
                                           std::int64_t last) {
  bundle_team<K>().run(a, first, last);
}
template <class K, class Arguments>
__attribute__((noinline)) void run_block(const Arguments& a, std::int64_t first,
                                         std::int64_t last) {
  if constexpr (runs_in_tiles<K>) {
    run_tiles(K{}, a, first, last);
  } else {
    simd_team<typename K::shape> team(first, last);
    run_rows(K{}, a, team);
  }
}
/// The same, past the caches.
template <class K, class Arguments>
__attribute__((noinline)) void stream_block(const Arguments& a, std::int64_t first,
                                            std::int64_t last) {
  simd_team<typename K::shape, true> team(first, last);
  run_rows(K{}, a, team);
  end_stream();
}

/// About how long one element of a row takes: what memory costs, and what functions do.
template <class... P> constexpr double nanoseconds_of(P... phases) {
  double time = 0;
  ((time += 0.04 * facts_of(phases).statements + 0.15 * facts_of(phases).expensive), ...);
  return time;
}
template <class K> inline constexpr double nanoseconds_per_element = 0;
template <class Shape, class C, class Once, class... P>
inline constexpr double nanoseconds_per_element<kernel<Shape, C, Once, P...>> =
    nanoseconds_of(P{}...);

/// How many threads share the rows.
template <class K, class Arguments>
constexpr int threads_for_rows(const Arguments& a, const row_blocks& blocks, bool serial,
                               int most) {
  if (!has_threads || most <= 1 || serial) return 1;
  const std::int64_t shares = accumulations_of<K>::count > 0 ? blocks.count : blocks.rows;
  if (shares < most) most = static_cast<int>(shares);
  const auto elements = static_cast<double>(a.row_length > 0 ? a.columns : blocks.rows * a.columns);
  return threads_for(elements * nanoseconds_per_element<K>, most);
}

template <class K, class Arguments> constexpr std::size_t row_buffer_bytes(const Arguments& a) {
  if constexpr (K::shape::rows::bundled != bundling::never)
    if (runs_in_bundles<K>(a))
      return aligned_size(static_cast<std::size_t>(a.columns * bundle_team<K>::row_units *
                                                   bundle_team<K>::width * K::shape::lane_bytes));
  return aligned_size(static_cast<std::size_t>(K::shape::buffers) *
                      static_cast<std::size_t>(a.buffer_length * K::shape::lane_bytes));
}
/// The room of so many sums, which may begin anywhere in a line of memory.
template <class T> constexpr std::size_t bytes_of_sums(std::int64_t count) {
  return aligned_size(static_cast<std::size_t>(count) * sizeof(T)) + line;
}
/// The sums of one block.
template <class K, class Arguments>
std::size_t partial_bytes(const std::int64_t (&sizes)[Arguments::access_room]) {
  std::size_t bytes = 0;
  accumulations_of<K>::for_each(
      [&]<class A>(auto, A) { bytes += bytes_of_sums<typename A::element>(sizes[A::access]); });
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

/// Scratch memory: row buffers for each thread, and the sums of blocks.
template <class K, class Arguments>
std::size_t scratch_bytes(const Arguments& a, bool serial,
                          const std::int64_t (&sizes)[Arguments::access_room], int most_threads) {
  const auto blocks = cut_rows(a, serial);
  const int threads = threads_for_rows<K>(a, blocks, serial, most_threads);
  std::size_t bytes = static_cast<std::size_t>(threads) * row_buffer_bytes<K>(a);
  if (accumulations_of<K>::count > 0 && blocks.count > 1) {
    const auto of_block = partial_bytes<K, Arguments>(sizes);
    bytes += static_cast<std::size_t>(blocks_at_once(blocks, of_block, threads)) * of_block;
  }
  return bytes;
}

/// Elements of `from` are combined with those of `to`. (In registers whatever the compiler makes of loops: at -O2 it is
/// not much.)
template <class A>
void combine_into(typename A::element* to, const typename A::element* from, std::int64_t count) {
  using T = typename A::element;
  using V = typename A::scalar;
  std::int64_t i = 0;
  if constexpr (std::is_same_v<T, V> && std::is_floating_point_v<T>) {
    using lanes = lane_access<xsimd::batch<T>>;
    for (; i + lanes::count <= count; i += lanes::count)
      lanes::store(to + i, combine<A::how>(lanes::load(to + i), lanes::load(from + i)));
  }
  for (; i < count; ++i) to[i] = T(combine<A::how>(static_cast<V>(to[i]), static_cast<V>(from[i])));
}

/// The sums of some blocks. They begin within a line of memory where those of `total` do: what is stored beside them
/// then meets lines as they do. (The gradient of layer_norm of 8,192 x 768 floats 16 bytes behind a line: 1.5 times as
/// fast.)
template <class K, class Arguments> class partial_sums {
 public:
  using sizes_of = const std::int64_t (&)[Arguments::access_room];

  partial_sums(const Arguments& total, std::byte* memory, sizes_of sizes)
      : total_(total), memory_(memory), sizes_(sizes), step_(partial_bytes<K, Arguments>(sizes)) {}

  /// The sums of block `k` begin, and `a` adds up in them.
  void begin(Arguments& a, std::int64_t k) const {
    for_each(k, [&]<class A>(A, typename A::element* partial) {
      std::fill_n(partial, sizes_[A::access],
                  static_cast<typename A::element>(identity_of<A::how, typename A::scalar>()));
      a.base[A::access] = partial;
    });
  }
  /// Thread t of n adds its share of the elements of sums `first` to `last` to the total, sum after sum.
  void add_up(std::int64_t first, std::int64_t last, int t, int n) const {
    for (auto k = first; k < last; ++k)
      for_each(k, [&]<class A>(A, const typename A::element* from) {
        auto* to = static_cast<typename A::element*>(total_.base[A::access]);
        const auto begin = share_begin(sizes_[A::access], t, n);
        combine_into<A>(to + begin, from + begin, share_begin(sizes_[A::access], t + 1, n) - begin);
      });
  }

 private:
  const Arguments& total_;
  std::byte* memory_;
  sizes_of sizes_;
  std::size_t step_;

  template <class F> void for_each(std::int64_t k, const F& f) const {
    std::byte* next = memory_ + static_cast<std::size_t>(k) * step_;
    accumulations_of<K>::for_each([&]<class A>(auto, A accumulation) {
      using T = typename A::element;
      const auto behind_line = reinterpret_cast<std::uintptr_t>(total_.base[A::access]) % line;
      f(accumulation, reinterpret_cast<T*>(next + behind_line));
      next += bytes_of_sums<T>(sizes_[A::access]);
    });
  }
};

/// What runs the rows of a call.
template <class K, class Arguments> auto way_to_run(const Arguments& a) {
  if constexpr (always_bundled<K>) {
    return run_bundles<K, Arguments>;
  } else {
    if constexpr (may_be_bundled<K>)
      if (runs_in_bundles<K>(a)) return run_bundles<K, Arguments>;
    if constexpr (may_stream<K>)
      if (gains_by_streaming(K{}, a)) return stream_block<K, Arguments>;
    return run_block<K, Arguments>;
  }
}

/// Runs all rows. `sizes`: of the arrays that rows accumulate in, by access; they hold the identity already.
template <class K, class Arguments>
void launch(Arguments& a, bool serial, const std::int64_t (&sizes)[Arguments::access_room],
            std::byte* scratch, int most_threads) {
  const auto blocks = cut_rows(a, serial);
  const int threads = threads_for_rows<K>(a, blocks, serial, most_threads);
  const bool adds = accumulations_of<K>::count > 0 && blocks.count > 1;
  a.buffers = scratch;
  const auto run = way_to_run<K>(a);
  if (!adds && threads == 1) return run(a, 0, blocks.rows);

  const auto buffers = row_buffer_bytes<K>(a);
  const partial_sums<K, Arguments> sums(a, scratch + static_cast<std::size_t>(threads) * buffers,
                                        sizes);
  const auto at_once = blocks_at_once(blocks, partial_bytes<K, Arguments>(sizes), threads);
  on_threads(threads, [&](int t, int n) {
    Arguments own = a;
    own.buffers = scratch + static_cast<std::size_t>(t) * buffers;
    if (!adds) return run(own, share_begin(blocks.rows, t, n), share_begin(blocks.rows, t + 1, n));
    for (std::int64_t first = 0; first < blocks.count; first += at_once) {
      const auto count = std::min(at_once, blocks.count - first);
      for (auto k = share_begin(count, t, n); k < share_begin(count, t + 1, n); ++k) {
        if (first + k > 0) sums.begin(own, k);  // the first block adds up in the totals themselves
        run(own, blocks.first(first + k), blocks.first(first + k + 1));
      }
      meet(n);
      sums.add_up(first == 0 ? 1 : 0, count, t, n);
      meet(n);
    }
  });
}

/// Does a kernel run on one thread, and all its rows at once, whatever a call asks for?
template <class K, class Arguments> constexpr bool is_small(const Arguments& a, bool serial) {
  const auto blocks = cut_rows(a, serial);
  return (accumulations_of<K>::count == 0 || blocks.count == 1) &&
         threads_for_rows<K>(a, blocks, false, 1 << 10) == 1;
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
