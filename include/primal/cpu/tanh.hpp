// tanh of a register.
#pragma once

#include <primal/cpu/exp.hpp>
#include <primal/cpu/piece_tables.hpp>

namespace primal::cpu {

/// An odd function from its pieces for a = |x|: c0 + u (c1 + u ...), u = a - centre. The centres are
/// such that c0 is nearly a float, so that the last fma is almost the only rounding. In the first
/// piece, where the function is near a, u takes the place of c0.
template <class A, std::size_t N, std::size_t P>
PRIMAL_INLINE batch<float, A> odd_pieces(batch<float, A> x, batch<float, A> a, piece_index<A> piece,
                                         batch_mask<float, A> first, const float (&rows)[N][P]) {
  const batch<float, A> u = a - piece.look_up(rows[0]);
  const batch<float, A> base = xsimd::select(first, u, piece.look_up(rows[1]));
  return with_sign(cpu::fma(piece_polynomial<2>(u, piece, rows), u, base), x);
}

template <class A> PRIMAL_INLINE batch<float, A> tanh(batch<float, A> x) {
  using V = batch<float, A>;
  constexpr bool many = pieces<A> == 16;
  const V a = min_or_nan(V(9.1f), cpu::abs(x));  // tanh(9.1) rounds to 1
  const V s = a + V(1.f);
  const auto piece = piece_index<A>::template from_bits<many ? 21 : 22>(s);
  return odd_pieces(x, a, piece, s < V(many ? 1.25f : 1.5f), tanh_pieces<pieces<A>>);
}

template <class A> PRIMAL_INLINE batch<double, A> tanh(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(20.), cpu::abs(x));
  const V e = cpu::expm1(a + a);
  return cpu::copysign(e / (e + V(2.)), x);
}

}  // namespace primal::cpu
