// emulated_team: the lanes of a block one after the other, on the CPU, with the block's own index arithmetic
// and in its own order of adding. With it machines without a GPU test nearly all of what runs on one.
#pragma once

#include <primal/kernel/block.hpp>

#include <array>
#include <cstring>

namespace primal {

/// In which order lanes and blocks run. None may matter.
enum class lane_order { forwards, backwards, odd_first };

constexpr std::int64_t nth_of(lane_order order, std::int64_t i, std::int64_t count) {
  if (order == lane_order::forwards) return i;
  if (order == lane_order::backwards) return count - 1 - i;
  return i < count / 2 ? 2 * i + 1 : 2 * (i - count / 2);
}

namespace emulation {

/// Memory as one lane after the other sees it.
struct memory : unshared_memory {
  template <class V, class M> static V load(const M* p) {
    V x{};
    for (auto& part : x.part) part = static_cast<part_of<V>>(*p++);
    return x;
  }
  template <class V, class M> static void store(M* p, const V& x) {
    for (const auto& part : x.part) *p++ = static_cast<M>(part);
  }
};

/// The lanes' values combined in a butterfly, as shuffles do it.
template <combiner C, class T> T combine_lanes(T* of_lane, int lanes) {
  T next[warp_lanes];
  for (int step = lanes / 2; step > 0; step /= 2) {
    for (int l = 0; l < lanes; ++l) next[l] = combine<C>(of_lane[l], of_lane[l ^ step]);
    for (int l = 0; l < lanes; ++l) of_lane[l] = next[l];
  }
  return of_lane[0];
}

}  // namespace emulation

/// `Lanes`: a power of 2 up to 32, or a multiple of 32. Each lane works on `Width` elements at a time.
template <class K, int Lanes, int Width, row_walk Walk>
class emulated_team : public row_share<K, Walk> {
  static_assert((Lanes < warp_lanes && (Lanes & (Lanes - 1)) == 0) || Lanes % warp_lanes == 0);
  using shape = typename K::shape;
  using buffers_of_lane = row_buffers_of<K, Width, Walk, emulation::memory>;

 public:
  using memory = emulation::memory;

  /// `buffers`: row buffers of `buffer_bytes` for each lane, so that none finds what another one kept.
  emulated_team(const block_share& own, lane_order order, std::byte* buffers,
                std::int64_t buffer_bytes)
      : own_(own), order_(order), buffers_(buffers), buffer_bytes_(buffer_bytes) {
    if constexpr (Walk == row_walk::registers)
      std::memset(registers_.data(), 0xff, sizeof registers_[0] * Lanes);
  }

  std::int64_t first_row() const { return own_.first_row; }
  std::int64_t last_row() const { return own_.last_row; }
  static constexpr std::int64_t row_step() { return 1; }
  bool leader() const { return this->writes() && own_.first_column == 0; }
  static void barrier() {}

  template <class F> void for_each_element(int count, const F& f) const {
    for (int i = 0; i < count; ++i) f(static_cast<int>(nth_of(order_, i, count)));
  }

  template <class Constants, class... S, class Arguments, class Uniforms>
  void sweep(phase<true, S...> own_phase, const Arguments& a, const row_state<Arguments>& row,
             Uniforms& u) {
    using phase = primal::phase<true, S...>;
    if constexpr (ordered_scatters<K>::alone)
      if (!owns_row(own_phase, a, u, own_)) return;
    const int last =
        static_cast<int>(row.columns < own_.last_column ? row.columns : own_.last_column);
    const auto range = [&](int lane) { return lane_range{own_.first_column, last, lane, Lanes}; };
    const auto whole = [&](int lane) {
      return lane_range{own_.first_column, last, 0, 1, lane, Lanes};
    };
    if constexpr (has_meetings<phase>)
      if (columns_meet(own_phase, a)) {
        run<lane_sweep_of<Constants, phase, lane_work::all_but_meetings>>(a, row, u, range);
        run<lane_sweep_of<Constants, phase, lane_work::meetings>>(a, row, u, whole);
        return;
      }
    run<lane_sweep_of<Constants, phase, lane_work::everything>>(a, row, u, range);
  }
  template <class Constants, class... S, class Uniforms>
  void collect_sweep(phase<true, S...>, int sweep, Uniforms& u) const {
    using own = lane_sweep_of<Constants, phase<true, S...>, lane_work::everything>;
    this->template collect<own>(sweep, u);
  }

 private:
  block_share own_;
  lane_order order_;
  std::byte* buffers_;
  std::int64_t buffer_bytes_;
  std::array<buffers_of_lane, Walk == row_walk::registers ? Lanes : 1> registers_;

  static constexpr bool tails = shape::columns < 0 || shape::columns % Width != 0;
  template <class Constants, class Phase, lane_work Work>
  using lane_sweep_of =
      lane_sweep<wide_lanes<Width, shape::lane_bytes>, memory, Constants, tails, Phase, Work>;

  template <class Arguments> decltype(auto) buffers_for(const Arguments& a, int lane) {
    // Where lanes look at whole rows they find what others kept; a block has a barrier there.
    constexpr bool common = !ordered_scatters<K>::value.in_row.empty();
    if constexpr (Walk == row_walk::registers) {
      return (registers_[static_cast<std::size_t>(lane)]);
    } else if constexpr (Walk == row_walk::by_sweeps) {
      return buffers_of_lane{static_cast<char*>(a.buffers), a.buffer_length};
    } else {
      auto* first = buffers_ + (common ? 0 : lane * buffer_bytes_);
      return buffers_of_lane{reinterpret_cast<char*>(first), a.buffer_length};
    }
  }

  template <class Sweep, class Arguments, class Uniforms, class Range>
  void run(const Arguments& a, const row_state<Arguments>& row, Uniforms& u, const Range& range) {
    using sweep = Sweep;
    typename sweep::totals of_lane[Lanes];
    for (int i = 0; i < Lanes; ++i) {
      const int lane = static_cast<int>(nth_of(order_, i, Lanes));
      auto&& buffers = buffers_for(a, lane);
      of_lane[lane] = sweep::run(a, row, u, range(lane), buffers);
    }
    if constexpr (sweep::total_count > 0) combine<sweep>(of_lane, u);
  }
  template <class Sweep, class Uniforms>
  void combine(typename Sweep::totals (&of_lane)[Lanes], Uniforms& u) const {
    using sweep = Sweep;
    sweep::for_each_total([&]<class R>(R) {
      typename R::scalar sums[Lanes], of_warp[Lanes];
      for (int l = 0; l < Lanes; ++l) sums[l] = sweep::template total<R>(of_lane[l]);
      constexpr int lanes = Lanes < warp_lanes ? Lanes : warp_lanes, warps = Lanes / lanes;
      for (int w = 0; w < warps; ++w)
        of_warp[w] = emulation::combine_lanes<R::how>(sums + w * lanes, lanes);
      sweep::template total<R>(of_lane[0]) = combine_warps<R::how>(of_warp, warps);
    });
    if constexpr (Walk == row_walk::by_sweeps) this->template leave<sweep>(of_lane[0]);
    else sweep::publish(of_lane[0], u);
  }
};

}  // namespace primal
