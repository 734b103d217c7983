// cross_entropy by hand: the mean over the rows, with integer labels.
#pragma once

#include "row.hpp"

namespace hand {

[[gnu::noinline]] inline void cross_entropy(const float* x, const std::int32_t* labels, float* loss,
                                            index rows, index columns) {
  float all = 0;
  for (index r = 0; r < rows; ++r, x += columns) {
    const float top = greatest_of_row(x, columns);
    const batch shift(top);
    batch total(0.f);
    for (index i = 0; i < columns; i += width) total += math::exp(load(x + i) - shift);
    all += std::log(sum(total)) - (x[labels[r]] - top);
  }
  *loss = all / static_cast<float>(rows);
}

[[gnu::noinline]] inline void cross_entropy_gradient(const float* x, const std::int32_t* labels,
                                                     float* loss, float* dx, float* buffer,
                                                     index rows, index columns) {
  float all = 0;
  const float share = 1.f / static_cast<float>(rows);
  for (index r = 0; r < rows; ++r, x += columns, dx += columns) {
    const float top = greatest_of_row(x, columns);
    const batch shift(top);
    batch total(0.f);
    for (index i = 0; i < columns; i += width) {
      const batch e = math::exp(load(x + i) - shift);
      store(buffer + i, e);
      total += e;
    }
    const float whole = sum(total);
    all += std::log(whole) - (x[labels[r]] - top);
    const batch scale(share / whole);
    for (index i = 0; i < columns; i += width) store(dx + i, load(buffer + i) * scale);
    dx[labels[r]] -= share;
  }
  *loss = all * share;
}

}  // namespace hand
