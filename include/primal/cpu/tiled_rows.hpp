// tiled_rows: kernels that read or write across the rows. An element of the next row lies beside each element of
// theirs, so that a few rows at a time pass over a few columns while the lines of memory stay in the first-level cache.
#pragma once

#include <primal/cpu/simd_team.hpp>
#include <primal/cpu/transpose.hpp>

#include <algorithm>
#include <bit>

namespace primal::cpu {

namespace core {

template <class S>
inline constexpr bool crosses_rows =
    (S::fields.what == action::load || S::fields.what == action::store) && S::fields.flag;
/// What is done once a row is done once a tile.
template <class S>
inline constexpr bool may_be_repeated =
    S::fields.what != action::store && S::fields.what != action::accumulate &&
    S::fields.what != action::scatter;

template <class... S> consteval bool crosses(phase<false, S...>) { return false; }
template <class... S> consteval bool crosses(phase<true, S...>) { return (crosses_rows<S> || ...); }
template <class... S> consteval bool fits_tiles(phase<false, S...>) {
  return (may_be_repeated<S> && ...);
}
template <class... S> consteval bool fits_tiles(phase<true, S...>) {
  return ((S::fields.what != action::reduce && S::fields.what != action::scatter) && ...);
}
template <bool Sweep, class... S> consteval int sweeps_in(phase<Sweep, S...>) { return Sweep; }

}  // namespace core

/// Is a kernel walked in tiles? It has one sweep, and nothing else is to be done once a row.
template <class K> inline constexpr bool runs_in_tiles = false;
template <class Shape, class C, class... P>
inline constexpr bool runs_in_tiles<kernel<Shape, C, P...>> =
    Shape::axes > 0 && Shape::rows::bundled != bundling::always &&
    (core::sweeps_in(P{}) + ... + 0) == 1 && (core::fits_tiles(P{}) && ...) &&
    (core::crosses(P{}) || ...);

namespace core {

/// The arrays of a phase that are read across the rows and have elements of `Size` bytes, as a mask.
template <int Size, bool Sweep, class... S>
consteval std::uint64_t read_across(phase<Sweep, S...>) {
  std::uint64_t mask = 0;
  const auto see = [&](const statement_fields& s) {
    if (s.what == action::load && s.flag && s.a.index < 64 && size_of(s.c.type) == Size)
      mask |= std::uint64_t{1} << s.a.index;
  };
  if (Sweep) (see(S::fields), ...);
  return mask;
}

}  // namespace core

/// Parts of arrays with elements of T, turned so that they lie along the rows.
template <class T, std::uint64_t Mask, int Rows, int Columns> class turned_tiles {
 public:
  /// Rows from `row` on, from column `c` on. The strides in `a` become those of the tiles.
  template <class Arguments>
  void turn(const Arguments& whole, Arguments& a, const row_state<Arguments>& row, std::int64_t c,
            std::int64_t rows, std::int64_t columns) {
    for (int k = 0; Mask != 0 && k < Arguments::access_room; ++k) {
      if (!turns(whole, k)) continue;
      const auto* from = reinterpret_cast<const T*>(row.at[k]) + c * whole.inner_stride[k];
      transpose(from, whole.inner_stride[k], columns, rows, tile(k), Columns);
      a.inner_stride[k] = 1;
    }
  }
  /// Where row number i of the tiles begins.
  template <class Arguments>
  void enter(const Arguments& whole, row_state<Arguments>& row, std::int64_t i) {
    for (int k = 0; Mask != 0 && k < Arguments::access_room; ++k)
      if (turns(whole, k)) row.at[k] = reinterpret_cast<char*>(tile(k) + i * Columns);
  }

 private:
  static constexpr int count = std::popcount(Mask);
  static constexpr std::size_t elements = std::size_t{Rows} * Columns;
  alignas(64) std::byte memory_[(count > 0 ? count : 1) * elements * sizeof(T)];

  T* tile(int k) {
    const auto number = std::popcount(Mask & ((std::uint64_t{1} << k) - 1));
    return reinterpret_cast<T*>(memory_) + static_cast<std::size_t>(number) * elements;
  }
  /// Is the array dense along the last outer axis?
  template <class Arguments> static bool turns(const Arguments& a, int k) {
    return k < 64 && (Mask >> k & 1) != 0 && a.inner_stride[k] != 0 && a.inner_stride[k] != 1 &&
           a.stride[k][Arguments::axis_room - 1] == std::int64_t{sizeof(T)};
  }
};

/// Rows `first` to `last` on the calling thread.
template <class Shape, class Constants, class Once, class... Phases, class Arguments>
void run_tiles(kernel<Shape, Constants, Once, Phases...>, const Arguments& a, std::int64_t first,
               std::int64_t last) {
  // A tile has fewer columns.
  using shape = loop_shape<-1, Shape::axes, Shape::accesses, Shape::buffers, Shape::lane_bytes>;
  constexpr int rows = 16, columns = 64;
  turned_tiles<std::uint32_t, (core::read_across<4>(Phases{}) | ...), rows, columns> narrow;
  turned_tiles<std::uint64_t, (core::read_across<8>(Phases{}) | ...), rows, columns> wide_ones;
  simd_team<shape> team(first, last);
  bank_set<scalar_value,
           banks_of<kernel<shape, Constants, Once, Phases...>, &phase_facts::uniforms>>
      u;
  row_state<Arguments> row{};
  for (int k = 0; k < Arguments::access_room; ++k) row.at[k] = static_cast<char*>(a.base[k]);
  run_phase<Constants>(Once{}, a, row, u, team);
  const auto neighbours = a.extent[Arguments::axis_room - 1];
  for (auto r = first; r < last;) {
    const auto n = std::min({last - r, neighbours - r % neighbours, std::int64_t{rows}});
    for (std::int64_t c = 0; c < a.columns; c += columns) {
      const auto present = std::min(a.columns - c, std::int64_t{columns});
      Arguments own = a;
      enter_row(a, row, r);
      narrow.turn(a, own, row, c, n, present);
      wide_ones.turn(a, own, row, c, n, present);
      for (std::int64_t i = 0; i < n; ++i) {
        enter_row(a, row, r + i);
        row.first_column = c;
        row.columns = present;
        for (int k = 0; k < Arguments::access_room; ++k)
          row.at[k] += c * a.inner_stride[k] * a.element_size[k];
        narrow.enter(a, row, i);
        wide_ones.enter(a, row, i);
        (run_phase<Constants>(Phases{}, own, row, u, team), ...);
      }
    }
    r += n;
  }
}

}  // namespace primal::cpu
