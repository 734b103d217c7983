// block: one block of a kernel, over a team of lanes that run side by side or one after the other.
#pragma once

#include <primal/kernel/block_grid.hpp>
#include <primal/kernel/lane_sweep.hpp>

namespace primal {

/// What an accumulation begins with.
template <class A> PRIMAL_INLINE typename A::element part_identity() {
  return static_cast<typename A::element>(identity_of<A::how, typename A::scalar>());
}

/// One accumulation of a block: where it adds up, and where that goes in the end.
template <class A> struct block_accumulator {
  typename A::element* held = nullptr;  // the block's own memory, or null
  typename A::element* target = nullptr;
  int count = 0;

  /// Redirects the access of the accumulation in `a`.
  template <class K, class Arguments>
  PRIMAL_INLINE block_accumulator(const block_call<K>& call, const block_sum& place,
                                  const block_share& own, Arguments& a, std::byte* memory) {
    using T = typename A::element;
    if (call.grid.parts > 1)
      a.base[A::access] =
          reinterpret_cast<T*>(call.scratch + place.parts_at) + own.part * place.part_step;
    if (!place.in_block) return;
    row_state<Arguments> row{};
    enter_row(a, row, own.first_row);
    held = reinterpret_cast<T*>(memory + place.memory_at);
    target = reinterpret_cast<T*>(row.at[A::access]);
    count = own.first_column == 0 ? 1 : 0;
    if (A::whole_row) {
      const auto left = a.columns - own.first_column;
      count =
          static_cast<int>(left < call.grid.columns_of_block ? left : call.grid.columns_of_block);
      target += own.first_column;
    }
    a.base[A::access] = held - (A::whole_row ? own.first_column : 0);
    PRIMAL_UNROLL
    for (int x = 0; x < Arguments::axis_room; ++x) a.stride[A::access][x] = 0;
  }

  template <class Team> PRIMAL_INLINE void begin(Team& team) const {
    if (!held) return;
    team.for_each_element(count, [&](int i) { held[i] = part_identity<A>(); });
  }
  /// `is_part`: the target is a part, which holds nothing yet.
  template <class Team> PRIMAL_INLINE void end(Team& team, bool is_part) const {
    using V = typename A::scalar;
    if (!held) return;
    team.for_each_element(count, [&](int i) {
      target[i] = is_part ? held[i]
                          : static_cast<typename A::element>(combine<A::how>(
                                static_cast<V>(target[i]), static_cast<V>(held[i])));
    });
  }
};

namespace block {

/// Runs the rows while the accumulations in the list add up in the block; `J` is the number of the first.
template <int J, class K, class Team>
PRIMAL_INLINE void run([[maybe_unused]] const block_call<K>& call,
                       typename block_call<K>::arguments& a, const block_share&, std::byte*,
                       Team& team, accumulation_list<>) {
  if constexpr (J > 0) team.barrier();
  if constexpr (Team::shares) run_sweep_of_rows(K{}, a, call.buffer_bytes, team, call.sweep);
  else run_rows(K{}, a, team);
  if constexpr (J > 0) team.barrier();
}
template <int J, class K, class Team, class A, class... Rest>
PRIMAL_INLINE void run(const block_call<K>& call, typename block_call<K>::arguments& a,
                       const block_share& own, std::byte* memory, Team& team,
                       accumulation_list<A, Rest...>) {
  const block_accumulator<A> accumulator(call, call.sums[J], own, a, memory);
  accumulator.begin(team);
  run<J + 1>(call, a, own, memory, team, accumulation_list<Rest...>{});
  accumulator.end(team, call.grid.parts > 1);
}

}  // namespace block

/// Is a row one of the block's own, in a kernel that does nothing but add rows at places?
template <class... S, class Arguments, class Uniforms>
PRIMAL_INLINE bool owns_row(phase<true, S...>, const Arguments& a, const Uniforms& u,
                            const block_share& own) {
  bool owns = true;
  const auto look = [&]<class T>(T) PRIMAL_LAMBDA_INLINE {
    constexpr auto s = T::fields;
    if constexpr (s.what == action::scatter)
      owns = checked_index(a, s.b.index, static_cast<std::int64_t>(read<s.c>(u, u))) % own.owners ==
             own.owner;
  };
  if (own.owners > 1) (look(S{}), ...);
  return owns;
}

/// Runs block `number`. `memory`: call.block_bytes that all lanes see.
template <class K, class Team>
PRIMAL_INLINE void run_block(const block_call<K>& call, std::int64_t number, const block_share& own,
                             std::byte* memory, Team& team) {
  auto a = call.a;
  a.extents = call.extents;
  if constexpr (Team::shares) {
    a.buffers = call.scratch;
    team.share(call.row_parts(own), call.sweep);
  } else {
    a.buffers = call.buffers_in_block ? memory : call.scratch + number * call.buffer_bytes;
  }
  block::run<0>(call, a, own, memory, team, accumulations_of<K>{});
}

// The second step: the parts of an element are added by a few lanes, and those by shuffles.

inline constexpr int part_lanes = 32;

/// What a lane adds.
template <class A>
PRIMAL_INLINE typename A::scalar sum_of_parts(const typename A::element* parts, std::int64_t step,
                                              std::int64_t count, std::int64_t element, int lane) {
  auto total = identity_of<A::how, typename A::scalar>();
  for (std::int64_t p = lane; p < count; p += part_lanes)
    total = combine<A::how>(total, static_cast<typename A::scalar>(parts[p * step + element]));
  return total;
}
template <class A> PRIMAL_INLINE void add_to(typename A::element& target, typename A::scalar x) {
  target =
      static_cast<typename A::element>(combine<A::how>(static_cast<typename A::scalar>(target), x));
}

}  // namespace primal
