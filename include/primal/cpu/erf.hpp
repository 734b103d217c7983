// erf of a register, and the complementary function for doubles.
#pragma once

#include <primal/cpu/double_pieces.hpp>
#include <primal/cpu/erf_rows.hpp>
#include <primal/cpu/lane_rows.hpp>
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

#if defined(__AVX512F__)
/// The same by 16 pieces, of which a permutation of two registers chooses: 1.9 times as fast.
template <class A>
  requires(width<A> == 64)
PRIMAL_INLINE batch<double, A> erf(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(6.), cpu::abs(x)), bias(rounding_bias<double>);
  const V biased = cpu::fma(a, V(1 / erf_step), bias), piece = biased - bias;
  const auto first = piece == V(0.);
  const V u = xsimd::select(first, a * a, cpu::fnma(piece, V(erf_step), a));
  const V y = piece_horner<0, 1>(u, double_piece_index::from_bits(biased), double_erf_pieces);
  return cpu::copysign(xsimd::select(first, a * y, y), x);
}
#endif

#if defined(__AVX2__)
/// The same by the Taylor series around a multiple c of a step, whose erf and derivative are in memory: three
/// times as fast.
template <class A>
  requires(width<A> == 32)
PRIMAL_INLINE batch<double, A> erf(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(5.95), cpu::abs(x)),
          bias(rounding_bias<double>);  // erf(5.95) rounds to 1
  const V biased = cpu::fma(a, V(1 / erf_row_step), bias), step = biased - bias;
  const lane_rows rows(erf_rows, bits_as<std::uint64_t>(biased));
  const auto [start, slope] = rows.template columns<0, A>();
  const V d = cpu::fnma(step, V(erf_row_step), a), w = d * d, t = step * d;
  V series(erf_rest_6[0]);
  series = cpu::fma(series, t, V(erf_rest_5[0]));
  series = cpu::fma(series, t, horner(w, erf_rest_4));
  series = cpu::fma(series, t, horner(w, erf_rest_3));
  series = cpu::fma(series, t, horner(w, erf_rest_2));
  series = cpu::fma(series, t, horner(w, erf_rest_1));
  series = cpu::fma(series, t, horner(w, erf_rest_0));
  return cpu::copysign(cpu::fma(slope * d, series, start), x);
}
#endif

}  // namespace primal::cpu
