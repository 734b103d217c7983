// streaming: which kernels write past the caches. What they write would be read into them first, and be gone when it is
// asked for.
#pragma once

#include <primal/cpu/partial.hpp>
#include <primal/kernel/accumulations.hpp>
#include <primal/kernel/facts.hpp>

#include <bit>

namespace primal::cpu {

/// Does a statement write one element after another, of a type that fills a register? These are what store_whole writes
/// past the caches.
template <class Shape, class S>
inline constexpr bool stores_lanes =
    S::fields.what == action::store && !S::fields.flag &&
    std::is_same_v<typename simd_lanes<Shape::lane_bytes>::template value<S::fields.a.type>,
                   xsimd::batch<element_of<S::fields.c.type>>>;

/// The arrays that a phase writes so, as a mask, which has room for 64: kernels of more do not write so.
template <class Shape, bool Sweeps, class... S>
consteval std::uint64_t streamed_by(phase<Sweeps, S...>) {
  if constexpr (Sweeps && Shape::accesses <= 64)
    return ((stores_lanes<Shape, S> ? std::uint64_t{1} << S::fields.b.index : 0) | ... | 0);
  else return 0;
}
/// -1 if there is none.
constexpr int first_streamed(std::uint64_t arrays) {
  return arrays != 0 ? std::countr_zero(arrays) : -1;
}

/// Is memory what a kernel waits for? Where there are more functions than half its arrays, or rows are
/// written in bursts after they were reduced, or added up as well, it becomes 1.05 to 1.5 times slower when
/// it writes past the caches; other functions of elements take 0.72 to 0.95.
template <class Shape, class C, class Once, class... P>
consteval bool waits_for_memory(kernel<Shape, C, Once, P...>) {
  const int expensive = (facts_about<P>::value.expensive + ... + 0);
  return expensive == 0 ||
         (2 * expensive <= Shape::accesses && (facts_about<P>::value.reductions + ... + 0) == 0 &&
          accumulations_of<kernel<Shape, C, Once, P...>>::count == 0);
}

/// Elements of a row from which on it is written so: shorter ones share lines with others.
inline constexpr std::int64_t long_row = 512;

/// The arrays that a kernel can write past the caches, as a mask, if there is a point in it.
template <class K> inline constexpr std::uint64_t streamed_arrays = 0;
template <class Shape, class C, class Once, class... P>
  requires(registers_fill_lines && Shape::rows::bundled != bundling::always &&
           (Shape::columns < 0 || Shape::columns >= long_row) &&
           waits_for_memory(kernel<Shape, C, Once, P...>{}))
inline constexpr std::uint64_t streamed_arrays<kernel<Shape, C, Once, P...>> =
    (streamed_by<Shape>(P{}) | ... | 0);

/// Are the arrays of a call so large that a kernel which can stream does? `streamed`: those that it writes so, a mask.
inline bool gains_by_streaming(std::uint64_t streamed, const arguments_view& a) {
  constexpr std::int64_t large = std::int64_t{1} << 20, cached = std::int64_t{32} << 20;
  // A processor takes a load for one of what it has just stored if the last 12 bits of their places say so. It then
  // waits until that has reached memory: everything takes 1.5 to 4 times as long.
  constexpr std::uintptr_t page = 4096, reach = 256;
  if (a.columns < long_row || count_rows(a) * a.columns < large) return false;
  const auto size = [&](int k) {
    auto bytes = a.element_size[k] * (a.inner_stride[k] != 0 ? a.columns : 1);
    for (int x = 0; x < a.axis_room; ++x)
      if (a.stride[k * a.axis_room + x] != 0) bytes *= a.extent[x];
    return bytes;
  };
  std::int64_t all = 0;
  for (int k = 0; k < a.access_room; ++k) all += size(k);
  if (all < cached) return false;
  const auto place = [&](int k) { return reinterpret_cast<std::uintptr_t>(a.base[k]); };
  for (int k = 0; k < a.access_room; ++k)
    for (int j = 0; j < a.access_room; ++j) {
      if (j == k || (streamed >> k & 1) == 0) continue;
      if (place(j) == place(k)) return false;  // its lines are in the cache when they are written
      if (size(j) >= large && (place(k) - place(j) - 1) % page < reach - 1) return false;
    }
  return true;
}

/// How many elements of a row lie before its first whole line of memory; all if there are none, or no such line.
inline std::int64_t before_line(const void* row, std::int64_t columns, int bytes) {
  const auto n =
      static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(row) & (line - 1)) / bytes;
  return n > 0 && n < columns ? n : columns;
}
/// What was written past the caches comes before what is written from here on.
inline void end_stream() {
#if defined(__AVX512F__)
  _mm_sfence();
#endif
}

}  // namespace primal::cpu
