// Simplifies: the same values with fewer and cheaper statements.
#pragma once

#include <primal/transform/dead_code.hpp>

namespace primal {

constexpr program simplify(const program& p) { return without_dead_code(p); }

}  // namespace primal
