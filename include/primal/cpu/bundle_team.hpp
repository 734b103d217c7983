// bundle_team: as many rows at once as a register has lanes, one row a lane. Short rows, and rows along an axis that
// is not the last one, have no sums over lanes this way, and no work for each row but its elements.
#pragma once

#include <primal/cpu/bundle_piece.hpp>
#include <primal/cpu/ramp.hpp>
#include <primal/cpu/transpose.hpp>

#include <algorithm>
#include <bit>

namespace primal {

/// Runs the phases of a kernel for some rows on the calling thread.
template <class K> class bundle_team;
template <class Shape, class Constants, class Once, class... Phases>
class bundle_team<kernel<Shape, Constants, Once, Phases...>> {
 public:
  using own = kernel<Shape, Constants, Once, Phases...>;
  using lanes = simd_lanes<Shape::lane_bytes>;
  using memory = unshared_memory;
  using bundle = typename Shape::rows;
  static constexpr int width = lanes::count;
  static constexpr bool leader() { return true; }

  /// How many elements of scratch memory a bundle needs for each element of a row: row buffers and staged arrays.
  static constexpr std::int64_t row_units =
      Shape::buffers + std::popcount(bundle::staged_in | bundle::staged_out);

  template <class Arguments>
  void run(const Arguments& arguments, std::int64_t first, std::int64_t last) {
    const Arguments a = arguments;
    row_state<Arguments> row{};
    for (int i = 0; i < Arguments::access_room; ++i) row.at[i] = static_cast<char*>(a.base[i]);
    bank_set<scalar_value, uniform_sizes> once{};
    run_phase<Constants>(Once{}, a, row, once, *this);
    uniforms u;
    spread(once, u, uniform_sizes{});
    const std::int64_t neighbours = a.extent[Arguments::axis_room - 1];
    for (std::int64_t r = first; r < last;) {
      auto left = std::min(last - r, neighbours - r % neighbours);
      enter_row(a, row, r);
      r += left;
      if constexpr (grouped)
        for (; left >= group * width; left -= group * width) run_group(a, row, u, Phases{}...);
      while (left > 0) {
        const auto n = static_cast<int>(std::min(left, std::int64_t{width}));
        if (dense_columns && n == width) run_bundle<!dense_columns>(a, row, u, width);
        else run_bundle<true>(a, row, u, n);
        advance(a, row, n);
        left -= n;
      }
    }
  }

 private:
  /// To the n-th next neighbour.
  template <class Arguments>
  static PRIMAL_INLINE void advance(const Arguments& a, row_state<Arguments>& row, int n) {
    constexpr int axis = Arguments::axis_room - 1;
    for (int k = 0; k < Arguments::access_room; ++k) row.at[k] += n * a.stride[k][axis];
    row.index[axis] += n;
  }

  template <dtype D> using value = typename lanes::template value<D>;
  using uniform_sizes = banks_of<own, &phase_facts::uniforms>;
  using uniforms = bank_set<value, uniform_sizes>;
  template <class Arguments, bool Partial>
  using piece = bundle_piece<Shape, Constants, Arguments, Partial>;

  template <bank_size... B>
  static PRIMAL_INLINE void spread(
      [[maybe_unused]] const bank_set<scalar_value, bank_sizes<B...>>& from,
      [[maybe_unused]] uniforms& to, bank_sizes<B...>) {
    [[maybe_unused]] const auto copy =
        [&]<bank_size Of>(std::integral_constant<bank_size, Of>) PRIMAL_LAMBDA_INLINE {
          for (int i = 0; i < Of.count; ++i)
            item<Of.type>(to, i) = value<Of.type>(item<Of.type>(from, i));
        };
    (copy(std::integral_constant<bank_size, B>{}), ...);
  }

  /// Are columns read and written where they lie? Whole bundles have code of their own then, without masks.
  static constexpr bool dense_columns = (bundle::staged_in | bundle::staged_out) == 0;

  /// Sums are put away every `stretch` columns: what is added to stays small, as in pairwise sums.
  static constexpr std::int64_t stretch = 256;

  /// Where all that a kernel does is to add up, several bundles side by side pass together: memory is read in longer
  /// pieces, and the sums do not wait for each other. (Where more is done with an element, lines of memory would leave
  /// the first-level cache before they are read again.)
  static constexpr int group = 4, most_live = 4;
  template <bool Sweep, class... S> static consteval int is_sweep(phase<Sweep, S...>) {
    return Sweep;
  }
  template <class... S> static consteval bool only_adds(phase<true, S...>) {
    constexpr auto& f = facts_about<phase<true, S...>>::value;
    return f.reductions > 0 && f.stores == 0 && f.expensive == 0 && f.live() <= most_live &&
           ((S::fields.what != action::gather) && ...);
  }
  template <class... S> static consteval bool only_adds(phase<false, S...>) { return false; }
  template <class First, class... Rest> static consteval bool begins_with_sums(First f, Rest...) {
    return only_adds(f);
  }
  static constexpr bool grouped =
      (is_sweep(Phases{}) + ... + 0) == 1 && begins_with_sums(Phases{}...) && dense_columns;

  template <class Arguments, class First, class... Rest>
  PRIMAL_INLINE void run_group(const Arguments& a, row_state<Arguments>& row, const uniforms& once,
                               First sweep, Rest...) {
    uniforms u[group] = {once, once, once, once};
    add_up(sweep, a, row, u, sums_of<First>{}, std::make_integer_sequence<int, group>{});
    for (auto& sums : u) {
      (run<false>(Rest{}, a, row, sums, width), ...);
      advance(a, row, width);
    }
  }
  template <class... S, class Arguments, sum_term... Sums, int... Un>
  static PRIMAL_INLINE void add_up(phase<true, S...>, const Arguments& a,
                                   const row_state<Arguments>& row, uniforms (&u)[group],
                                   sum_terms<Sums...>, std::integer_sequence<int, Un...>) {
    using sweep = phase<true, S...>;
    const uniforms known = u[0];
    const std::int64_t columns = Shape::columns >= 0 ? Shape::columns : row.columns;
    bank_set<value, banks_of<sweep, &phase_facts::sums>> sums[group];
    const auto clear = [&](int i) PRIMAL_LAMBDA_INLINE {
      ((item<Sums.to.type>(sums[i], Sums.sum) =
            value<Sums.to.type>(identity_of<Sums.how, scalar_value<Sums.to.type>>())),
       ...);
    };
    const auto put_away = [&](int i, bool adds) PRIMAL_LAMBDA_INLINE {
      const auto add_to =
          [&]<combiner How>(std::integral_constant<combiner, How>, auto& total, const auto& sum)
              PRIMAL_LAMBDA_INLINE { total = adds ? combine<How>(total, sum) : sum; };
      (add_to(std::integral_constant<combiner, Sums.how>{}, item<Sums.to.type>(u[i], Sums.to.index),
              item<Sums.to.type>(sums[i], Sums.sum)),
       ...);
    };
    const auto column = [&](std::int64_t c, int i) PRIMAL_LAMBDA_INLINE {
      const piece<Arguments, false> at{a, row, c, width, i * width};
      bank_set<value, banks_of<sweep, &phase_facts::locals>> r;
      (execute<lanes, S>(at, r, known, sums[i], operands_of<S>{}), ...);
    };
    std::int64_t c = 0;
    do {
      const bool adds = c > 0;
      const auto end = std::min(columns, c + stretch);
      (clear(Un), ...);
      for (; c < end; ++c) (column(c, Un), ...);
      (put_away(Un, adds), ...);
    } while (c < columns);
  }

  template <bool Partial, class Arguments>
  PRIMAL_INLINE void run_bundle(const Arguments& a, const row_state<Arguments>& row, uniforms& u,
                                int n) {
    move_staged<bundle::staged_in, true>(a, row, n);
    (run<Partial>(Phases{}, a, row, u, n), ...);
    move_staged<bundle::staged_out, false>(a, row, n);
  }
  /// Rows that lie one after another become columns in scratch memory, or the other way round.
  template <std::uint64_t Mask, bool In, class Arguments>
  static PRIMAL_INLINE void move_staged(const Arguments& a, const row_state<Arguments>& row,
                                        int n) {
    using base = typename lanes::base;
    const piece<Arguments, true> at{a, row, 0, n};
    for (int k = 0; Mask != 0 && k < Arguments::access_room; ++k) {
      if (!at.in(Mask, k)) continue;
      auto* const rows = reinterpret_cast<base*>(row.at[k]);
      const auto step = a.stride[k][Arguments::axis_room - 1] / std::int64_t{sizeof(base)};
      if constexpr (In) cpu::rows_to_registers<width>(rows, step, n, a.columns, at.staged(k));
      else cpu::registers_to_rows<width>(at.staged(k), n, a.columns, rows, step);
    }
  }

  /// What is done once a row.
  template <bool Partial, class... S, class Arguments>
  static PRIMAL_INLINE void run(phase<false, S...>, const Arguments& a,
                                const row_state<Arguments>& row, uniforms& u, int n) {
    (once_a_row<Partial, S>(a, row, u, n), ...);
  }
  template <bool Partial, class S, class Arguments>
  static PRIMAL_INLINE void once_a_row(const Arguments& a, const row_state<Arguments>& row,
                                       uniforms& u, int n) {
    constexpr auto s = S::fields;
    constexpr int axis = piece<Arguments, Partial>::axis;
    constexpr bool writes = s.what == action::store || s.what == action::accumulate;
    if constexpr (s.what == action::constant || s.what == action::extent) {
      using T = scalar_value<s.dst.type>;
      if constexpr (s.what == action::constant)
        item<s.dst.type>(u, s.dst.index) =
            value<s.dst.type>(constant_value<Constants, s.a.index, T>::value);
      else
        item<s.dst.type>(u, s.dst.index) = value<s.dst.type>(static_cast<T>(a.extents[s.a.index]));
    } else if constexpr (s.what == action::position && s.c.index != inner_axis) {
      using T = scalar_value<s.dst.type>;
      using steps = constant_value<Constants, s.b.index, T>;
      const auto first = static_cast<T>(row.index[s.c.index % Arguments::axis_room]);
      auto& x = item<s.dst.type>(u, s.dst.index);
      x = value<s.dst.type>(
          static_cast<T>(constant_value<Constants, s.a.index, T>::value + steps::value * first));
      if constexpr (s.c.index == axis) x = x + ramp<value<s.dst.type>, steps>();
    } else if constexpr (writes && (s.c.index >> axis & 1) != 0) {
      // What does not vary along these rows counts once.
      if (row.template at_origin<s.c.index>())
        execute<lanes, S>(piece<Arguments, true>{a, row, 0, 1}, u, u, u, operands_of<S>{});
    } else if constexpr (writes) {
      if (row.template at_origin<s.c.index>())
        execute<lanes, S>(piece<Arguments, Partial>{a, row, 0, n}, u, u, u, operands_of<S>{});
    } else {
      execute<lanes, S>(piece<Arguments, Partial>{a, row, 0, n}, u, u, u, operands_of<S>{});
    }
  }

  /// Column after column.
  template <bool Partial, class... S, class Arguments>
  static PRIMAL_INLINE void run(phase<true, S...> sweep, const Arguments& a,
                                const row_state<Arguments>& row, uniforms& u, int n) {
    using all = phase<true, S...>;
    run_sweep<Partial>(sweep, a, row, u, n, sums_of<all>{}, uniforms_read_by<all>{});
  }
  template <bool Partial, class... S, class Arguments, sum_term... Sums, slot... Read>
  static PRIMAL_INLINE void run_sweep(phase<true, S...>, const Arguments& arguments,
                                      const row_state<Arguments>& row, uniforms& u, int n,
                                      sum_terms<Sums...>, slot_list<Read...>) {
    using sweep = phase<true, S...>;
    const Arguments a = arguments;  // copies: what may alias a store is reloaded for every column
    const auto state = row;
    uniforms known;
    ((item<Read.type>(known, Read.index) = item<Read.type>(u, Read.index)), ...);
    const std::int64_t columns = Shape::columns >= 0 ? Shape::columns : state.columns;
    bank_set<value, banks_of<sweep, &phase_facts::sums>> sums, totals;
    const auto clear = [](auto& b) PRIMAL_LAMBDA_INLINE {
      ((item<Sums.to.type>(b, Sums.sum) =
            value<Sums.to.type>(identity_of<Sums.how, scalar_value<Sums.to.type>>())),
       ...);
    };
    clear(totals);
    for (std::int64_t c = 0; c < columns;) {
      clear(sums);
      const auto end = std::min(columns, c + stretch);
      for (; c < end; ++c) {
        const piece<Arguments, Partial> at{a, state, c, n};
        bank_set<value, banks_of<sweep, &phase_facts::locals>> r;
        (execute<lanes, S>(at, r, known, sums, operands_of<S>{}), ...);
      }
      ((item<Sums.to.type>(totals, Sums.sum) = combine<Sums.how>(
            item<Sums.to.type>(totals, Sums.sum), item<Sums.to.type>(sums, Sums.sum))),
       ...);
    }
    ((item<Sums.to.type>(u, Sums.to.index) = item<Sums.to.type>(totals, Sums.sum)), ...);
  }
};

}  // namespace primal
