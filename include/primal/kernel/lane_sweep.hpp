// lane_sweep: what one lane of a team does with a row. It owns the pieces lane, lane + lanes, ... of every row,
// in every sweep, so that what it keeps from one sweep to the next needs no barrier.
#pragma once

#include <primal/kernel/lane_memory.hpp>

namespace primal {

/// The columns of a row that a block works on, and which of its lanes is meant.
struct lane_range {
  int first, last;  // columns
  int lane, lanes;
};

/// A sweep, as lanes with values of `Lanes` run it.
template <class Lanes, class Memory, class Constants, bool Tails, class Sweep,
          class = uniforms_read_by<Sweep>, class = sums_of<Sweep>>
struct lane_sweep;
template <class Lanes, class Memory, class Constants, bool Tails, class... S, slot... U,
          sum_term... R>
struct lane_sweep<Lanes, Memory, Constants, Tails, phase<true, S...>, slot_list<U...>,
                  sum_terms<R...>> {
  template <dtype T> using value = typename Lanes::template value<T>;
  using sweep = phase<true, S...>;
  using sum_sizes = banks_of<sweep, &phase_facts::sums>;

  /// The reductions of one lane, or of all.
  using totals = bank_set<scalar_value, sum_sizes>;
  static constexpr int total_count = static_cast<int>(sizeof...(R));

  /// Runs the pieces of a lane and gives its part of the reductions.
  template <class Arguments, class Uniforms>
  PRIMAL_INLINE static totals run(const Arguments& a, const row_state<Arguments>& row,
                                  const Uniforms& u, const lane_range& own) {
    bank_set<value, typename Uniforms::sizes> uniforms;
    ((item<U.type>(uniforms, U.index) = value<U.type>(item<U.type>(u, U.index))), ...);
    bank_set<value, sum_sizes> sums;
    ((item<R.to.type>(sums, R.sum) =
          value<R.to.type>(identity_of<R.how, scalar_value<R.to.type>>())),
     ...);
    PRIMAL_UNROLL_TWICE
    for (int c = own.first + own.lane * Lanes::count; c < own.last; c += own.lanes * Lanes::count) {
      if constexpr (Tails)
        if (own.last - c < Lanes::count) {
          piece<true>(a, row, uniforms, sums, c, own.last - c);
          break;
        }
      piece<false>(a, row, uniforms, sums, c, Lanes::count);
    }
    totals t;
    ((item<R.to.type>(t, R.sum) = fold<R.how>(item<R.to.type>(sums, R.sum))), ...);
    return t;
  }

  /// f(reduction<R>{}) for every reduction R.
  template <class F> PRIMAL_INLINE static void for_each_total(F&& f) { (f(reduction<R>{}), ...); }
  /// A reduction in a bank of totals.
  template <class Reduction> PRIMAL_INLINE static auto& total(totals& t) {
    return item<Reduction::type>(t, Reduction::index);
  }

  /// The reductions become values of the row.
  template <class Uniforms> PRIMAL_INLINE static void publish(totals& t, Uniforms& u) {
    ((item<R.to.type>(u, R.to.index) = item<R.to.type>(t, R.sum)), ...);
  }

  /// Where a reduction adds up, and how.
  template <sum_term Term> struct reduction {
    static constexpr dtype type = Term.to.type;
    static constexpr int index = Term.sum;
    static constexpr combiner how = Term.how;
    static constexpr int count_before() {
      int n = index;
      for (int d = 0; d < static_cast<int>(type); ++d) n += totals::count_of(static_cast<dtype>(d));
      return n;
    }
    static constexpr int number = count_before();
    using scalar = scalar_value<type>;
  };

 private:
  template <bool Partial, class Arguments, class Uniforms, class Sums>
  PRIMAL_INLINE static void piece(const Arguments& a, const row_state<Arguments>& row,
                                  const Uniforms& u, Sums& sums, int c, int n) {
    const lane_piece<Lanes, Memory, Constants, Arguments, Partial> at{a, row, c, n};
    bank_set<value, banks_of<sweep, &phase_facts::locals>> r;
    (execute<Lanes, S>(at, r, u, sums, operands_of<S>{}), ...);
  }
};

/// How many lanes exchange their sums by shuffles, as a warp of CUDA threads does.
inline constexpr int warp_lanes = 32;

/// The sums of the warps of a block combined, in order.
template <combiner C, class T> PRIMAL_INLINE T combine_warps(const T* of_warp, int warps) {
  T total = of_warp[0];
  for (int w = 1; w < warps; ++w) total = combine<C>(total, of_warp[w]);
  return total;
}

}  // namespace primal
