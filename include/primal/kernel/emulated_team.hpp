// emulated_team: the lanes of a block one after the other, on the CPU, with the block's own index arithmetic
// and in its own order of adding. With it machines without a GPU test nearly all of what runs on one.
#pragma once

#include <primal/kernel/block.hpp>

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
template <class Shape, int Lanes, int Width> class emulated_team {
  static_assert((Lanes < warp_lanes && (Lanes & (Lanes - 1)) == 0) || Lanes % warp_lanes == 0);

 public:
  using memory = emulation::memory;

  /// `buffers`: row buffers of `buffer_bytes` for each lane, so that none finds what another one kept.
  emulated_team(const block_share& own, lane_order order, std::byte* buffers,
                std::int64_t buffer_bytes)
      : own_(own), order_(order), buffers_(buffers), buffer_bytes_(buffer_bytes) {}

  std::int64_t first_row() const { return own_.first_row; }
  std::int64_t last_row() const { return own_.last_row; }
  static constexpr std::int64_t row_step() { return 1; }
  bool leader() const { return own_.first_column == 0; }
  static void barrier() {}

  template <class F> void for_each_element(int count, const F& f) const {
    for (int i = 0; i < count; ++i) f(static_cast<int>(nth_of(order_, i, count)));
  }

  template <class Constants, class... S, class Arguments, class Uniforms>
  void sweep(phase<true, S...>, const Arguments& arguments, const row_state<Arguments>& row,
             Uniforms& u) const {
    constexpr bool tails = Shape::columns < 0 || Shape::columns % Width != 0;
    using sweep = lane_sweep<wide_lanes<Width, Shape::lane_bytes>, memory, Constants, tails,
                             phase<true, S...>>;
    typename sweep::totals of_lane[Lanes];
    const int last =
        static_cast<int>(row.columns < own_.last_column ? row.columns : own_.last_column);
    for (int i = 0; i < Lanes; ++i) {
      const int lane = static_cast<int>(nth_of(order_, i, Lanes));
      Arguments a = arguments;
      a.buffers = buffers_ + lane * buffer_bytes_;
      of_lane[lane] = sweep::run(a, row, u, {own_.first_column, last, lane, Lanes});
    }
    sweep::for_each_total([&]<class R>(R) {
      typename R::scalar sums[Lanes], of_warp[Lanes];
      for (int l = 0; l < Lanes; ++l) sums[l] = sweep::template total<R>(of_lane[l]);
      constexpr int lanes = Lanes < warp_lanes ? Lanes : warp_lanes, warps = Lanes / lanes;
      for (int w = 0; w < warps; ++w)
        of_warp[w] = emulation::combine_lanes<R::how>(sums + w * lanes, lanes);
      sweep::template total<R>(of_lane[0]) = combine_warps<R::how>(of_warp, warps);
    });
    sweep::publish(of_lane[0], u);
  }

 private:
  block_share own_;
  lane_order order_;
  std::byte* buffers_;
  std::int64_t buffer_bytes_;
};

}  // namespace primal
