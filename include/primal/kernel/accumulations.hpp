// accumulations: what the rows of a kernel add up in.
#pragma once

#include <primal/kernel/arguments.hpp>
#include <primal/kernel/facts.hpp>

#include <utility>

namespace primal {

/// An accumulate statement: the rows of a kernel combine one element each in an array, or a whole row.
template <class S, bool Sweep> struct accumulation {
  static constexpr auto fields = S::fields;
  static constexpr int access = fields.b.index;
  static constexpr dtype type = fields.c.type;
  static constexpr combiner how =
      fields.flag ? combiner::sum : static_cast<combiner>(fields.dst.index);
  static constexpr bool whole_row = Sweep;
  using element = element_of<type>;
  using scalar = element_of<compute_dtype(type)>;
};

template <class... A> struct accumulation_list {
  static constexpr int count = static_cast<int>(sizeof...(A));

  /// f(number, accumulation) for each of them.
  template <class F> static void for_each(F&& f) {
    call(f, std::make_integer_sequence<int, count>{});
  }

 private:
  template <class F, int... I> static void call(F& f, std::integer_sequence<int, I...>) {
    (f(std::integral_constant<int, I>{}, A{}), ...);
  }
};

namespace accumulations {

template <class... A, class... B>
accumulation_list<A..., B...> operator+(accumulation_list<A...>, accumulation_list<B...>);

template <bool Sweep, class S>
using found = std::conditional_t<S::fields.what == action::accumulate,
                                 accumulation_list<accumulation<S, Sweep>>, accumulation_list<>>;
template <bool Sweep, class... S>
auto in_phase(phase<Sweep, S...>) -> decltype((accumulation_list<>{} + ... + found<Sweep, S>{}));
template <class Shape, class C, class... P>
auto in_kernel(kernel<Shape, C, P...>) -> decltype((accumulation_list<>{} + ... + in_phase(P{})));

}  // namespace accumulations

/// All accumulations of a kernel.
template <class K> using accumulations_of = decltype(accumulations::in_kernel(K{}));

}  // namespace primal
