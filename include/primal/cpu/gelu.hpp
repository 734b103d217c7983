// gelu and its derivative: x Phi(x) with the normal distribution Phi, by the tail Q = 1 - Phi.
#pragma once

#include <primal/cpu/erf.hpp>

namespace primal::cpu {

/// max(x, 0) - |x| Q(|x|), to about 2e-7 of max(|x|, 1) for floats, and its derivative. From
/// tail_end on Q is 0 beside x.
template <class T> inline constexpr T tail_end = sizeof(T) == 4 ? T(6) : T(9);
template <class T, class A> struct gelu_argument {
  using V = batch<T, A>;

  V x;
  V a;
  batch_mask<T, A> inside;

  PRIMAL_INLINE explicit gelu_argument(V argument)
      : x(argument), a(min_or_nan(V(tail_end<T>), cpu::abs(x))), inside(a < V(tail_end<T>)) {}

  PRIMAL_INLINE V value(V q) const {
    const V top = max_or_nan(V(T(0)), x);
    return xsimd::select(inside, cpu::fnma(a, q, top), top);
  }
  /// From s = Q(a) + a Q'(a): that for negative x, 1 - s for the others.
  PRIMAL_INLINE V slope(V s) const {
    s = xsimd::select(inside, s, a - a);  // beyond: 0, or NaN of NaN
    return select_negative(x, s, V(T(1)) - s);
  }
};

/// Where |x| lies in the tables for floats.
template <class A> struct normal_tail : gelu_argument<float, A> {
  using V = batch<float, A>;

  piece_index<A> piece;
  V u;

  PRIMAL_INLINE explicit normal_tail(V argument)
      : gelu_argument<float, A>(argument),
        piece(piece_index<A>::template from_bits < pieces<A> == 16 ? 20 : 21 > (this->a + V(2.f))),
        u(this->a - piece.look_up(normal_tail_pieces<pieces<A>>[0])) {}
};

template <class A> PRIMAL_INLINE batch<float, A> gelu(batch<float, A> x) {
  const normal_tail<A> tail(x);
  return tail.value(piece_polynomial<1>(tail.u, tail.piece, normal_tail_pieces<pieces<A>>));
}
template <class A> PRIMAL_INLINE batch<float, A> gelu_slope(batch<float, A> x) {
  const normal_tail<A> tail(x);
  return tail.slope(piece_polynomial<0>(tail.u, tail.piece, gelu_slope_pieces<pieces<A>>));
}

/// The same for the approximation by tanh, whose Q has tables with the same pieces.
template <class A> PRIMAL_INLINE batch<float, A> tanh_gelu(batch<float, A> x) {
  const normal_tail<A> tail(x);
  return tail.value(piece_polynomial<0>(tail.u, tail.piece, tanh_tail_pieces<pieces<A>>));
}
template <class A> PRIMAL_INLINE batch<float, A> tanh_gelu_slope(batch<float, A> x) {
  const normal_tail<A> tail(x);
  return tail.slope(piece_polynomial<0>(tail.u, tail.piece, tanh_slope_pieces<pieces<A>>));
}

#if defined(__AVX512F__)
/// The polynomial of the piece of |x| in tables for doubles.
template <std::size_t N, class A>
PRIMAL_INLINE batch<double, A> double_tail(batch<double, A> a, const double (&rows)[N][16]) {
  using V = batch<double, A>;
  const V bias(rounding_bias<double>), biased = cpu::fma(a, V(1 / normal_tail_step), bias);
  const V u = cpu::fnma(biased - bias, V(normal_tail_step), a);
  return piece_horner<0, 1>(u, double_piece_index::from_bits(biased), rows);
}
#endif

/// Q(a), to about 1e-16.
template <class A> PRIMAL_INLINE batch<double, A> normal_tail_of(batch<double, A> a) {
  const batch<double, A> half(0.5);
  return cpu::fnma(half, cpu::erf(a * batch<double, A>(0.70710678118654752440)), half);
}

template <class A> PRIMAL_INLINE batch<double, A> gelu(batch<double, A> x) {
  using V = batch<double, A>;
#if defined(__AVX512F__)
  if constexpr (width<A> == 64) {
    const gelu_argument<double, A> own(x);
    return own.value(double_tail(own.a, double_tail_pieces));
  }
#endif
  const V a = min_or_nan(V(39.), cpu::abs(x));
  return cpu::fnma(a, normal_tail_of(a), max_or_nan(V(0.), x));
}

template <class A> PRIMAL_INLINE batch<double, A> gelu_slope(batch<double, A> x) {
  using V = batch<double, A>;
#if defined(__AVX512F__)
  if constexpr (width<A> == 64) {
    const gelu_argument<double, A> own(x);
    return own.slope(double_tail(own.a, double_slope_pieces));
  }
#endif
  const V a = min_or_nan(V(39.), cpu::abs(x));
  const V density = V(0.39894228040143267794) * cpu::exp(V(-0.5) * a * a);
  const V s = cpu::fnma(a, density, normal_tail_of(a));
  return select_negative(x, s, V(1.) - s);
}

}  // namespace primal::cpu
