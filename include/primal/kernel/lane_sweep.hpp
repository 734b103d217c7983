// lane_sweep: what one lane of a team does with a row. It owns the pieces lane, lane + lanes, ... of every row,
// in every sweep, so that what it keeps from one sweep to the next needs no barrier.
#pragma once

#include <primal/kernel/lane_memory.hpp>
#include <primal/kernel/scatters.hpp>

namespace primal {

/// What lanes do with the pieces of a row.
enum class lane_work {
  everything,
  all_but_meetings,  // what may meet at one place within the row is left for later
  meetings,  // that alone: each lane looks at the whole row, and adds to the places that are its own
};

/// A sweep, as lanes with values of `Lanes` run it.
template <class Lanes, class Memory, class Constants, bool Tails, class Sweep,
          lane_work Work = lane_work::everything, class = uniforms_read_by<Sweep>,
          class = sums_of<Sweep>>
struct lane_sweep;
template <class Lanes, class Memory, class Constants, bool Tails, class... S, lane_work Work,
          slot... U, sum_term... R>
struct lane_sweep<Lanes, Memory, Constants, Tails, phase<true, S...>, Work, slot_list<U...>,
                  sum_terms<R...>> {
  template <dtype T> using value = typename Lanes::template value<T>;
  using sweep = phase<true, S...>;
  using sum_sizes = banks_of<sweep, &phase_facts::sums>;

  /// The reductions of one lane, or of all.
  using totals = bank_set<scalar_value, sum_sizes>;
  static constexpr int total_count =
      Work == lane_work::meetings ? 0 : static_cast<int>(sizeof...(R));

  /// Runs the pieces of a lane and gives its part of the reductions.
  template <class Arguments, class Uniforms, class Buffers>
  PRIMAL_INLINE static totals run(const Arguments& a, const row_state<Arguments>& row,
                                  const Uniforms& u, const lane_range& own, Buffers& buffers) {
    bank_set<value, typename Uniforms::sizes> uniforms;
    ((item<U.type>(uniforms, U.index) = value<U.type>(item<U.type>(u, U.index))), ...);
    bank_set<value, sum_sizes> sums;
    ((item<R.to.type>(sums, R.sum) =
          value<R.to.type>(identity_of<R.how, scalar_value<R.to.type>>())),
     ...);
    if constexpr (Buffers::pieces > 0) {
      pieces(a, row, uniforms, sums, own, buffers,
             std::make_integer_sequence<int, Buffers::pieces>{});
    } else {
      PRIMAL_UNROLL_TWICE
      for (int c = own.first + own.lane * Lanes::count; c < own.last; c += own.lanes * Lanes::count)
        if (!piece<0>(a, row, uniforms, sums, own, buffers, c)) break;
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
  template <class T>
  static constexpr bool wanted =
      Work == lane_work::all_but_meetings
          ? !may_meet_in_row<T>
          : may_meet_in_row<T> || calculates<T> || T::fields.what == action::load ||
                T::fields.what == action::gather || T::fields.what == action::position ||
                T::fields.what == action::recall;

  /// Each in code of its own, so that what they keep has a register of its own.
  template <class Arguments, class Uniforms, class Sums, class Buffers, int... Piece>
  PRIMAL_INLINE static void pieces(const Arguments& a, const row_state<Arguments>& row,
                                   const Uniforms& u, Sums& sums, const lane_range& own,
                                   Buffers& buffers, std::integer_sequence<int, Piece...>) {
    const auto column = [&](int i) {
      return own.first + (own.lane + i * own.lanes) * Lanes::count;
    };
    static_cast<void>(
        ((column(Piece) < own.last && piece<Piece>(a, row, u, sums, own, buffers, column(Piece))) &&
         ...));
  }
  /// Is there another one?
  template <int Piece, class Arguments, class Uniforms, class Sums, class Buffers>
  PRIMAL_INLINE static bool piece(const Arguments& a, const row_state<Arguments>& row,
                                  const Uniforms& u, Sums& sums, const lane_range& own,
                                  Buffers& buffers, int c) {
    if constexpr (Tails)
      if (own.last - c < Lanes::count) {
        execute_all<Piece, true>(a, row, u, sums, own, buffers, c);
        return false;
      }
    execute_all<Piece, false>(a, row, u, sums, own, buffers, c);
    return true;
  }
  template <int Piece, bool Partial, class Arguments, class Uniforms, class Sums, class Buffers>
  PRIMAL_INLINE static void execute_all(const Arguments& a, const row_state<Arguments>& row,
                                        const Uniforms& u, Sums& sums, const lane_range& own,
                                        Buffers& buffers, int c) {
    const lane_piece<Lanes, Memory, Constants, Arguments, Buffers, Piece, Partial,
                     Work == lane_work::meetings>
        at{a, row, buffers, own, c, Partial ? own.last - c : Lanes::count};
    bank_set<value, banks_of<sweep, &phase_facts::locals>> r;
    if constexpr (Work == lane_work::everything)
      (execute<Lanes, S>(at, r, u, sums, operands_of<S>{}), ...);
    else (execute_wanted<S>(at, r, u, sums), ...);
  }
  template <class T, class Piece, class Locals, class Uniforms, class Sums>
  PRIMAL_INLINE static void execute_wanted(const Piece& at, Locals& r, const Uniforms& u,
                                           Sums& sums) {
    if constexpr (wanted<T>) execute<Lanes, T>(at, r, u, sums, operands_of<T>{});
  }
};

/// The sums of the warps of a block combined, in order.
template <combiner C, class T> PRIMAL_INLINE T combine_warps(const T* of_warp, int warps) {
  T total = of_warp[0];
  for (int w = 1; w < warps; ++w) total = combine<C>(total, of_warp[w]);
  return total;
}

}  // namespace primal
