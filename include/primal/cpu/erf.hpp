// erf of a register.
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

/// By the Taylor series around a multiple of a step, whose erf and derivative are in a table.
template <class A> PRIMAL_INLINE batch<double, A> erf(batch<double, A> x) {
  using V = batch<double, A>;
  const V a = min_or_nan(V(5.95), cpu::abs(x));  // erf(5.95) rounds to 1
  const V bias(rounding_bias<double>);
  const V biased = cpu::fma(a, V(1 / erf_row_step), bias), step = biased - bias;
  const lane_rows rows(erf_rows, bits_as<std::uint64_t>(biased));
  const auto [start, slope] = rows.template columns<0>();
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

#if defined(__AVX512F__)
/// The same by 16 pieces, of which a permutation of two registers chooses.
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

}  // namespace primal::cpu
