// layer_norm(gelu(x + bias)) by hand, without scale, with its gradients: gelu waits in a buffer
// of one row; its slope is needed only once.
#pragma once

#include "layer_norm.hpp"

namespace hand {

[[gnu::noinline]] inline void norm_gelu_gradient(const float* x, const float* bias, const float* dy,
                                                 float* y, float* dx, float* dbias, float* buffer,
                                                 index rows, index columns) {
  std::fill_n(dbias, columns, 0.f);
  const float n = static_cast<float>(columns);
  for (index r = 0; r < rows; ++r, x += columns, dy += columns, y += columns, dx += columns) {
    batch s(0.f);
    for (index i = 0; i < columns; i += width) {
      const batch g = math::gelu(load(x + i) + load(bias + i));
      store(buffer + i, g);
      s += g;
    }
    const batch mean(sum(s) / n);
    batch v0(0.f), v1(0.f), p0(0.f), p1(0.f), q0(0.f), q1(0.f);
    for (index i = 0; i < columns; i += 2 * width) {
      const batch d0 = load(buffer + i) - mean, d1 = load(buffer + i + width) - mean;
      const batch g0 = load(dy + i), g1 = load(dy + i + width);
      v0 = math::fma(d0, d0, v0);
      v1 = math::fma(d1, d1, v1);
      p0 += g0;
      p1 += g1;
      q0 = math::fma(g0, d0, q0);
      q1 = math::fma(g1, d1, q1);
    }
    const float root = 1.f / std::sqrt(sum(v0 + v1) / n + epsilon);
    const batch by_root(root), dy_mean(sum(p0 + p1) / n), q(sum(q0 + q1) / n * root * root);
    for (index i = 0; i < columns; i += width) {
      const batch d = load(buffer + i) - mean;
      const batch through = ((load(dy + i) - dy_mean) - d * q) * by_root *
                            math::gelu_slope(load(x + i) + load(bias + i));
      store(y + i, d * by_root);
      store(dx + i, through);
      add_to(dbias + i, through);
    }
  }
}

}  // namespace hand
