// block_team: a row on the threads of a block. A lane is a thread.
#pragma once

#include <primal/cuda/device_memory.hpp>
#include <primal/kernel/block.hpp>

namespace primal {

namespace on_cuda {

/// The most threads of a team.
inline constexpr int most_lanes = block_limits{}.most_lanes, most_warps = most_lanes / warp_lanes;

/// x of the lane whose number differs in the bits `mask`.
template <class T> __device__ __forceinline__ T exchanged(T x, int mask) {
  if constexpr (sizeof(T) < 4)
    return static_cast<T>(__shfl_xor_sync(~0u, static_cast<int>(x), mask));
  else return __shfl_xor_sync(~0u, x, mask);
}

/// The most reductions of any sweep of a kernel.
template <class K> inline constexpr int most_reductions = 0;
template <class Shape, class C, class... P>
inline constexpr int most_reductions<kernel<Shape, C, P...>> =
    std::max({facts_of(P{}).reductions...});

}  // namespace on_cuda

/// Runs the rows of a share. Lanes are the threads along x; teams along y have one warp each.
template <class K, int Width, row_walk Walk> class block_team : public row_share<K, Walk> {
  using shape = typename K::shape;
  using row_buffers = row_buffers_of<K, Width, Walk, on_cuda::device_memory>;

 public:
  using memory = on_cuda::device_memory;

  /// `exchange`: two areas in turn, so that a reduction needs one barrier only; each of `exchange_size` words of 8
  /// bytes, shared by the threads.
  __device__ __forceinline__ block_team(const block_share& own, unsigned long long* exchange,
                                        int exchange_size)
      : own_(own), exchange_(exchange), exchange_size_(exchange_size) {}

  __device__ __forceinline__ std::int64_t first_row() const { return own_.first_row; }
  __device__ __forceinline__ std::int64_t last_row() const { return own_.last_row; }
  __device__ __forceinline__ static std::int64_t row_step() { return 1; }
  __device__ __forceinline__ bool leader() const {
    return this->writes() && threadIdx.x == 0 && own_.first_column == 0;
  }
  __device__ __forceinline__ static void barrier() { __syncthreads(); }

  template <class F>
  __device__ __forceinline__ static void for_each_element(int count, const F& f) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) f(i);
  }

  template <class Constants, class... S, class Arguments, class Uniforms>
  __device__ __forceinline__ void sweep(phase<true, S...> own_phase, const Arguments& a,
                                        const row_state<Arguments>& row, Uniforms& u) {
    using phase = primal::phase<true, S...>;
    if constexpr (ordered_scatters<K>::alone)
      if (!owns_row(own_phase, a, u, own_)) return;
    const int columns = static_cast<int>(shape::columns >= 0 ? shape::columns : row.columns);
    const int lane = static_cast<int>(threadIdx.x), lanes = static_cast<int>(blockDim.x);
    const lane_range range{own_.first_column,
                           columns < own_.last_column ? columns : own_.last_column, lane, lanes};
    if constexpr (has_meetings<phase>)
      if (columns_meet(own_phase, a)) {
        run<lane_sweep_of<Constants, phase, lane_work::all_but_meetings>>(a, row, u, range);
        if constexpr (recalls<phase>) meet();
        run<lane_sweep_of<Constants, phase, lane_work::meetings>>(
            a, row, u, {range.first, range.last, 0, 1, lane, lanes});
        if constexpr (recalls<phase>) meet();
        return;
      }
    run<lane_sweep_of<Constants, phase, lane_work::everything>>(a, row, u, range);
  }
  template <class Constants, class... S, class Uniforms>
  __device__ __forceinline__ void collect_sweep(phase<true, S...>, int sweep, Uniforms& u) const {
    using own = lane_sweep_of<Constants, phase<true, S...>, lane_work::everything>;
    this->template collect<own>(sweep, u);
  }

 private:
  block_share own_;
  unsigned long long* exchange_;
  int exchange_size_;
  std::conditional_t<Walk == row_walk::registers, row_buffers, char> registers_;

  // The launch chooses packs only for rows of whole packs, but for the last row of one long axis.
  static constexpr bool tails = Width > 1 && shape::axes == 0 && shape::columns < 0;
  template <class Constants, class Phase, lane_work Work>
  using lane_sweep_of =
      lane_sweep<wide_lanes<Width, shape::lane_bytes>, memory, Constants, tails, Phase, Work>;

  template <class Sweep, class Arguments, class Uniforms>
  __device__ __forceinline__ void run(const Arguments& a, const row_state<Arguments>& row,
                                      Uniforms& u, const lane_range& range) {
    auto totals = [&] {
      if constexpr (Walk == row_walk::registers) {
        return Sweep::run(a, row, u, range, registers_);
      } else {
        row_buffers buffers{static_cast<char*>(a.buffers), a.buffer_length};
        return Sweep::run(a, row, u, range, buffers);
      }
    }();
    if constexpr (Sweep::total_count > 0) {
      combine<Sweep>(totals);
      if constexpr (Walk == row_walk::by_sweeps) {
        if (threadIdx.x == 0) this->template leave<Sweep>(totals);
      } else {
        Sweep::publish(totals, u);
      }
    }
  }
  /// What other lanes keep is there, and stays there. (Blocks of one warp a row hold several teams.)
  __device__ __forceinline__ static void meet() {
    if (blockDim.x == warp_lanes) __syncwarp();
    else __syncthreads();
  }

  template <class Sweep, class Totals> __device__ __forceinline__ void combine(Totals& totals) {
#pragma unroll
    for (int step = warp_lanes / 2; step > 0; step /= 2)
      Sweep::for_each_total([&](auto r) {
        using R = decltype(r);
        auto& own = Sweep::template total<R>(totals);
        own = primal::combine<R::how>(own, on_cuda::exchanged(own, step));
      });
    const int warps = static_cast<int>(blockDim.x) / warp_lanes;
    if (warps == 1) return;
    Sweep::for_each_total([&](auto r) {
      using R = decltype(r);
      if (threadIdx.x % warp_lanes == 0)
        area<R>()[threadIdx.x / warp_lanes] = Sweep::template total<R>(totals);
    });
    __syncthreads();
    Sweep::for_each_total([&](auto r) {
      using R = decltype(r);
      Sweep::template total<R>(totals) = combine_warps<R::how>(area<R>(), warps);
    });
    exchange_ += exchange_size_;
    exchange_size_ = -exchange_size_;
  }
  template <class R> __device__ __forceinline__ typename R::scalar* area() const {
    return reinterpret_cast<typename R::scalar*>(exchange_ + R::number * on_cuda::most_warps);
  }
};

}  // namespace primal
