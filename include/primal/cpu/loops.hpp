// loops: a kernel as the code sees it that cuts its rows and shares them among threads. That code is compiled once, for
// all kernels.
#pragma once

#include <primal/cpu/bundling.hpp>
#include <primal/cpu/streaming.hpp>
#include <primal/cpu/threads.hpp>
#include <primal/kernel/accumulations.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace primal::cpu {

// How the rows of a kernel are walked, as far as that is known while the program compiles.
template <class K> inline constexpr bundling bundled_when = bundled_rows_of<K>();
template <class K>
inline constexpr std::uint64_t streamed_by_kernel = runs_in_tiles<K> ? 0 : streamed_arrays<K>;

/// Elements become what such a combination begins with.
template <class T, class V, combiner How> void begin_sums(void* sums, std::int64_t count) {
  std::fill_n(static_cast<T*>(sums), count, static_cast<T>(identity_of<How, V>()));
}
/// Elements of `from` are combined with those of `to`. (In registers whatever the compiler makes of loops: at -O2 it is
/// not much.)
template <class T, class V, combiner How>
void add_sums(void* totals, const void* sums, std::int64_t count) {
  auto* to = static_cast<T*>(totals);
  const auto* from = static_cast<const T*>(sums);
  std::int64_t i = 0;
  if constexpr (std::is_same_v<T, V> && std::is_floating_point_v<T>) {
    using lanes = lane_access<xsimd::batch<T>>;
    for (; i + lanes::count <= count; i += lanes::count)
      lanes::store(to + i, combine<How>(lanes::load(to + i), lanes::load(from + i)));
  }
  for (; i < count; ++i) to[i] = T(combine<How>(static_cast<V>(to[i]), static_cast<V>(from[i])));
}

/// An array that the rows of a kernel add up in, or combine otherwise.
struct row_sum {
  int access, element_size;
  void (*begin)(void* sums, std::int64_t count);
  void (*add)(void* totals, const void* sums, std::int64_t count);

  /// The room of so many elements, which may begin anywhere in a line of memory.
  std::size_t bytes(std::int64_t count) const {
    return aligned_size(static_cast<std::size_t>(count * element_size)) + line;
  }
  /// Share t of n of the elements is added to the totals.
  void add_share(void* totals, const std::byte* sums, std::int64_t count, int t, int n) const {
    const auto from = share_begin(count, t, n);
    add(static_cast<std::byte*>(totals) + from * element_size, sums + from * element_size,
        share_begin(count, t + 1, n) - from);
  }
};

/// What walks the rows.
enum class walk : std::uint8_t { one_by_one, past_the_caches, bundled };

/// Rows of a call, and the memory that they have for themselves.
struct row_share {
  walk how = walk::one_by_one;
  std::int64_t first = 0, last = 0;
  std::byte* buffers = nullptr;
  std::byte* sums = nullptr;            // null: they add up in the arrays of the call
  const std::int64_t* sizes = nullptr;  // of those arrays, by access
};

/// What differs from kernel to kernel.
struct loops {
  bundling bundled;
  bool reduces;
  std::uint64_t streamed;  // the arrays that can be written past the caches, as a mask
  double nanoseconds;  // that one element of a row takes: what memory costs, and what functions do
  int lanes, lane_bytes;
  std::int64_t buffers,
      bundle_buffers;  // elements of scratch memory for each of a row, or of a bundle
  std::span<const row_sum> sums;
  void (*run)(const void* arguments, const row_share& rows);

  constexpr bool in_bundles(const arguments_view& a) const {
    return bundled == bundling::always ||
           (bundled == bundling::of_short_rows && a.row_length == 0 &&
            gains_by_bundling(a.columns, lane_bytes, lanes, reduces) &&
            a.extent[a.axis_room - 1] >= least_bundle);
  }
  walk walk_of(const arguments_view& a) const {
    return in_bundles(a)                                      ? walk::bundled
           : streamed != 0 && gains_by_streaming(streamed, a) ? walk::past_the_caches
                                                              : walk::one_by_one;
  }
  /// Of the row buffers of one thread.
  constexpr std::size_t buffer_bytes(const arguments_view& a) const {
    const auto elements = in_bundles(a) ? bundle_buffers * a.columns : buffers * a.buffer_length;
    return aligned_size(static_cast<std::size_t>(elements * lane_bytes));
  }
};

/// f(sum, where its elements for some rows begin), in memory for all `sums`. They begin within a line of memory where
/// the array of the call does: what is stored beside them then meets lines as they do. (The gradient of layer_norm of
/// 8,192 x 768 floats 16 bytes behind a line: 1.5 times as fast.)
template <class F>
void for_each_sum(std::span<const row_sum> sums, void* const* totals, const std::int64_t* sizes,
                  std::byte* memory, const F& f) {
  for (const auto& sum : sums) {
    f(sum, memory + reinterpret_cast<std::uintptr_t>(totals[sum.access]) % line);
    memory += sum.bytes(sizes[sum.access]);
  }
}

template <class K>
__attribute__((noinline)) void run_bundles(const arguments_of<K>& a, std::int64_t first,
                                           std::int64_t last) {
  bundle_team<K>().run(a, first, last);
}
template <class K>
__attribute__((noinline)) void run_block(const arguments_of<K>& a, std::int64_t first,
                                         std::int64_t last) {
  if constexpr (runs_in_tiles<K>) {
    run_tiles(K{}, a, first, last);
  } else {
    simd_team<typename K::shape> team(first, last);
    run_rows(K{}, a, team);
  }
}
/// The same, past the caches.
template <class K>
__attribute__((noinline)) void stream_block(const arguments_of<K>& a, std::int64_t first,
                                            std::int64_t last) {
  simd_team<typename K::shape, true> team(first, last);
  run_rows(K{}, a, team);
  end_stream();
}

/// Walks rows on the calling thread.
template <class K>
void run_rows_of(const arguments_of<K>& a, walk how, std::int64_t first, std::int64_t last) {
  if constexpr (bundled_when<K> != bundling::never)
    if (how == walk::bundled) return run_bundles<K>(a, first, last);
  if constexpr (bundled_when<K> != bundling::always) {
    if constexpr (streamed_by_kernel<K> != 0)
      if (how == walk::past_the_caches) return stream_block<K>(a, first, last);
    run_block<K>(a, first, last);
  }
}

namespace core {

template <class... A> constexpr std::array<row_sum, sizeof...(A)> sums_of(accumulation_list<A...>) {
  return {row_sum{A::access, sizeof(typename A::element),
                  begin_sums<typename A::element, typename A::scalar, A::how>,
                  add_sums<typename A::element, typename A::scalar, A::how>}...};
}
template <class K> inline constexpr auto row_sums = sums_of(accumulations_of<K>{});

template <class K> void run_share(const void* arguments, const row_share& rows) {
  auto a = *static_cast<const arguments_of<K>*>(arguments);
  a.buffers = rows.buffers;
  if (rows.sums)
    for_each_sum(row_sums<K>, a.base, rows.sizes, rows.sums,
                 [&](const row_sum& sum, std::byte* place) { a.base[sum.access] = place; });
  run_rows_of<K>(a, rows.how, rows.first, rows.last);
}

template <class K> consteval std::int64_t bundle_buffers() {
  if constexpr (bundled_when<K> == bundling::never) return 0;
  else return bundle_team<K>::row_units * bundle_team<K>::width;
}

}  // namespace core

template <class K>
inline constexpr loops loops_of = {
    .bundled = bundled_when<K>,
    .reduces = facts_about<K>::value.reductions > 0,
    .streamed = streamed_by_kernel<K>,
    .nanoseconds = 0.04 * facts_about<K>::value.statements + 0.15 * facts_about<K>::value.expensive,
    .lanes = simd_lanes<K::shape::lane_bytes>::count,
    .lane_bytes = K::shape::lane_bytes,
    .buffers = K::shape::buffers,
    .bundle_buffers = core::bundle_buffers<K>(),
    .sums = core::row_sums<K>,
    .run = core::run_share<K>};

}  // namespace primal::cpu
