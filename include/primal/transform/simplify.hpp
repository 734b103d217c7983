// Simplifies: the same values with fewer and cheaper statements.
#pragma once

#include <primal/transform/pieces.hpp>
#include <primal/transform/resolve_extents.hpp>

namespace primal {

/// One pass: every live statement is written anew through the algebra.
class simplifier : public simplified_statements {
 public:
  constexpr explicit simplifier(const program& own) : simplified_statements(own) {
    for (int i = 0; i < from.size(); ++i)
      if (live[i]) rewrite(from.at(i));
    finish();
  }
};

/// The program with fewer and cheaper statements; one pass sees what the one before has made.
constexpr program simplify(program p) {
  resolve_extents(p);
  program q = simplifier(p).take();
  // Each takes apart along one axis.
  for (int i = 0; i < 3 && has_parts(q); ++i) {
    simplifier_of_pieces pass(q);
    if (!pass.found_any()) break;
    program apart = without_dead_code(pass.take());
    if (apart.size() > 3 * q.size() + 64) break;  // parts are many, and are each calculated
    q = std::move(apart);
  }
  return without_dead_code(simplifier(q).take());
}

}  // namespace primal
