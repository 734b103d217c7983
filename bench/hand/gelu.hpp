// gelu by hand: one sweep over everything.
#pragma once

#include "row.hpp"

namespace hand {

[[gnu::noinline]] inline void gelu(const float* x, float* y, index count) {
  for (index i = 0; i < count; i += width) store(y + i, math::gelu(load(x + i)));
}

[[gnu::noinline]] inline void gelu_gradient(const float* x, const float* dy, float* y, float* dx,
                                            index count) {
  for (index i = 0; i < count; i += width) {
    const batch v = load(x + i);
    store(y + i, math::gelu(v));
    store(dx + i, load(dy + i) * math::gelu_slope(v));
  }
}

}  // namespace hand
