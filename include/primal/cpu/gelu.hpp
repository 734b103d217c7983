// gelu and its derivative: x Phi(x) with the normal distribution Phi, by the tail Q = 1 - Phi.
#pragma once

#include <primal/cpu/erf.hpp>

namespace primal::cpu {

/// Where |x| lies in the tables of Q for floats; from 6 on Q is 0 beside x.
template <class A> struct normal_tail {
  using V = batch<float, A>;

  V a;
  batch_mask<float, A> inside;
  piece_index<A> piece;
  V u;

  PRIMAL_INLINE explicit normal_tail(V x)
      : a(min_or_nan(V(6.f), cpu::abs(x))),
        inside(a < V(6.f)),
        piece(piece_index<A>::template from_bits < pieces<A> == 16 ? 20 : 21 > (a + V(2.f))),
        u(a - piece.look_up(normal_tail_pieces<pieces<A>>[0])) {}

  PRIMAL_INLINE V tail() const {
    return piece_polynomial<1>(u, piece, normal_tail_pieces<pieces<A>>);
  }
  PRIMAL_INLINE V slope() const {
    return piece_polynomial<0>(u, piece, gelu_slope_pieces<pieces<A>>);
  }
};

/// max(x, 0) - |x| Q(|x|), to about 2e-7 of max(|x|, 1).
template <class A> PRIMAL_INLINE batch<float, A> gelu(batch<float, A> x) {
  using V = batch<float, A>;
  const normal_tail<A> q(x);
  const V top = max_or_nan(V(0.f), x);
  return xsimd::select(q.inside, cpu::fnma(q.a, q.tail(), top), top);
}

/// Phi(x) + x phi(x): s = Q(a) - a phi(a) for negative x, 1 - s for the others.
template <class A> PRIMAL_INLINE batch<float, A> gelu_slope(batch<float, A> x) {
  using V = batch<float, A>;
  const normal_tail<A> q(x);
  const V s = xsimd::select(q.inside, q.slope(), q.a - q.a);  // beyond: 0, or NaN of NaN
  return select_negative(x, s, V(1.f) - s);
}

/// Q(a) for 0 <= a < 39.
template <class A> PRIMAL_INLINE batch<double, A> normal_tail_of(batch<double, A> a) {
  using V = batch<double, A>;
  const V one(1.), half(0.5), z = a * V(0.70710678118654752440);
  const V near = half - half * erf_within_1(z);
  const V far = half * erfc_beyond_1(max_or_nan(one, z));
  return xsimd::select(z < one, near, far);
}

template <class A> PRIMAL_INLINE batch<double, A> gelu(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(39.), cpu::abs(x));
  return cpu::fnma(a, normal_tail_of(a), max_or_nan(V(0.), x));
}

template <class A> PRIMAL_INLINE batch<double, A> gelu_slope(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(39.), cpu::abs(x));
  const V density = V(0.39894228040143267794) * cpu::exp(V(-0.5) * a * a);
  const V s = cpu::fnma(a, density, normal_tail_of(a));
  return select_negative(x, s, V(1.) - s);
}

}  // namespace primal::cpu
