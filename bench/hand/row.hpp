// row: what the hand-written loops share. They are what a careful person writes over xsimd, with the
// library's own exp and erf and sums over a register, so that a race with a derived kernel is about the loops alone.
//
// Rows are as long as a multiple of four registers. Every function stays out of line and takes its
// extents at the call; a caller hides them from the optimiser, which would otherwise make a copy for
// the constants it sees.
#pragma once

#include <primal/cpu/fold.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace hand {

using batch = xsimd::batch<float>;
using math = primal::math_of<batch>;
using index = std::int64_t;

inline constexpr index width = static_cast<index>(batch::size);

PRIMAL_INLINE batch load(const float* p) { return batch::load_unaligned(p); }
PRIMAL_INLINE void store(float* p, batch x) { x.store_unaligned(p); }
PRIMAL_INLINE void add_to(float* p, batch x) { store(p, load(p) + x); }
PRIMAL_INLINE void add_product_to(float* p, batch x, batch y) {
  store(p, math::fma(x, y, load(p)));
}

PRIMAL_INLINE float sum(batch x) { return primal::cpu::fold<primal::combiner::sum>(x); }
PRIMAL_INLINE float greatest(batch x) { return primal::cpu::fold<primal::combiner::maximum>(x); }

/// The greatest element of a row, NaN if there is one; four registers hide the latency.
PRIMAL_INLINE float greatest_of_row(const float* x, index columns) {
  batch a = load(x), b = load(x + width), c = load(x + 2 * width), d = load(x + 3 * width);
#pragma GCC unroll 1
  for (index i = 4 * width; i < columns; i += 4 * width) {
    a = math::maximum(a, load(x + i));
    b = math::maximum(b, load(x + i + width));
    c = math::maximum(c, load(x + i + 2 * width));
    d = math::maximum(d, load(x + i + 3 * width));
  }
  return greatest(math::maximum(math::maximum(a, b), math::maximum(c, d)));
}

}  // namespace hand
