// Removes what no output needs.
#pragma once

#include <primal/transform/rewriting.hpp>

namespace primal {

/// Per statement: does an output depend on it? Inputs are always needed.
constexpr sequence<char> live_statements(
    const program& p) {  // not bool: clang cannot evaluate libstdc++ 12's
  sequence<char> live(p.statements.size(), 0);
  auto mark = [&](int v) {
    if (v >= 0) live[p.value_at(v).statement] = 1;
  };
  for (int v : p.inputs) mark(v);
  for (int v : p.outputs) mark(v);
  for (int i = p.size() - 1; i >= 0; --i)
    if (live[i])
      for (int v : p.operands_of(p.at(i))) mark(v);
  return live;
}

/// The program without the statements that no output needs.
constexpr program without_dead_code(const program& p) {
  const auto live = live_statements(p);
  rewriting pass(p);
  for (int i = 0; i < p.size(); ++i)
    if (live[i]) pass.copy(p.at(i));
  return std::move(pass.finish());
}

}  // namespace primal
