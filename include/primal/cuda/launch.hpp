// launch: a kernel on a stream, without waiting for it.
#pragma once

#include <primal/cuda/block_team.hpp>
#include <primal/cuda/error.hpp>
#include <primal/kernel/kernel_name.hpp>

#include <limits>

namespace primal::on_cuda {

/// A block walks its share of the rows; blocks of one warp a row hold several teams along y. `first`: the number of the
/// first team of this launch.
template <int Width, row_walk Walk, class Shape, class C, class... P>
__global__ void __launch_bounds__(most_lanes, 1)
    run_blocks(const __grid_constant__ block_call<kernel<Shape, C, P...>> call, std::int64_t first,
               std::int64_t blocks) {
  using K = kernel<Shape, C, P...>;
  extern __shared__ float4 block_memory[];
  constexpr int words = most_reductions<K> * most_warps;
  static_assert(2 * words <= 1024, "primal: a sweep with more than 32 reductions");
  __shared__ unsigned long long exchange[2 * words + 1];
  const auto number = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  if (number >= blocks) return;
  const block_share own(call.grid, number);
  block_team<K, Width, Walk> team(own, exchange, words);
  run_block(call, number, own,
            reinterpret_cast<std::byte*>(block_memory) + threadIdx.y * call.block_bytes, team);
}

/// Everything becomes x.
template <class T> __global__ void fill_with(T* to, T x, std::int64_t count) {
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += step)
    to[i] = x;
}

/// How rows accumulate, in a form that a __global__ template can have.
template <dtype Type, combiner How> struct parts_of {
  static constexpr combiner how = How;
  using element = element_of<Type>;
  using scalar = element_of<compute_dtype(Type)>;
};

/// Adds the parts of 32 elements; threads along y share the parts of each.
template <dtype Type, combiner How>
__global__ void __launch_bounds__(part_lanes* part_lanes)
    add_parts(typename parts_of<Type, How>::element* target,
              const typename parts_of<Type, How>::element* parts, std::int64_t span,
              std::int64_t step_of_part, std::int64_t count) {
  using A = parts_of<Type, How>;
  __shared__ typename A::scalar sums[part_lanes][part_lanes + 1];
  const auto first = static_cast<std::int64_t>(blockIdx.x) * part_lanes;
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  if (first + x < span) sums[y][x] = sum_of_parts<A>(parts, step_of_part, count, first + x, y);
  __syncthreads();
  auto own = sums[x][y];
  for (int step = part_lanes / 2; step > 0; step /= 2)
    own = combine<How>(own, exchanged(own, step));
  if (x == 0 && first + y < span) add_to<A>(target[first + y], own);
}

/// Are all elements that are next to each other in packs aligned, in every row?
template <class K, class Arguments> bool has_aligned_packs(const Arguments& a, int width) {
  if (a.row_length == 0 && a.columns % width != 0) return false;
  bool aligned = true;
  for (int k = 0; k < K::shape::accesses; ++k) {
    if (a.inner_stride[k] != 1 || a.index_extent[k] != 0) continue;  // element by element
    const auto unit = alignment_of(a.element_size[k], width);
    aligned = aligned &&
              reinterpret_cast<std::uintptr_t>(a.base[k]) % static_cast<std::uintptr_t>(unit) == 0;
    for (int x = 0; x < K::shape::axes; ++x)
      aligned = aligned && (a.extent[x] == 1 || a.stride[k][x] % unit == 0);
  }
  return aligned;
}

/// Shared memory that a block has without asking for more, beside what reductions need.
inline constexpr int usual_block_memory = 39 * 1024;
/// The most blocks of a launch.
inline constexpr std::int64_t most_blocks = std::numeric_limits<int>::max();
/// The most columns of a row, which threads count in 32 bits, some past the end.
inline constexpr std::int64_t most_columns = most_blocks - (1 << 16);

template <class... P> struct phases {};
template <class Shape, class C, class... P> struct parts_of_kernel {};
template <class Shape, class C, class... P>
parts_of_kernel<Shape, C, P...> parts(kernel<Shape, C, P...>);

/// nvcc must spell the types of a kernel. It remembers the first spelling of each, and cannot repeat one that was a
/// typedef in a class template. So a kernel is taken apart, phase by phase, and put together here.
template <int Width, row_walk Walk, class... P, std::int64_t Columns, int Axes, int Accesses,
          int Buffers, int LaneBytes, class Rows, class C, class Call>
void launch_blocks(
    phases<P...>, parts_of_kernel<loop_shape<Columns, Axes, Accesses, Buffers, LaneBytes, Rows>, C>,
    const Call& call, cudaStream_t stream) {
  using K = kernel<loop_shape<Columns, Axes, Accesses, Buffers, LaneBytes, Rows>, C, P...>;
  const auto run =
      run_blocks<Width, Walk, loop_shape<Columns, Axes, Accesses, Buffers, LaneBytes, Rows>, C,
                 P...>;
  const int lanes =
      lanes_for(std::min(columns_of(call.a), call.grid.columns_of_block), Width, block_limits{});
  const auto blocks = call.grid.blocks();
  const int teams =
      accumulations_of<K>::count == 0 ? rows_of_block(lanes, blocks, call.block_bytes) : 1;
  const auto memory = static_cast<int>(call.block_bytes) * teams;
  if (memory > usual_block_memory)
    check(cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, memory),
          "cudaFuncSetAttribute");
  for (std::int64_t first = 0; first < blocks; first += most_blocks * teams) {
    const auto own = std::min((blocks - first + teams - 1) / teams, most_blocks);
    run<<<static_cast<unsigned>(own),
          dim3(static_cast<unsigned>(lanes), static_cast<unsigned>(teams)),
          static_cast<std::size_t>(memory), stream>>>(call, first, blocks);
    if (const auto status = cudaPeekAtLastError(); status != cudaSuccess)
      check(status, join("the launch of the kernel of ", kernel_name(K{})).str().c_str());
  }
}
template <int Width, row_walk Walk, class... P, class Shape, class C, bool Sweep, class... S,
          class... Rest, class Call>
void launch_blocks(phases<P...>, parts_of_kernel<Shape, C, phase<Sweep, S...>, Rest...>,
                   const Call& call, cudaStream_t stream) {
  launch_blocks<Width, Walk>(phases<P..., phase<Sweep, S...>>{},
                             parts_of_kernel<Shape, C, Rest...>{}, call, stream);
}

template <class T> void fill(T* to, T x, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  constexpr std::int64_t threads = 256;
  fill_with<<<static_cast<unsigned>(std::min<std::int64_t>((count + threads - 1) / threads, 4096)),
              threads, 0, stream>>>(to, x, count);
  check_launch("the launch of a fill");
}

/// Runs all rows, and then adds the parts.
template <int Width, row_walk Walk, class K>
void launch(block_call<K> call, std::byte* scratch, cudaStream_t stream) {
  if (call.grid.blocks() == 0) return;
  call.scratch = scratch;
  call.for_each_sum([&]<class A>(const block_sum& place, A) {
    if (place.fill_first)
      fill(reinterpret_cast<typename A::element*>(scratch + place.parts_at), part_identity<A>(),
           call.grid.parts * place.part_step, stream);
  });
  const int launches = Walk == row_walk::by_sweeps ? call.launches : 1;
  for (; call.sweep < launches; ++call.sweep)
    launch_blocks<Width, Walk>(phases<>{}, decltype(parts(K{})){}, call, stream);
  if (call.grid.parts == 1) return;
  call.for_each_sum([&]<class A>(const block_sum& place, A) {
    const auto blocks = static_cast<unsigned>((place.span + part_lanes - 1) / part_lanes);
    add_parts<A::type, A::how><<<blocks, dim3(part_lanes, part_lanes), 0, stream>>>(
        static_cast<typename A::element*>(call.a.base[A::access]),
        reinterpret_cast<const typename A::element*>(scratch + place.parts_at), place.span,
        place.part_step, call.grid.parts);
    check_launch("the launch of an addition");
  });
}

/// How many neighbouring elements a thread loads and stores together: 16 bytes of the widest type.
template <class K>
inline constexpr int pack_width = std::clamp(16 / std::max(facts_about<K>::value.widest, 1), 2, 8);

/// Is this way of walking rows ever chosen? Only then is the kernel compiled for it.
template <class K, int Width> constexpr bool may_walk(row_walk walk) {
  constexpr block_limits limits{};
  constexpr auto known = K::shape::columns;
  if constexpr (known > 0) {
    return walk_for(needs_of<K>(known), Width, limits) == walk ||
           walk_for(needs_of<K>(known, 1), Width, limits) == walk;
  } else {
    constexpr auto row = needs_of<K>(1);
    if (walk == row_walk::registers) return walk_for(row, Width, limits) == walk;
    return walk == row_walk::by_sweeps ? row.splits : can_walk(walk, row, Width, limits);
  }
}
/// f(call, constant) for the way in which the rows of a kernel are walked.
template <class K, int Width, class F>
void with_walk(const typename block_call<K>::arguments& a, const F& f) {
  const auto walk = walk_for(needs_for<K>(a), Width, block_limits{});
  const auto visit = [&]<row_walk Walk>(std::integral_constant<row_walk, Walk> own) {
    if constexpr (may_walk<K, Width>(Walk))
      if (walk == Walk) f(block_call<walked<K, Walk>>(a, {}, Walk), own);
  };
  visit(std::integral_constant<row_walk, row_walk::again>{});
  visit(std::integral_constant<row_walk, row_walk::shared>{});
  visit(std::integral_constant<row_walk, row_walk::registers>{});
  visit(std::integral_constant<row_walk, row_walk::by_sweeps>{});
}

/// The bytes that a launch needs. (Whether arrays are aligned is not known yet.)
template <class K> std::int64_t scratch_bytes(const typename block_call<K>::arguments& a) {
  auto most = block_call<K>(a, {}).scratch_bytes;
  with_walk<K, pack_width<K>>(
      a, [&](const auto& call, auto) { most = std::max(most, call.scratch_bytes); });
  return most;
}

template <class K>
void launch(const typename block_call<K>::arguments& a, std::byte* scratch, cudaStream_t stream) {
  if (columns_of(a) > most_columns)
    raise<cuda_error>(join("primal: the kernel of ", kernel_name(K{}), ": rows of more than ",
                           most_columns, " elements")
                          .str());
  constexpr int width = pack_width<K>;
  constexpr bool never_packed = K::shape::columns > 0 && K::shape::columns % width != 0;
  if constexpr (!never_packed)
    if (has_aligned_packs<K>(a, width))
      return with_walk<K, width>(
          a, [&]<row_walk Walk>(const auto& call, std::integral_constant<row_walk, Walk>) {
            launch<width, Walk>(call, scratch, stream);
          });
  launch<1, row_walk::again>(block_call<K>(a, {}), scratch, stream);
}

}  // namespace primal::on_cuda
