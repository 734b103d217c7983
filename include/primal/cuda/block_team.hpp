// block_team: a row on the threads of a block. A lane is a thread.
#pragma once

#include <primal/cuda/device_memory.hpp>
#include <primal/kernel/block.hpp>

namespace primal {

namespace on_cuda {

/// The most threads of a team: with 512 a thread has 128 registers.
inline constexpr int most_lanes = 512, most_warps = most_lanes / warp_lanes;

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
template <class Shape, int Width> class block_team {
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
    return threadIdx.x == 0 && own_.first_column == 0;
  }
  __device__ __forceinline__ static void barrier() { __syncthreads(); }

  template <class F>
  __device__ __forceinline__ static void for_each_element(int count, const F& f) {
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) f(i);
  }

  template <class Constants, class... S, class Arguments, class Uniforms>
  __device__ __forceinline__ void sweep(phase<true, S...>, const Arguments& a,
                                        const row_state<Arguments>& row, Uniforms& u) {
    // The launch chooses packs only for rows of whole packs, but for the last row of one long axis.
    constexpr bool tails = Width > 1 && Shape::axes == 0 && Shape::columns < 0;
    using sweep = lane_sweep<wide_lanes<Width, Shape::lane_bytes>, memory, Constants, tails,
                             phase<true, S...>>;
    const int columns = static_cast<int>(Shape::columns >= 0 ? Shape::columns : row.columns);
    auto totals =
        sweep::run(a, row, u,
                   {own_.first_column, columns < own_.last_column ? columns : own_.last_column,
                    static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)});
    if constexpr (sweep::total_count > 0) {
      combine<sweep>(totals);
      sweep::publish(totals, u);
    }
  }

 private:
  block_share own_;
  unsigned long long* exchange_;
  int exchange_size_;

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
