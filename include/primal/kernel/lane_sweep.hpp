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
          class = std::make_integer_sequence<int, dtype_count>>
struct lane_sweep;
template <class Lanes, class Memory, class Constants, bool Tails, class... S, int... D>
struct lane_sweep<Lanes, Memory, Constants, Tails, phase<true, S...>,
                  std::integer_sequence<int, D...>> {
  template <dtype T> using value = typename Lanes::template value<T>;
  static constexpr phase_facts facts = facts_about<phase<true, S...>>::value;

  /// The reductions of one lane, or of all.
  using totals = bank_set<scalar_value, facts.sums[D]...>;
  static constexpr int total_count = facts.reductions;

  /// Runs the pieces of a lane and gives its part of the reductions.
  template <class Arguments, class Uniforms>
  PRIMAL_INLINE static totals run(const Arguments& a, const row_state<Arguments>& row,
                                  const Uniforms& u, const lane_range& own) {
    bank_set<value, Uniforms::counts[D]...> uniforms;
    (broadcast<static_cast<dtype>(D)>(uniforms, u), ...);
    bank_set<value, facts.sums[D]...> sums;
    (clear<S>(sums), ...);
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
    (fold_sum<S>(t, sums), ...);
    return t;
  }

  /// f(reduction<S>{}) for every reduce statement S.
  template <class F> PRIMAL_INLINE static void for_each_total(F&& f) { (visit<S>(f), ...); }
  /// A reduction in a bank of totals.
  template <class R> PRIMAL_INLINE static auto& total(totals& t) {
    return t.template of<R::type>()[R::index];
  }

  /// The reductions become values of the row.
  template <class Uniforms> PRIMAL_INLINE static void publish(totals& t, Uniforms& u) {
    (publish_sum<S>(t, u), ...);
  }

  /// Where a reduce statement adds up, and how.
  template <class Statement> struct reduction {
    static constexpr dtype type = Statement::fields.dst.type;
    static constexpr int index = sum_field::from(Statement::fields.c.index).sum;
    static constexpr combiner how = sum_field::from(Statement::fields.c.index).how;
    static constexpr int count_before() {
      int n = index;
      for (int d = 0; d < static_cast<int>(type); ++d) n += facts.sums[d];
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
    bank_set<value, facts.locals[D]...> r;
    (execute<Lanes, S>(at, r, u, sums), ...);
  }
  template <dtype T, class Out, class Uniforms>
  PRIMAL_INLINE static void broadcast(Out& out, const Uniforms& u) {
    constexpr int count = Uniforms::counts[static_cast<int>(T)];
    if constexpr (count > 0) broadcast_all<T>(out, u, std::make_integer_sequence<int, count>{});
  }
  template <dtype T, class Out, class Uniforms, int... I>
  PRIMAL_INLINE static void broadcast_all(Out& out, const Uniforms& u,
                                          std::integer_sequence<int, I...>) {
    ((out.template of<T>()[I] = value<T>(u.template of<T>()[I])), ...);
  }
  template <class Statement>
  static constexpr bool reduces = Statement::fields.what == action::reduce;
  template <class Statement, class Sums> PRIMAL_INLINE static void clear(Sums& sums) {
    using R = reduction<Statement>;
    if constexpr (reduces<Statement>)
      sums.template of<R::type>()[R::index] =
          value<R::type>(identity_of<R::how, typename R::scalar>());
  }
  template <class Statement, class Sums>
  PRIMAL_INLINE static void fold_sum(totals& t, const Sums& sums) {
    using R = reduction<Statement>;
    if constexpr (reduces<Statement>)
      total<R>(t) = fold<R::how>(sums.template of<R::type>()[R::index]);
  }
  template <class Statement, class F> PRIMAL_INLINE static void visit(F& f) {
    if constexpr (reduces<Statement>) f(reduction<Statement>{});
  }
  template <class Statement, class Uniforms>
  PRIMAL_INLINE static void publish_sum(totals& t, Uniforms& u) {
    using R = reduction<Statement>;
    if constexpr (reduces<Statement>)
      u.template of<R::type>()[Statement::fields.dst.index] = total<R>(t);
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
