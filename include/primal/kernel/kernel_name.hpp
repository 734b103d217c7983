// kernel_name: what messages call a kernel.
#pragma once

#include <primal/core/text.hpp>
#include <primal/kernel/word.hpp>

#include <type_traits>

namespace primal {

namespace kernel_names {

/// At most five, each once in a row.
struct listing {
  static constexpr int most = 5;
  text names;
  std::string_view last;
  int count = 0;

  constexpr void add(std::string_view name) {
    if (name == last) return;
    last = name;
    if (++count > most + 1) return;
    if (count > 1) names += ", ";
    names += count > most ? "..." : name;
  }
};

template <class S> constexpr void add(listing& l) {
  if constexpr (!std::is_void_v<typename S::op>) l.add(S::op::name);
}
template <bool Sweep, class... S> constexpr void add(listing& l, phase<Sweep, S...>) {
  (add<S>(l), ...);
}

}  // namespace kernel_names

/// The operators that it applies: "subtract, exp, multiply".
template <class Shape, class C, class... P> constexpr text kernel_name(kernel<Shape, C, P...>) {
  kernel_names::listing l;
  (kernel_names::add(l, P{}), ...);
  if (l.count == 0) return "moved elements";
  return l.names;
}

}  // namespace primal
