// Polynomials in a register: one for all lanes, or one per lane fetched from a table of pieces.
#pragma once

#include <primal/cpu/arithmetic.hpp>

namespace primal::cpu {

/// c[First] + c[First + Step] x + c[First + 2 Step] x^2 + ..., by Horner: fewest operations.
template <std::size_t First = 0, std::size_t Step = 1, class T, class A, std::size_t N>
PRIMAL_INLINE batch<T, A> horner(batch<T, A> x, const T (&c)[N]) {
  if constexpr (First + Step < N)
    return cpu::fma(horner<First + Step, Step>(x, c), x, batch<T, A>(c[First]));
  else return batch<T, A>(c[First]);
}

/// The same by two interleaved Horner chains in x^2: half the latency, one operation more.
template <std::size_t First = 0, class T, class A, std::size_t N>
PRIMAL_INLINE batch<T, A> two_chains(batch<T, A> x, const T (&c)[N]) {
  const batch<T, A> v = x * x;
  return cpu::fma(horner<First + 1, 2>(v, c), x, horner<First, 2>(v, c));
}

// ---- Pieces ------------------------------------------------------------------------------------
// A function on an interval is cut into as many pieces as one register permutation can choose from,
// by the leading bits of its argument. Row k of a table holds coefficient k of every piece.

/// The number of pieces for A: one register of floats where it can be permuted freely.
template <class A>
#if defined(__AVX2__)
inline constexpr int pieces = width<A> == 32 ? 8 : 16;
#else
inline constexpr int pieces = 16;
#endif

/// Which piece every lane is in.
template <class A> struct piece_index {
  using integers = batch<std::int32_t, A>;

  /// Without a permutation the rows are read lane by lane.
#if defined(__AVX2__)
  static constexpr bool permutes = width<A> >= 32;
#else
  static constexpr bool permutes = width<A> == 64;
#endif

  integers lanes;

  /// From the low bits of x >> Shift.
  template <int Shift> PRIMAL_INLINE static piece_index from_bits(batch<float, A> x) {
    const auto shifted = bits_as<std::int32_t>(shift_right<Shift>(bits_as<std::uint32_t>(x)));
    if constexpr (permutes) return {shifted};
    return {shifted & integers(pieces<A> - 1)};
  }

  PRIMAL_INLINE batch<float, A> look_up(const float (&row)[pieces<A>]) const {
#if defined(__AVX512F__)
    if constexpr (width<A> == 64)
      return _mm512_maskz_permutexvar_ps(all_floats, lanes, _mm512_load_ps(row));
#endif
#if defined(__AVX2__)
    if constexpr (width<A> == 32) return _mm256_permutevar8x32_ps(_mm256_load_ps(row), lanes);
#endif
    constexpr std::size_t count = batch<float, A>::size;
    alignas(width<A>) std::int32_t index[count];
    alignas(width<A>) float values[count];
    lanes.store_aligned(index);
    for (std::size_t lane = 0; lane < count; ++lane) values[lane] = row[index[lane]];
    return batch<float, A>::load_aligned(values);
  }
};

#if defined(__AVX512F__)
/// The same for doubles: one of 16 pieces, by the low bits of an integer, from two registers.
struct double_piece_index {
  __m512i lanes;

  template <class A> PRIMAL_INLINE static double_piece_index from_bits(batch<double, A> x) {
    return {_mm512_castpd_si512(x)};
  }
  PRIMAL_INLINE __m512d look_up(const double (&row)[16]) const {
    return _mm512_permutex2var_pd(_mm512_load_pd(row), lanes, _mm512_load_pd(row + 8));
  }
};
#endif

/// row[First] + row[First + Step] u + ..., each row looked up.
template <std::size_t First, std::size_t Step, class T, class A, class Piece, std::size_t N,
          std::size_t P>
PRIMAL_INLINE batch<T, A> piece_horner(batch<T, A> u, Piece piece, const T (&rows)[N][P]) {
  const batch<T, A> c = piece.look_up(rows[First]);
  if constexpr (First + Step < N)
    return cpu::fma(piece_horner<First + Step, Step>(u, piece, rows), u, c);
  else return c;
}

/// The polynomial of rows First, First + 1, ... 512 bits are bound by the ports, so Horner; 256 bits
/// by latency, so two chains.
template <std::size_t First, class A, std::size_t N, std::size_t P>
PRIMAL_INLINE batch<float, A> piece_polynomial(batch<float, A> u, piece_index<A> piece,
                                               const float (&rows)[N][P]) {
  if constexpr (width<A> == 64) return piece_horner<First, 1>(u, piece, rows);
  const batch<float, A> v = u * u;
  return cpu::fma(piece_horner<First + 1, 2>(v, piece, rows), u,
                  piece_horner<First, 2>(v, piece, rows));
}

}  // namespace primal::cpu
