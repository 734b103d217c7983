// long_rows: rows that several blocks share. Each sweep is a launch of its own: its blocks leave their parts of the
// row's reductions in memory, and those of later sweeps combine the parts, in order.
#pragma once

#include <primal/kernel/rows.hpp>

#include <algorithm>

namespace primal {

namespace long_rows {

template <class P> inline constexpr bool is_sweep = false;
template <class... S> inline constexpr bool is_sweep<phase<true, S...>> = true;
template <class P> inline constexpr bool writes = false;
template <class... S>
inline constexpr bool writes<phase<false, S...>> =
    ((S::fields.what == action::store || S::fields.what == action::accumulate ||
      S::fields.what == action::scatter) ||
     ...);

template <class K> struct of;
template <class Shape, class C, class... P> struct of<kernel<Shape, C, P...>> {
  static constexpr int sweeps = (0 + ... + static_cast<int>(is_sweep<P>));
  /// The most reductions of a sweep.
  static constexpr int reductions = std::max({facts_of(P{}).reductions...});
  /// What is written after the last sweep is written in a launch without one.
  static constexpr bool ends_with_rows() {
    bool last = false;
    ((last = !is_sweep<P> && (last || writes<P>)), ...);
    return last;
  }
  static constexpr int launches = sweeps + static_cast<int>(ends_with_rows());
};

}  // namespace long_rows

/// Where the blocks of a row leave their parts of its reductions: a word of 8 bytes for each.
struct parts_of_row {
  unsigned long long* words = nullptr;  // of the first row
  std::int64_t words_of_row = 0;
  int block = 0, blocks = 1;

  template <class T> PRIMAL_INLINE T& part(std::int64_t row, int reduction, int of_block) const {
    return *reinterpret_cast<T*>(words + row * words_of_row + reduction * blocks + of_block);
  }
};

/// What a team knows that has its rows to itself,
struct row_owner {
  static constexpr bool shares = false;
  PRIMAL_INLINE static bool writes() { return true; }
};
/// and one that shares them with those of other blocks. `Reductions`: the most of a sweep.
template <int Reductions> class row_sharer {
 public:
  static constexpr bool shares = true;

  PRIMAL_INLINE void share(const parts_of_row& parts, int sweep) {
    parts_ = parts;
    sweep_ = sweep;
  }
  PRIMAL_INLINE void enter(std::int64_t row) { row_ = row; }
  /// Is what comes next written in this launch?
  PRIMAL_INLINE void write(bool own) { writes_ = own; }
  PRIMAL_INLINE bool writes() const { return writes_; }

  /// Leaves what the block has reduced.
  template <class Sweep> PRIMAL_INLINE void leave(typename Sweep::totals& t) const {
    Sweep::for_each_total([&](auto r) PRIMAL_LAMBDA_INLINE {
      using R = decltype(r);
      parts_.part<typename R::scalar>(row_, sweep_ * Reductions + R::number, parts_.block) =
          Sweep::template total<R>(t);
    });
  }
  /// The reductions of an earlier sweep.
  template <class Sweep, class Uniforms> PRIMAL_INLINE void collect(int sweep, Uniforms& u) const {
    typename Sweep::totals t;
    Sweep::for_each_total([&](auto r) PRIMAL_LAMBDA_INLINE {
      using R = decltype(r);
      const auto part = [&](int block) PRIMAL_LAMBDA_INLINE {
        return parts_.part<typename R::scalar>(row_, sweep * Reductions + R::number, block);
      };
      auto total = part(0);
      for (int b = 1; b < parts_.blocks; ++b) total = combine<R::how>(total, part(b));
      Sweep::template total<R>(t) = total;
    });
    Sweep::publish(t, u);
  }

 private:
  parts_of_row parts_;
  std::int64_t row_ = 0;
  int sweep_ = 0;
  bool writes_ = true;
};

namespace long_rows {

/// A phase in the launch of sweep `own`, with `before` sweeps before it. Nothing is written twice.
template <class Constants, class... S, class Arguments, class Uniforms, class Team>
PRIMAL_INLINE void run(phase<false, S...> p, const Arguments& a, const row_state<Arguments>& row,
                       Uniforms& u, Team& team, int& before, int own) {
  if (before > own) return;
  team.write(before == own);
  run_phase<Constants>(p, a, row, u, team);
}
template <class Constants, class... S, class Arguments, class Uniforms, class Team>
PRIMAL_INLINE void run(phase<true, S...> p, const Arguments& a, const row_state<Arguments>& row,
                       Uniforms& u, Team& team, int& before, int own) {
  if (before == own) run_phase<Constants>(p, a, row, u, team);
  else if (before < own) team.template collect_sweep<Constants>(p, before, u);
  ++before;
}

}  // namespace long_rows

/// Sweep number `own` of the rows, with what runs once a row before it. Row buffers of `buffer_bytes` lie one after
/// another, by row.
template <class Shape, class Constants, class Once, class... Phases, class Arguments, class Team>
PRIMAL_INLINE void run_sweep_of_rows(kernel<Shape, Constants, Once, Phases...>,
                                     const Arguments& arguments, std::int64_t buffer_bytes,
                                     Team& team, int own) {
  Arguments a = arguments;
  bank_set<scalar_value,
           banks_of<kernel<Shape, Constants, Once, Phases...>, &phase_facts::uniforms>>
      u;
  row_state<Arguments> row{};
  for (int i = 0; i < Arguments::access_room; ++i) row.at[i] = static_cast<char*>(a.base[i]);
  team.write(own == 0);
  run_phase<Constants>(Once{}, a, row, u, team);
  for (auto r = team.first_row(); r < team.last_row(); r += team.row_step()) {
    a.buffers = static_cast<char*>(arguments.buffers) + r * buffer_bytes;
    enter_row(a, row, r);
    team.enter(r);
    int before = 0;
    (long_rows::run<Constants>(Phases{}, a, row, u, team, before, own), ...);
  }
}

}  // namespace primal
