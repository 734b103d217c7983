// facts: what the loops need to know about the statements of a phase, found at compile time.
#pragma once

#include <primal/kernel/word.hpp>
#include <primal/op/signature.hpp>

#include <algorithm>

namespace primal {

inline constexpr int dtype_count = 13;

/// Counted over the statements of one phase, or of a whole kernel.
struct phase_facts {
  int locals[dtype_count] = {};    // registers of a piece, by dtype
  int uniforms[dtype_count] = {};  // values of a row, by dtype
  int sums[dtype_count] = {};      // reductions, by dtype
  int places[dtype_count] = {};    // 1 where places in the row are values of an integer dtype
  int reductions = 0, stores = 0, expensive = 0, statements = 0;
  int widest = 0;  // bytes of the widest element that a sweep meets in memory

  constexpr int live() const {
    int n = 0;
    for (int count : locals) n += count;
    return n;
  }
  constexpr bool counts_places() const {
    for (int count : places)
      if (count > 0) return true;
    return false;
  }
};

/// A function that costs more than reading its result back.
template <class Op> consteval bool is_expensive() {
  if constexpr (requires { Op::expensive; }) return Op::expensive;
  else return false;
}

/// How many operands of a statement its operator takes; 0 if it has none.
template <class Op> consteval int operands_of_operator() {
  if constexpr (std::is_void_v<Op>) return 0;
  else return op_signature::arity<Op>();
}

namespace kernel_facts {
/// Does a statement set its register dst? (A reduction sets it once a row.)
constexpr bool sets_register(const statement_fields& s) {
  switch (s.what) {
    case action::apply:
    case action::convert:
    case action::constant:
    case action::extent:
    case action::position:
    case action::load:
    case action::gather:
    case action::recall:   return true;
    default:               return false;
  }
}
constexpr void see(phase_facts& f, const slot& s) {
  int& count =
      s.uniform ? f.uniforms[static_cast<int>(s.type)] : f.locals[static_cast<int>(s.type)];
  if (s.index >= count) count = s.index + 1;
}
constexpr void see(phase_facts& f, const statement_fields& s, bool expensive) {
  ++f.statements;
  f.expensive += expensive;
  if (sets_register(s)) {
    see(f, s.dst);
    if (s.what == action::position && is_integer(s.dst.type))
      f.places[static_cast<int>(s.dst.type)] = 1;
  } else if (s.what == action::reduce) {
    see(f, s.dst);
    ++f.reductions;
    ++f.sums[static_cast<int>(s.dst.type)];
  } else {
    ++f.stores;
  }
}
}  // namespace kernel_facts

template <bool Sweep, class... S> constexpr phase_facts facts_of(phase<Sweep, S...>) {
  phase_facts f;
  (kernel_facts::see(f, S::fields, is_expensive<typename S::op>()), ...);
  const auto measure = [&](const statement_fields& s) {
    const bool stored = s.what == action::load || s.what == action::gather ||
                        s.what == action::store || s.what == action::accumulate;
    if (stored && size_of(s.c.type) > f.widest) f.widest = size_of(s.c.type);
  };
  if constexpr (Sweep) (measure(S::fields), ...);
  return f;
}

template <class Shape, class C, class... P> constexpr phase_facts facts_of(kernel<Shape, C, P...>) {
  phase_facts joint;
  auto widen = [&](const phase_facts& f) {
    for (int d = 0; d < dtype_count; ++d)
      if (f.uniforms[d] > joint.uniforms[d]) joint.uniforms[d] = f.uniforms[d];
    joint.reductions += f.reductions;
    joint.statements += f.statements;
    joint.expensive += f.expensive;
    if (f.widest > joint.widest) joint.widest = f.widest;
  };
  (widen(facts_of(P{})), ...);
  return joint;
}

/// The facts of a phase or a kernel as a constant. (Device code may use it, but not call facts_of.)
template <class T> struct facts_about {
  static constexpr phase_facts value = facts_of(T{});
};

// ---- what a sweep reads and adds up ----------------------------------------------------------------

template <slot... S> struct slot_list {};

/// A reduction of a sweep: the value of the row that it gives, which of the sums of that dtype it is, and how it
/// combines.
struct sum_term {
  slot to;
  int sum = 0;
  combiner how = combiner::sum;
};
template <sum_term... T> struct sum_terms {};

namespace kernel_facts {

/// The operands of a statement that are values.
constexpr list<slot, 3> operands(const statement_fields& s, int arity) {
  list<slot, 3> in;
  switch (s.what) {
    case action::apply:
      in.push_back(s.a);
      if (arity > 1) in.push_back(s.b);
      if (arity > 2) in.push_back(s.c);
      break;
    case action::accumulate:
      in.push_back(s.a);
      if (s.flag) in.push_back(s.dst);
      break;
    case action::reduce:
      in.push_back(s.a);
      if (s.flag) in.push_back(s.b);
      break;
    case action::scatter:
      in.push_back(s.a);
      in.push_back(s.c);
      break;
    case action::gather:  in.push_back(s.b); break;
    case action::convert:
    case action::store:
    case action::keep:    in.push_back(s.a); break;
    default:              break;
  }
  return in;
}

template <class Phase> struct lists;
template <bool Sweep, class... S> struct lists<phase<Sweep, S...>> {
  static constexpr int room = 3 * static_cast<int>(sizeof...(S)) + 1;
  struct found {
    int reads = 0, sums = 0;
    slot read[room];
    sum_term sum[room];
  };
  static constexpr found find() {
    found f{};
    auto see = [&](const statement_fields& s, int arity) {
      for (const auto& in : operands(s, arity)) {
        bool known = !in.uniform;
        for (int i = 0; i < f.reads; ++i) known = known || f.read[i] == in;
        if (!known) f.read[f.reads++] = in;
      }
      const auto sum = sum_field::from(s.c.index);
      if (s.what == action::reduce) f.sum[f.sums++] = {s.dst, sum.sum, sum.how};
    };
    (see(S::fields, operands_of_operator<typename S::op>()), ...);
    return f;
  }
  static constexpr found value = find();

  template <int... I> static slot_list<value.read[I]...> read(std::integer_sequence<int, I...>);
  template <int... I> static sum_terms<value.sum[I]...> added(std::integer_sequence<int, I...>);
  using uniforms = decltype(read(std::make_integer_sequence<int, value.reads>{}));
  using sums = decltype(added(std::make_integer_sequence<int, value.sums>{}));
};

}  // namespace kernel_facts

/// How many values of a piece are alive at once.
template <bool Sweep, class... S> consteval int most_alive(phase<Sweep, S...>) {
  constexpr auto& f = facts_about<phase<Sweep, S...>>::value;
  int first[dtype_count] = {}, last_use[f.live() + 1] = {}, statement = 0, alive = 0, most = 0;
  for (int d = 1; d < dtype_count; ++d) first[d] = first[d - 1] + f.locals[d - 1];
  const auto use_of = [&](const slot& s) -> int& {
    return last_use[first[static_cast<int>(s.type)] + s.index];
  };
  const auto each_operand = [&](const statement_fields& s, int arity, const auto& visit) {
    ++statement;
    for (const auto& in : kernel_facts::operands(s, arity))
      if (!in.uniform) visit(use_of(in));
  };
  (each_operand(S::fields, operands_of_operator<typename S::op>(),
                [&](int& last) { last = statement; }),
   ...);
  statement = 0;
  const auto begin_and_end = [&](const statement_fields& s, int arity) {
    if (kernel_facts::sets_register(s) && !s.dst.uniform) most = std::max(most, ++alive);
    each_operand(s, arity, [&](int& last) {
      alive -= last == statement;
      if (last == statement) last = 0;  // twice an operand
    });
  };
  (begin_and_end(S::fields, operands_of_operator<typename S::op>()), ...);
  return most;
}

/// The values of the row that a sweep reads, each once, and its reductions.
template <class Phase> using uniforms_read_by = typename kernel_facts::lists<Phase>::uniforms;
template <class Phase> using sums_of = typename kernel_facts::lists<Phase>::sums;

}  // namespace primal
