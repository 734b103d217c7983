// simd_team: a row in the registers of one core.
#pragma once

#include <primal/cpu/simd_piece.hpp>
#include <primal/cpu/streaming.hpp>

namespace primal {

#if defined(__clang__)
#define PRIMAL_NO_UNROLL _Pragma("clang loop unroll(disable)")
#elif defined(__CUDACC__)  // nvcc warns of pragmas that it does not know
#define PRIMAL_NO_UNROLL
#else
#define PRIMAL_NO_UNROLL _Pragma("GCC unroll 1")
#endif

/// Runs the rows from `first` to `last` on the calling thread. Where `Streams`, sweeps write past the caches: the same
/// function for both would make short rows up to 1.3 times slower (384 floats).
template <class Shape, bool Streams = false> class simd_team {
 public:
  using lanes = simd_lanes<Shape::lane_bytes>;
  using memory = unshared_memory;
  static constexpr int width = lanes::count;

  simd_team(std::int64_t first, std::int64_t last) : first_(first), last_(last) {}
  std::int64_t first_row() const { return first_; }
  std::int64_t last_row() const { return last_; }
  static constexpr std::int64_t row_step() { return 1; }
  static constexpr bool leader() { return true; }

  /// Every piece of the row passes through the statements, in order; then the reductions are combined.
  template <class Constants, class... S, class Arguments, class Uniforms>
  PRIMAL_INLINE void sweep(phase<true, S...>, const Arguments& arguments,
                           const row_state<Arguments>& row, Uniforms& u) const {
    using own = phase<true, S...>;
    sweep_unrolled<Constants, S...>(
        arguments, row, u, std::make_integer_sequence<int, pieces_of<own>()>{},
        uniforms_read_by<own>{}, sums_of<own>{}, banks_of<own, &phase_facts::places>{});
  }

 private:
  std::int64_t first_, last_;

  static constexpr int registers = 24;  // for values of pieces
  static constexpr int woven_pieces = 4;

  /// Do pieces of a phase pass through each statement together? If it is long, those after the first would not fit into
  /// the window of a processor. (100 operations, each on the result of the one before: 1.9 times as fast.)
  template <class Phase> static consteval bool is_woven() {
    constexpr auto& f = facts_about<Phase>::value;
    if constexpr (f.expensive > 0 || f.reductions > 0 || f.statements < 40 || f.counts_places())
      return false;
    else return woven_pieces * most_alive(Phase{}) <= registers;
  }
  /// How many pieces are in flight: enough sums to hide the latency of adding, but no spills.
  template <class Phase> static consteval int pieces_of() {
    constexpr auto& f = facts_about<Phase>::value;
    if (is_woven<Phase>()) return woven_pieces;
    if (f.expensive > 0 || f.live() > registers) return 1;
    if (f.reductions > 0) return f.reductions > 2 ? 2 : 4;
    return 2;
  }
  template <dtype D> using value = typename lanes::template value<D>;

  template <class Constants, class... S, class Arguments, class Uniforms, int... Un, slot... Read,
            sum_term... Sums, bank_size... Places>
  PRIMAL_INLINE void sweep_unrolled(const Arguments& arguments, const row_state<Arguments>& row,
                                    Uniforms& u, std::integer_sequence<int, Un...>,
                                    slot_list<Read...>, sum_terms<Sums...>,
                                    bank_sizes<Places...>) const {
    using own = phase<true, S...>;
    constexpr auto& f = facts_about<own>::value;
    constexpr int pieces = sizeof...(Un);
    const Arguments a = arguments;  // copies: what may alias a store is reloaded in every piece
    const auto state = row;
    auto n = Shape::columns >= 0 ? Shape::columns : state.columns;
    // Hidden in every sweep: a row of a known length would be unrolled (1.15 times slower), and what
    // the bounds of several sweeps have in common kept in memory (1.06).
    asm volatile("" : "+r"(n));
    constexpr std::int64_t left = Shape::columns < 0 ? -1 : Shape::columns % (pieces * width);

    bank_set<value, typename Uniforms::sizes> shared;
    ((item<Read.type>(shared, Read.index) = value<Read.type>(item<Read.type>(u, Read.index))), ...);
    // The sums of a long row are put away every `stretch` elements: what is added to stays small, as in pairwise
    // sums. (Of a million equal elements: 12 units in the last place off instead of 1,260.)
    constexpr std::int64_t stretch = 128 * pieces * width;
    constexpr bool is_long = f.reductions > 0 && (Shape::columns < 0 || Shape::columns > stretch);
    bank_set<value, banks_of<own, &phase_facts::sums>> sums[pieces];
    const auto clear = []([[maybe_unused]] auto& s) PRIMAL_LAMBDA_INLINE {
      ((item<Sums.to.type>(s, Sums.sum) =
            value<Sums.to.type>(identity_of<Sums.how, scalar_value<Sums.to.type>>())),
       ...);
    };
    const auto join = [&]() PRIMAL_LAMBDA_INLINE {
      ((item<Sums.to.type>(sums[0], Sums.sum) = joined<Sums.how, Sums.to.type>(sums, Sums.sum)),
       ...);
    };
    bank_set<scalar_value, banks_of<own, &phase_facts::sums>> lost{};
    const auto put_away = [&]([[maybe_unused]] bool adds) PRIMAL_LAMBDA_INLINE {
      (add_up<Sums.how>(item<Sums.to.type>(u, Sums.to.index), item<Sums.to.type>(lost, Sums.sum),
                        adds, item<Sums.to.type>(sums[0], Sums.sum)),
       ...);
    };
    if constexpr (is_long)  // (read only if `adds`, which g++ does not see)
      ((item<Sums.to.type>(u, Sums.to.index) = identity_of<Sums.how, scalar_value<Sums.to.type>>()),
       ...);

    // Places in the row count on from piece to piece: to find them anew took twice the instructions.
    bank_set<value, bank_sizes<Places...>> places;
    ((item<Places.type>(places, 0) =
          value<Places.type>(static_cast<scalar_value<Places.type>>(state.first_column)) +
          ramp<value<Places.type>, std::integral_constant<int, 1>>()),
     ...);

    constexpr int stored = Streams ? cpu::first_streamed(cpu::streamed_by<Shape>(own{})) : -1;
    bool streamed = false;
    const auto body = [&]<bool Partial>(std::bool_constant<Partial>, std::int64_t c, int present,
                                        auto& to) PRIMAL_LAMBDA_INLINE {
      const simd_piece<lanes, Constants, Arguments, decltype(places), Partial, Streams> piece{
          a, state, places, c, present, streamed};
      bank_set<value, banks_of<own, &phase_facts::locals>> r;
      (execute<lanes, S>(piece, r, shared, to, operands_of<S>{}), ...);
      ((item<Places.type>(places, 0) =
            item<Places.type>(places, 0) +
            value<Places.type>(static_cast<scalar_value<Places.type>>(present))),
       ...);
    };
    std::int64_t c = 0;
    // As many bodies, statement by statement.
    const auto woven = [&]() PRIMAL_LAMBDA_INLINE {
      const simd_piece<lanes, Constants, Arguments, decltype(places), false, Streams> piece[] = {
          {a, state, places, c + Un * width, width, streamed}...};
      bank_set<value, banks_of<own, &phase_facts::locals>> r[pieces];
      (execute_each<lanes, S>(piece, r, shared, sums, std::integer_sequence<int, Un...>{}), ...);
    };
    // Column c is hidden as well: to know the last one ahead costs more than short rows do.
    const auto whole = [&](std::int64_t end) PRIMAL_LAMBDA_INLINE {
      ((Un > 0 ? clear(sums[Un]) : void()), ...);
      do {
        if constexpr (is_woven<own>()) woven();
        else (body(std::false_type{}, c + Un * width, width, sums[Un]), ...);
        c += pieces * width;
        asm volatile("" : "+r"(c));
      } while (c + pieces * width <= end);
      join();
    };
    const auto rest = [&](std::int64_t end) PRIMAL_LAMBDA_INLINE {
      if constexpr (!Streams && pieces > 1 && f.live() > 10 &&
                    left != 0) {  // one more copy of a long body costs compile time
        PRIMAL_NO_UNROLL
        for (; c < end; c += width)
          body(std::true_type{}, c, static_cast<int>(end - c < width ? end - c : width), sums[0]);
      } else {
        if constexpr (pieces > 1 && (left < 0 || left >= width)) {
          PRIMAL_NO_UNROLL
          for (; c + width <= end; c += width) {
            body(std::false_type{}, c, width, sums[0]);
            asm volatile("" : "+r"(c));
          }
        }
        if constexpr (left < 0 || left % width != 0)
          if (c < end) body(std::true_type{}, c, static_cast<int>(end - c), sums[0]);
      }
    };
    clear(sums[0]);
    if constexpr (f.reductions == 0) {
      if constexpr (stored >= 0) {
        auto end = n;
        if constexpr (left % width != 0)
          end = cpu::before_line(state.at[stored], n, Shape::lane_bytes);
        streamed = begin_lines<S...>(state, end == n ? 0 : end);
        if (end != n) {
          rest(end);
          c = end;
        }
      }
      if (n - c >= pieces * width) whole(n);
      rest(n);
    } else {
      if constexpr (stored >= 0) streamed = begin_lines<S...>(state, 0);
      bool adds = false;
      if (n >= pieces * width)
        for (;;) {
          const auto end = is_long && __builtin_expect(n - c > stretch, 0) ? c + stretch : n;
          if (!is_long || end - c >= pieces * width) whole(end);
          if (!is_long || end == n) break;
          put_away(adds);
          adds = true;
          clear(sums[0]);
        }
      rest(n);
      put_away(adds);
      if (is_long && __builtin_expect(adds, 0))
        (add_lost<Sums.how>(item<Sums.to.type>(u, Sums.to.index),
                            item<Sums.to.type>(lost, Sums.sum)),
         ...);
    }
  }

  /// Do all of them begin a line of memory at a column?
  template <class... S, class Arguments>
  static PRIMAL_INLINE bool begin_lines(const row_state<Arguments>& row, std::int64_t column) {
    std::uintptr_t bits = 0;
    ((bits |= cpu::stores_lanes<Shape, S>
                  ? reinterpret_cast<std::uintptr_t>(
                        row.at[cpu::stores_lanes<Shape, S> ? S::fields.b.index : 0]) +
                        static_cast<std::uintptr_t>(column * Shape::lane_bytes)
                  : 0),
     ...);
    return bits % cpu::line == 0;
  }
  /// Is what is combined a rounded sum?
  template <combiner How, class T>
  static constexpr bool is_rounded = How == combiner::sum && std::is_floating_point_v<T>;
  /// The lanes of a register become a value of the row, or are added to it: then what the rounded sum has lost is
  /// added up as well (Neumaier's summation).
  template <combiner How, class T, class V>
  static PRIMAL_INLINE void add_up(T& whole, T& lost, bool adds, const V& lanes) {
    const T folded = cpu::fold<How>(lanes);
    if (__builtin_expect(!adds, 1)) {
      whole = folded;
      lost = T();
      return;
    }
    const T before = whole;
    whole = combine<How>(before, folded);
    if constexpr (is_rounded<How, T>) {
      const bool larger = (before < 0 ? -before : before) >= (folded < 0 ? -folded : folded);
      lost += larger ? (before - whole) + folded : (folded - whole) + before;
    }
  }
  /// (Where the sum is infinite, what it lost is not a number.)
  template <combiner How, class T> static PRIMAL_INLINE void add_lost(T& whole, const T& lost) {
    if constexpr (is_rounded<How, T>)
      if (lost == lost) whole += lost;
  }
  /// Sum number i of all pieces in flight.
  template <combiner How, dtype D, class Sums, std::size_t Pieces>
  static PRIMAL_INLINE value<D> joined(const Sums (&sums)[Pieces], int i) {
    if constexpr (Pieces == 1) return item<D>(sums[0], i);
    else if constexpr (Pieces == 2) return combine<How>(item<D>(sums[0], i), item<D>(sums[1], i));
    else
      return combine<How>(combine<How>(item<D>(sums[0], i), item<D>(sums[1], i)),
                          combine<How>(item<D>(sums[2], i), item<D>(sums[3], i)));
  }
};

}  // namespace primal
