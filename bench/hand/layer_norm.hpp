// layer_norm by hand: three sweeps over a row, forward and with all gradients.
#pragma once

#include "row.hpp"

namespace hand {

inline constexpr float epsilon = 1e-5f;

PRIMAL_INLINE float mean_of_row(const float* x, index columns) {
  batch s0(0.f), s1(0.f), s2(0.f), s3(0.f);
  for (index i = 0; i < columns; i += 4 * width) {
    s0 += load(x + i);
    s1 += load(x + i + width);
    s2 += load(x + i + 2 * width);
    s3 += load(x + i + 3 * width);
  }
  return sum((s0 + s1) + (s2 + s3)) / static_cast<float>(columns);
}

PRIMAL_INLINE float variance_of_row(const float* x, float mean, index columns) {
  const batch m(mean);
  batch s0(0.f), s1(0.f), s2(0.f), s3(0.f);
  for (index i = 0; i < columns; i += 4 * width) {
    const batch d0 = load(x + i) - m, d1 = load(x + i + width) - m;
    const batch d2 = load(x + i + 2 * width) - m, d3 = load(x + i + 3 * width) - m;
    s0 = math::fma(d0, d0, s0);
    s1 = math::fma(d1, d1, s1);
    s2 = math::fma(d2, d2, s2);
    s3 = math::fma(d3, d3, s3);
  }
  return sum((s0 + s1) + (s2 + s3)) / static_cast<float>(columns);
}

[[gnu::noinline]] inline void layer_norm(const float* x, const float* scale, const float* bias,
                                         float* y, index rows, index columns) {
  for (index r = 0; r < rows; ++r, x += columns, y += columns) {
    const float mean = mean_of_row(x, columns), variance = variance_of_row(x, mean, columns);
    const batch m(mean), root(1.f / std::sqrt(variance + epsilon));
    for (index i = 0; i < columns; i += width)
      store(y + i, math::fma((load(x + i) - m) * root, load(scale + i), load(bias + i)));
  }
}

/// Second sweep: the variance, and the means of g and g (x - mean) for g = dy scale.
[[gnu::noinline]] inline void layer_norm_gradient(const float* x, const float* scale,
                                                  const float* bias, const float* dy, float* y,
                                                  float* dx, float* dscale, float* dbias,
                                                  index rows, index columns) {
  std::fill_n(dscale, columns, 0.f);
  std::fill_n(dbias, columns, 0.f);
  const float n = static_cast<float>(columns);
  for (index r = 0; r < rows; ++r, x += columns, dy += columns, y += columns, dx += columns) {
    const batch mean(mean_of_row(x, columns));
    batch v0(0.f), v1(0.f), p0(0.f), p1(0.f), q0(0.f), q1(0.f);
    for (index i = 0; i < columns; i += 2 * width) {
      const batch d0 = load(x + i) - mean, d1 = load(x + i + width) - mean;
      const batch g0 = load(dy + i) * load(scale + i);
      const batch g1 = load(dy + i + width) * load(scale + i + width);
      v0 = math::fma(d0, d0, v0);
      v1 = math::fma(d1, d1, v1);
      p0 += g0;
      p1 += g1;
      q0 = math::fma(g0, d0, q0);
      q1 = math::fma(g1, d1, q1);
    }
    const float root = 1.f / std::sqrt(sum(v0 + v1) / n + epsilon);
    const batch by_root(root), p(sum(p0 + p1) / n), q(sum(q0 + q1) / n * root * root);
    for (index i = 0; i < columns; i += width) {
      const batch d = load(x + i) - mean, s = load(scale + i), ct = load(dy + i), z = d * by_root;
      store(y + i, math::fma(z, s, load(bias + i)));
      store(dx + i, ((ct * s - p) - d * q) * by_root);
      add_product_to(dscale + i, ct, z);
      add_to(dbias + i, ct);
    }
  }
}

}  // namespace hand
