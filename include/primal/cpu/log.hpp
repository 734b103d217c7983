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

  /// c 2^-e. In log1p c is finite, and e may be that of infinity.
  PRIMAL_INLINE batch<T, A> scaled_down(batch<T, A> c) const {
#if defined(__AVX512F__)
    const batch<T, A> n = min_or_nan(batch<T, A>(T(100)), cpu::negate(e));
    if constexpr (special_values && sizeof(T) == 4) return _mm512_maskz_scalef_ps(all_floats, c, n);
    if constexpr (special_values && sizeof(T) == 8)
      return _mm512_maskz_scalef_pd(all_doubles, c, n);
#endif
    // c 2^(1 - e) / 2: that exponent field is not negative for any e of a finite number.
    using unsigned_t = std::make_unsigned_t<integer_like<T>>;
    constexpr T bias = rounding_bias<T> + (sizeof(T) == 4 ? T(128) : T(1024));
    const auto power = bits_as<unsigned_t>(batch<T, A>(bias) - e);
    return c * bits_as<T>(shift_left<mantissa_bits<T>>(power)) * batch<T, A>(T(0.5));
  }
};

/// ln 2 in 14 bits, so that e times it plus a number of log_pieces is exact, and the rest.
inline constexpr float ln2_14_bits = 0x1.62e0p-1f;
inline constexpr float ln2_after_14_bits = 0x1.0bfbe8p-15f;

/// log(m + c) for a tiny correction c, plus e log 2 in as many roundings as it takes.
template <class A, class... Correction>
PRIMAL_INLINE batch<float, A> log_sum(batch<float, A> m, batch<float, A> e, Correction... c) {
  using V = batch<float, A>;
  if constexpr (width<A> == 64) {
    // A reciprocal from a table makes the fraction nearly 1; m * r - 1 is exact.
    const auto piece = piece_index<A>::template from_bits<19>(m);
    const V reciprocal = piece.look_up(log_pieces[0]);
    V f = cpu::fma(m, reciprocal, V(-1.f));
    ((f = cpu::fma(c, reciprocal, f)), ...);
    const V y = cpu::fma(f * f, two_chains(f, log_rest_reduced), f);
    const V high = cpu::fma(e, V(ln2_14_bits), piece.look_up(log_pieces[1]));
    return high + cpu::fma(e, V(ln2_after_14_bits), y);
  }
  V f = m - V(1.f);
  ((f = f + c), ...);
  const V y = cpu::fma(f * f, two_chains(f, log_rest<float>), e * V(ln2_rest<float>));
  return cpu::fma(e, V(ln2_short<float>), y + f);
}

template <class A, class... Correction>
PRIMAL_INLINE batch<double, A> log_sum(batch<double, A> m, batch<double, A> e, Correction... c) {
  using V = batch<double, A>;
  V f = m - V(1.);
  ((f = f + c), ...);
  // log(1 + f) = f - f^2/2 + s (f^2/2 + z R(z)), s = f / (2 + f), z = s^2.
  const V s = f / (V(2.) + f), z = s * s, half_square = V(0.5) * f * f;
  const V rest = z * two_chains(z, artanh_rest<double>);
  const V low = cpu::fma(s, half_square + rest, e * V(ln2_rest<double>));
  return cpu::fma(e, V(ln2_short<double>), f - (half_square - low));
}

/// y with the logarithms of 0, infinity, NaN and negative x put in.
template <class T, class A>
PRIMAL_INLINE batch<T, A> with_special_logs(batch<T, A> x, batch<T, A> y) {
  using V = batch<T, A>;
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
    return log_sum(split.m, split.e);
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
    return cpu::fma(log_sum(split.m, V(T(0))), V(log2_e<T>), split.e);
  };
  return parts::if_normal(x, normal(x), [=](auto z, auto) PRIMAL_LAMBDA_INLINE {
    return log_not_normal(z, T(1), normal);
  });
}

/// log(1 + x): the rounding error of 1 + x is brought back as a correction.
template <class T, class A> PRIMAL_INLINE batch<T, A> log1p(batch<T, A> x) {
  const batch<T, A> one(T(1)), large = max_or_nan(one, x), small = min_or_nan(one, x);
  const batch<T, A> u = large + small;
  // At most 1; at infinity it is NaN, of which min makes 1.
  const batch<T, A> error = min_or_nan(small - (u - large), one);
  using parts = log_parts<T, A>;
  const parts split(u);
  const batch<T, A> y = log_sum(split.m, split.e, split.scaled_down(error));
  return cpu::copysign(
      parts::if_normal(u, y,
                       [](auto z, auto w) PRIMAL_LAMBDA_INLINE { return with_special_logs(z, w); }),
      x);
}

}  // namespace primal::cpu
