// facts: what the loops need to know about the statements of a phase, found at compile time.
#pragma once

#include <primal/kernel/word.hpp>

namespace primal {

inline constexpr int dtype_count = 13;

/// Counted over the statements of one phase, or of a whole kernel.
struct phase_facts {
  int locals[dtype_count] = {};    // registers of a piece, by dtype
  int uniforms[dtype_count] = {};  // values of a row, by dtype
  int sums[dtype_count] = {};      // reductions, by dtype
  int places[dtype_count] = {};    // 1 where places in the row are values of an integer dtype
  int reductions = 0, stores = 0, expensive = 0, statements = 0;
  bool counts = false;  // are there such places?

  constexpr int live() const {
    int n = 0;
    for (int count : locals) n += count;
    return n;
  }
};

/// A function that costs more than reading its result back.
template <class Op> consteval bool is_expensive() {
  if constexpr (requires { Op::expensive; }) return Op::expensive;
  else return false;
}

namespace kernel_facts {
constexpr void see(phase_facts& f, const slot& s) {
  int& count =
      s.uniform ? f.uniforms[static_cast<int>(s.type)] : f.locals[static_cast<int>(s.type)];
  if (s.index >= count) count = s.index + 1;
}
template <class S> constexpr void see(phase_facts& f) {
  constexpr auto s = S::fields;
  ++f.statements;
  switch (s.what) {
    case action::apply:    f.expensive += is_expensive<typename S::op>(); [[fallthrough]];
    case action::convert:
    case action::constant:
    case action::extent:
    case action::load:
    case action::gather:
    case action::recall:   see(f, s.dst); break;
    case action::position:
      see(f, s.dst);
      if (is_integer(s.dst.type)) f.places[static_cast<int>(s.dst.type)] = 1, f.counts = true;
      break;
    case action::reduce:
      see(f, s.dst);
      ++f.reductions;
      ++f.sums[static_cast<int>(s.dst.type)];
      break;
    default: ++f.stores;
  }
}
}  // namespace kernel_facts

template <bool Sweep, class... S> constexpr phase_facts facts_of(phase<Sweep, S...>) {
  phase_facts f;
  (kernel_facts::see<S>(f), ...);
  return f;
}

template <class Shape, class C, class... P> constexpr phase_facts facts_of(kernel<Shape, C, P...>) {
  phase_facts joint;
  auto widen = [&](const phase_facts& f) {
    for (int d = 0; d < dtype_count; ++d)
      if (f.uniforms[d] > joint.uniforms[d]) joint.uniforms[d] = f.uniforms[d];
    joint.reductions += f.reductions;
    joint.statements += f.statements;
  };
  (widen(facts_of(P{})), ...);
  return joint;
}

/// The facts of a phase or a kernel as a constant. (Device code may use it, but not call facts_of.)
template <class T> struct facts_about {
  static constexpr phase_facts value = facts_of(T{});
};

}  // namespace primal
