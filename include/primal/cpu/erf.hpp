// erf of a register, and the complementary function for doubles.
#pragma once

#include <primal/cpu/tanh.hpp>

namespace primal::cpu {

template <class A> PRIMAL_INLINE batch<float, A> erf(batch<float, A> x) {
  using V = batch<float, A>;
  constexpr bool many = pieces<A> == 16;
  const V a = min_or_nan(V(3.95f), cpu::abs(x));  // erf(3.95) rounds to 1
  const V s = a + V(4.04f);                       // makes the first piece narrow
  const auto piece = piece_index<A>::template from_bits<many ? 19 : 20>(s);
  return odd_pieces(x, a, piece, s < V(many ? 4.25f : 4.5f), erf_pieces<pieces<A>>);
}

/// e^(-a^2) with a small relative error: the square of a's upper half is exact.
template <class A> PRIMAL_INLINE batch<double, A> exp_minus_square(batch<double, A> a) {
  constexpr std::uint64_t upper_half = ~std::uint64_t{0} << 27;
  const batch<double, A> high =
      bits_as<double>(bits_as<std::uint64_t>(a) & batch<std::uint64_t, A>(upper_half));
  return cpu::exp(cpu::negate(high * high), cpu::negate((a - high) * (a + high)));
}

/// erfc(a) for 1 <= a <= 28, relatively accurate.
template <class A> PRIMAL_INLINE batch<double, A> erfc_beyond_1(batch<double, A> a) {
  using V = batch<double, A>;
  const V three(3.), inverse = V(1.) / (a + three), t = (a - three) * inverse;
  return cpu::exp_minus_square(a) * inverse * two_chains(t, erfc_scaled);
}

/// erf(a) for |a| <= 1.
template <class A> PRIMAL_INLINE batch<double, A> erf_within_1(batch<double, A> a) {
  return a * two_chains(a * a, erf_small);
}

template <class A> PRIMAL_INLINE batch<double, A> erf(batch<double, A> x) {
  using V = batch<double, A>;
  const V one(1.), a = min_or_nan(V(6.), cpu::abs(x));
  const V far = one - erfc_beyond_1(max_or_nan(one, a));
  return cpu::copysign(xsimd::select(a < one, erf_within_1(a), far), x);
}

}  // namespace primal::cpu
