// rows: the phases of a kernel, row after row, over a team.
#pragma once

#include <primal/kernel/arguments.hpp>
#include <primal/kernel/execute.hpp>

#include <bit>

namespace primal {

/// Where a kernel is: the first element of the row in every array, and the outer indices.
template <class Arguments> struct row_state {
  char* at[Arguments::access_room];
  std::int64_t index[Arguments::axis_room];
  std::int64_t first_column, columns;

  /// Are the outer axes of a mask all at index 0? (A value that does not vary along an axis is stored
  /// once, not once per index.)
  template <int Mask> PRIMAL_INLINE bool at_origin() const {
    bool yes = true;
    if constexpr (Mask != 0)
      for (int a = 0; a < Arguments::axis_room; ++a)
        if (Mask >> a & 1) yes = yes && index[a] == 0;
    return yes;
  }
};

/// Memory that one thread at a time adds to.
struct unshared_memory {
  template <class M, class T> PRIMAL_INLINE static void add(M* p, T x) {
    *p = static_cast<M>(static_cast<T>(*p) + x);
  }
};

/// Conditions and conversions of single elements.
struct scalar_lanes {
  template <dtype D> using value = scalar_value<D>;

  template <class V> PRIMAL_INLINE static bool condition_for(bool c, const V&) { return c; }
  template <dtype D, class R> PRIMAL_INLINE static value<D> result(const R& r) {
    return static_cast<value<D>>(r);
  }
  /// To the dtype `Exact`, held as `D` (they differ for 16-bit floats).
  template <dtype D, dtype Exact, class V> PRIMAL_INLINE static value<D> convert(const V& x) {
    if constexpr (D == dtype::bool_) return x != V(0);
    else if constexpr (is_half(Exact))
      return static_cast<float>(element_of<Exact>(static_cast<float>(x)));
    else return static_cast<value<D>>(x);
  }
};

template <std::int64_t... Bits>
PRIMAL_INLINE constexpr std::int64_t constant_bits(constants<Bits...>, int i) {
  constexpr std::int64_t bits[] = {Bits..., 0};
  return bits[i];
}
/// The constant of a kernel with number I, in the type T. (A static member: device code may use its value.)
template <class Constants, int I, class T> struct constant_value {
  static constexpr std::int64_t bits = constant_bits(Constants{}, I);
  static constexpr T get() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(__builtin_bit_cast(double, bits));
    else return static_cast<T>(bits);
  }
  static constexpr T value = get();
};

/// An index that may be negative, inside its axis; out of range it becomes 0 and is reported.
template <class Arguments>
PRIMAL_INLINE std::int64_t checked_index(const Arguments& a, int access, std::int64_t i) {
  const auto n = a.index_extent[access];
  const auto place = i < 0 ? i + n : i;
  if (place >= 0 && place < n) return place;
#if defined(__CUDA_ARCH__)
  if (a.out_of_range) *a.out_of_range = true;
#else
  a.fault->report(i, n);
#endif
  return 0;
}

/// One statement that runs once a row, or once a call.
template <class Constants, class S, class Arguments, class Uniforms, class Team>
PRIMAL_INLINE void execute_uniform(const Arguments& a, const row_state<Arguments>& row, Uniforms& u,
                                   Team& team) {
  constexpr auto s = S::fields;
  if constexpr (calculates<S>) {
    execute<scalar_lanes, S>(row, u, u, team, operands_of<S>{});
  } else if constexpr (s.what == action::constant) {
    item<s.dst.type>(u, s.dst.index) =
        constant_value<Constants, s.a.index, scalar_value<s.dst.type>>::value;
  } else if constexpr (s.what == action::extent) {
    item<s.dst.type>(u, s.dst.index) = static_cast<scalar_value<s.dst.type>>(a.extents[s.a.index]);
  } else if constexpr (s.what == action::position) {
    using T = scalar_value<s.dst.type>;
    const auto i =
        s.c.index == inner_axis ? row.first_column : row.index[s.c.index % Arguments::axis_room];
    item<s.dst.type>(u, s.dst.index) =
        static_cast<T>(constant_value<Constants, s.a.index, T>::value +
                       constant_value<Constants, s.b.index, T>::value * static_cast<T>(i));
  } else if constexpr (s.what == action::load) {
    using M = element_of<s.c.type>;
    item<s.dst.type>(u, s.dst.index) =
        static_cast<scalar_value<s.dst.type>>(*reinterpret_cast<const M*>(row.at[s.a.index]));
  } else if constexpr (s.what == action::gather) {
    using M = element_of<s.c.type>;
    const auto i = checked_index(a, s.a.index, static_cast<std::int64_t>(read<s.b>(u, u)));
    item<s.dst.type>(u, s.dst.index) = static_cast<scalar_value<s.dst.type>>(
        reinterpret_cast<const M*>(row.at[s.a.index])[i * a.index_stride[s.a.index]]);
  } else {
    using M = element_of<s.c.type>;
    if (!team.leader() || !row.template at_origin<s.c.index>()) return;
    auto* to = reinterpret_cast<M*>(row.at[s.b.index]);
    const auto x = read<s.a>(u, u);
    if constexpr (s.what == action::store) {
      *to = static_cast<M>(x);
    } else if constexpr (s.what == action::accumulate) {
      using V = std::remove_cvref_t<decltype(x)>;
      if constexpr (s.flag) *to = static_cast<M>(static_cast<V>(*to) + x * read<s.dst>(u, u));
      else
        *to = static_cast<M>(combine<static_cast<combiner>(s.dst.index)>(static_cast<V>(*to), x));
    } else {
      static_assert(s.what == action::scatter);
      const auto i = checked_index(a, s.b.index, static_cast<std::int64_t>(read<s.dst>(u, u)));
      to += i * a.index_stride[s.b.index];
      if constexpr (is_floating(s.c.type)) unshared_memory::add(to, x);  // rows come in order
      else Team::memory::add(to, x);
    }
  }
}

template <class Constants, class... S, class Arguments, class Uniforms, class Team>
PRIMAL_INLINE void run_phase(phase<false, S...>, const Arguments& a,
                             const row_state<Arguments>& row, Uniforms& u, Team& team) {
  (execute_uniform<Constants, S>(a, row, u, team), ...);
}
template <class Constants, class... S, class Arguments, class Uniforms, class Team>
PRIMAL_INLINE void run_phase(phase<true, S...> p, const Arguments& a,
                             const row_state<Arguments>& row, Uniforms& u, Team& team) {
  team.template sweep<Constants>(p, a, row, u);
}

/// The outer indices and pointers of row number `r`.
template <class Arguments>
PRIMAL_INLINE void enter_row(const Arguments& a, row_state<Arguments>& row, std::int64_t r) {
  for (int k = 0; k < Arguments::access_room; ++k) row.at[k] = static_cast<char*>(a.base[k]);
  row.first_column = 0;
  row.columns = a.columns;
  if (Arguments::axes == 0 && a.row_length > 0) {
    row.first_column = r * a.row_length;
    const auto left = a.columns - row.first_column;
    row.columns = left < a.row_length ? left : a.row_length;
    for (int k = 0; k < Arguments::access_room; ++k)
      row.at[k] += row.first_column * a.inner_stride[k] * a.element_size[k];
    return;
  }
  std::int64_t rest = r;
  for (int x = Arguments::axis_room - 1; x >= 0; --x) {
    const auto n = a.extent[x];
    row.index[x] = x == 0 ? rest : rest % n;
    rest = x == 0 ? 0 : rest / n;
    for (int k = 0; k < Arguments::access_room; ++k) row.at[k] += row.index[x] * a.stride[k][x];
  }
}

template <class Shape, class Constants, class Once, class... Phases, class Arguments, class Team>
PRIMAL_INLINE void run_rows(kernel<Shape, Constants, Once, Phases...>, const Arguments& arguments,
                            Team& team) {
  const Arguments a = arguments;
  bank_set<scalar_value,
           banks_of<kernel<Shape, Constants, Once, Phases...>, &phase_facts::uniforms>>
      u;
  row_state<Arguments> row{};
  for (int i = 0; i < Arguments::access_room; ++i) row.at[i] = static_cast<char*>(a.base[i]);
  run_phase<Constants>(Once{}, a, row, u, team);
  for (auto r = team.first_row(); r < team.last_row(); r += team.row_step()) {
    enter_row(a, row, r);
    (run_phase<Constants>(Phases{}, a, row, u, team), ...);
  }
}

}  // namespace primal
