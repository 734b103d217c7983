// softmax by hand: the exponentials wait in a buffer of one row for their sum.
#pragma once

#include "row.hpp"

namespace hand {

[[gnu::noinline]] inline void softmax(const float* x, float* y, float* buffer, index rows,
                                      index columns) {
  for (index r = 0; r < rows; ++r, x += columns, y += columns) {
    const batch top(greatest_of_row(x, columns));
    batch total(0.f);
    for (index i = 0; i < columns; i += width) {
      const batch e = math::exp(load(x + i) - top);
      store(buffer + i, e);
      total += e;
    }
    const batch by_total(1.f / sum(total));
    for (index i = 0; i < columns; i += width) store(y + i, load(buffer + i) * by_total);
  }
}

[[gnu::noinline]] inline void softmax_gradient(const float* x, const float* dy, float* y, float* dx,
                                               float* buffer, index rows, index columns) {
  for (index r = 0; r < rows; ++r, x += columns, dy += columns, y += columns, dx += columns) {
    const batch top(greatest_of_row(x, columns));
    batch total(0.f), with_dy(0.f);
    for (index i = 0; i < columns; i += width) {
      const batch e = math::exp(load(x + i) - top);
      store(buffer + i, e);
      total += e;
      with_dy = math::fma(e, load(dy + i), with_dy);
    }
    const float by_total = 1.f / sum(total);
    const batch scale(by_total), mean(sum(with_dy) * by_total);
    for (index i = 0; i < columns; i += width) {
      const batch p = load(buffer + i) * scale;
      store(y + i, p);
      store(dx + i, p * (load(dy + i) - mean));
    }
  }
}

}  // namespace hand
