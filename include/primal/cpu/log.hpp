// log, log2 and log1p of a register.
#pragma once

#include <primal/cpu/exp.hpp>
#include <primal/cpu/piece_tables.hpp>

namespace primal::cpu {

/// x = m 2^e with 3/4 <= m < 3/2, for a normal x > 0. Where the hardware splits numbers it also
/// treats all others: log(m) + e log(2) is right for 0, infinity, NaN, denormal and negative x.
template <class T, class A> struct log_parts {
  batch<T, A> m;
  batch<T, A> e;
#if defined(__AVX512F__)
  static constexpr bool special_values = width<A> == 64;
#else
  static constexpr bool special_values = false;
#endif

  PRIMAL_INLINE explicit log_parts(batch<T, A> x) {
#if defined(__AVX512F__)
    if constexpr (special_values && sizeof(T) == 4) {
      m = _mm512_maskz_getmant_ps(all_floats, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
      e = _mm512_maskz_getexp_ps(all_floats, x);
    }
    if constexpr (special_values && sizeof(T) == 8) {
      m = _mm512_maskz_getmant_pd(all_doubles, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
      e = _mm512_maskz_getexp_pd(all_doubles, x);
    }
    if constexpr (special_values) {
      const batch<T, A> one(T(1));
      e = xsimd::select(m < one, e + one, e);
      return;
    }
#endif
    // The exponent, by a quarter of a unit more, which moves the cut from 1 to 3/4; then as the low
    // bits of 2^(mantissa bits), less that and its bias: no conversion of integers.
    using unsigned_t = std::make_unsigned_t<integer_like<T>>;
    using integers = batch<unsigned_t, A>;
    constexpr auto one = __builtin_bit_cast(unsigned_t, T(1));
    constexpr auto cut = __builtin_bit_cast(unsigned_t, T(0.75));
    constexpr auto bias = first_integer<T> + static_cast<T>(one >> mantissa_bits<T>);
    const integers raw = bits_as<unsigned_t>(x);
    const integers exponent = shift_right<mantissa_bits<T>>(raw + integers(one - cut));
    m = bits_as<T>(raw - shift_left<mantissa_bits<T>>(exponent) + integers(one));
    e = bits_as<T>(exponent | bits_as<unsigned_t>(batch<T, A>(first_integer<T>))) -
        batch<T, A>(bias);
  }

  /// y where the parts of x are those of the comment above, else what `otherwise` makes of x and y.
  template <class Otherwise>
  PRIMAL_INLINE static batch<T, A> if_normal(batch<T, A> x, batch<T, A> y, Otherwise otherwise) {
    if constexpr (special_values) return y;
    using limits = std::numeric_limits<T>;
    const auto normal = x >= batch<T, A>(limits::min()) && x < batch<T, A>(limits::infinity());
    if (xsimd::all(normal)) [[likely]]
      return y;
    return xsimd::select(normal, y, otherwise(x, y));
  }

  /// c 2^-e, for c near 1.
  PRIMAL_INLINE batch<T, A> scaled_down(batch<T, A> c) const {
#if defined(__AVX512F__)
    if constexpr (special_values && sizeof(T) == 4)
      return _mm512_maskz_scalef_ps(all_floats, c, cpu::negate(e));
    if constexpr (special_values && sizeof(T) == 8)
      return _mm512_maskz_scalef_pd(all_doubles, c, cpu::negate(e));
#endif
    // c 2^(2 - e) / 4: 2^-e is no normal number for the largest e.
    using unsigned_t = std::make_unsigned_t<integer_like<T>>;
    constexpr T bias = rounding_bias<T> + (sizeof(T) == 4 ? T(129) : T(1025));
    const auto power = bits_as<unsigned_t>(batch<T, A>(bias) - e);
    return c * bits_as<T>(shift_left<mantissa_bits<T>>(power)) * batch<T, A>(T(0.25));
  }
};

/// The logarithm of m in [3/4, 3/2) as that of 1 + f = m r, for a reciprocal r from a table that
/// makes the fraction f small, or for r = 1.
template <class T, class A> struct log_piece {
  using V = batch<T, A>;
#if defined(__AVX512F__)
  static constexpr bool tabulated = width<A> == 64;
#else
  static constexpr bool tabulated = false;
#endif

  V reciprocal = V(T(1));
  V logarithm = V(T(0));  // of 1 / r: adding a multiple of ln2_head to it, or an exponent, is exact
  V rest = V(T(0));       // of that logarithm

  template <std::size_t N> PRIMAL_INLINE log_piece(V m, [[maybe_unused]] const T (&rows)[N][16]) {
    if constexpr (tabulated) {
      const auto piece = index_of(cpu::fma(m, V(log_steps<T>), V(rounding_bias<T>)));
      reciprocal = piece.look_up(rows[0]);
      logarithm = piece.look_up(rows[1]);
      if constexpr (N > 2) rest = piece.look_up(rows[2]);
    }
  }

  PRIMAL_INLINE V fraction(V m) const {
    return tabulated ? cpu::fma(m, reciprocal, V(T(-1))) : m - V(T(1));
  }
  /// That of 1 + x, whose parts are given: for small x it is x itself.
  PRIMAL_INLINE V fraction_of_one_plus(V x, const log_parts<T, A>& parts) const {
    const V scale = parts.scaled_down(reciprocal);
    return cpu::fma(x, scale, scale - V(T(1)));
  }

 private:
  PRIMAL_INLINE static auto index_of(V biased) {
    if constexpr (sizeof(T) == 4) return piece_index<A>::template from_bits<0>(biased);
#if defined(__AVX512F__)
    else return double_piece_index::from_bits(biased);
#endif
  }
};

/// ln 2 in so few bits that e times it plus a logarithm of the table is exact, and the rest.
template <class T> inline constexpr T ln2_head = ln2_short<T>;
template <> inline constexpr float ln2_head<float> = 0x1.62e0p-1f;
template <class T> inline constexpr T ln2_tail = ln2_rest<T>;
template <> inline constexpr float ln2_tail<float> = 0x1.0bfbe8p-15f;

/// log(1 + f) for the fractions of the table.
template <class T, class A> PRIMAL_INLINE batch<T, A> log_of_reduced(batch<T, A> f) {
  return cpu::fma(f * f, two_chains(f, log_rest_reduced<T>), f);
}

/// log(1 + f) plus those of the piece and of 2^e.
template <class T, class A>
PRIMAL_INLINE batch<T, A> log_sum(batch<T, A> f, log_piece<T, A> piece, batch<T, A> e) {
  using V = batch<T, A>;
  if constexpr (log_piece<T, A>::tabulated) {
    const V high = cpu::fma(e, V(ln2_head<T>), piece.logarithm);
    return high + cpu::fma(e, V(ln2_tail<T>), log_of_reduced(f));
  }
  if constexpr (sizeof(T) == 4) {
    const V y = cpu::fma(f * f, two_chains(f, log_rest<T>), e * V(ln2_rest<T>));
    return cpu::fma(e, V(ln2_short<T>), y + f);
  } else {
    // log(1 + f) = f - f^2/2 + s (f^2/2 + z R(z)), s = f / (2 + f), z = s^2.
    const V s = f / (V(2.) + f), z = s * s, half_square = V(0.5) * f * f;
    const V rest = z * two_chains(z, artanh_rest<T>);
    const V low = cpu::fma(s, half_square + rest, e * V(ln2_rest<T>));
    return cpu::fma(e, V(ln2_short<T>), f - (half_square - low));
  }
}

/// y with the logarithms of 0, infinity, NaN and negative x put in.
template <class T, class A>
PRIMAL_INLINE batch<T, A> with_special_logs(batch<T, A> x, batch<T, A> y) {
  using V = batch<T, A>;
#if defined(__AVX512F__)
  // By nibbles for the kinds of x: 3 is NaN, 4 and 5 are the infinities, 2 is x itself, 0 is y.
  constexpr int values = 0x03530422;
  if constexpr (width<A> == 64 && sizeof(T) == 4)
    return _mm512_maskz_fixupimm_ps(all_floats, y, x, _mm512_set1_epi32(values), 0);
  if constexpr (width<A> == 64 && sizeof(T) == 8)
    return _mm512_maskz_fixupimm_pd(all_doubles, y, x, _mm512_set1_epi64(values), 0);
#endif
  constexpr T infinity = std::numeric_limits<T>::infinity();
  y = xsimd::select(cpu::abs(x) < V(infinity), y, x);  // infinity and NaN
  y = select_negative(x, V(std::numeric_limits<T>::quiet_NaN()), y);
  return xsimd::select(x == V(T(0)), V(-infinity), y);
}

/// A power of two that makes denormals normal.
template <class T> inline constexpr T up = sizeof(T) == 4 ? T(0x1p24) : T(0x1p54);
template <class T> inline constexpr T up_exponent = sizeof(T) == 4 ? T(24) : T(54);

/// A logarithm of numbers that are not normal, from one of normal numbers; octave is that of 2.
template <class T, class A, class Log>
[[gnu::noinline]] batch<T, A> log_not_normal(batch<T, A> x, T octave, Log log) {
  return with_special_logs(x, log(x * batch<T, A>(up<T>)) - batch<T, A>(up_exponent<T> * octave));
}

template <class T, class A> PRIMAL_INLINE batch<T, A> log(batch<T, A> x) {
  using parts = log_parts<T, A>;
  const auto normal = [](auto z) PRIMAL_LAMBDA_INLINE {
    const parts split(z);
    const log_piece<T, A> piece(split.m, log_pieces<T>);
    return log_sum(piece.fraction(split.m), piece, split.e);
  };
  return parts::if_normal(x, normal(x), [=](auto z, auto) PRIMAL_LAMBDA_INLINE {
    return log_not_normal(z, T(0.69314718055994530942), normal);
  });
}

template <class T, class A> PRIMAL_INLINE batch<T, A> log2(batch<T, A> x) {
  using V = batch<T, A>;
  using parts = log_parts<T, A>;
  const auto normal = [](auto z) PRIMAL_LAMBDA_INLINE {
    const parts split(z);
    const log_piece<T, A> piece(split.m, log2_pieces<T>);
    const V f = piece.fraction(split.m);
    if constexpr (log_piece<T, A>::tabulated)
      return cpu::fma(log_of_reduced(f), V(log2_e<T>), split.e + piece.logarithm);
    else return cpu::fma(log_sum(f, piece, V(T(0))), V(log2_e<T>), split.e);
  };
  return parts::if_normal(x, normal(x), [=](auto z, auto) PRIMAL_LAMBDA_INLINE {
    return log_not_normal(z, T(1), normal);
  });
}

/// log(1 + x): 1 + x is rounded only to choose the piece and the power of two.
template <class T, class A> PRIMAL_INLINE batch<T, A> log1p(batch<T, A> x) {
  using parts = log_parts<T, A>;
  const batch<T, A> u = x + batch<T, A>(T(1));
  const parts split(u);
  const log_piece<T, A> piece(split.m, log_pieces<T>);
  const batch<T, A> y = log_sum(piece.fraction_of_one_plus(x, split), piece, split.e);
  const auto special = [](auto z, auto w) PRIMAL_LAMBDA_INLINE { return with_special_logs(z, w); };
  if constexpr (parts::special_values) return cpu::copysign(special(u, y), x);
  else return cpu::copysign(parts::if_normal(u, y, special), x);
}

}  // namespace primal::cpu
