// sin, cos and tan of a register.
#pragma once

#include <primal/core/math.hpp>
#include <primal/cpu/coefficients.hpp>
#include <primal/cpu/exp.hpp>

namespace primal::cpu {

/// pi/2 in parts that are taken from x one after another. With fma each part may be full, since the
/// product is not rounded; without it parts are short, so that their product with n is exact. All
/// parts are positive, or sin(-0) would be +0.
template <class T, bool Fma> inline constexpr T half_pi_parts[1] = {};
template <>
inline constexpr float half_pi_parts<float, true>[3] = {0x1.921fb4p+0f, 0x1.4442dp-24f,
                                                        0x1.846988p-48f};
template <>
inline constexpr float half_pi_parts<float, false>[4] = {0x1.92p+0f, 0x1.fb4p-12f, 0x1.444p-24f,
                                                         0x1.68cp-39f};
template <>
inline constexpr double half_pi_parts<double, true>[3] = {
    0x1.921fb54442d18p+0, 0x1.1a62633145c06p-54, 0x1.c1cd129024e08p-107};
template <>
inline constexpr double half_pi_parts<double, false>[4] = {0x1.921fb544p+0, 0x1.0b4611a6p-34,
                                                           0x1.3198a2ep-69, 0x1.b839a252p-104};

/// Beyond this magnitude lanes are computed one by one, with the standard library's full reduction.
template <class T, bool Fma>
inline constexpr T largest_angle = sizeof(T) == 4 ? (Fma ? T(100000) : T(10000)) : T(1000000);

/// x = n pi/2 + r - excess with |r| <= pi/4.
template <class T, class A> struct quarter_turns {
  using V = batch<T, A>;
  using unsigned_t = std::make_unsigned_t<integer_like<T>>;

  V odd;  // -0 where n is odd, else +0
  V r;
  V excess = V(T(0));  // for float: without it tan would have an error of 2.8 ulp instead of 1.9

  PRIMAL_INLINE explicit quarter_turns(V x) {
    constexpr int up = static_cast<int>(8 * sizeof(T)) - 1;
    const V bias(rounding_bias<T>);
    const V biased = cpu::fma(x, V(T(0.63661977236758134308)), bias);
    const V turns = biased - bias;
    odd = bits_as<T>(shift_left<up>(bits_as<unsigned_t>(biased)));
    constexpr auto& parts = half_pi_parts<T, has_fma<A>>;
    constexpr std::size_t last = std::size(parts) - 1;
    r = x;
    for (std::size_t i = 0; i + 1 < last; ++i) r = cpu::fnma(turns, V(parts[i]), r);
    const V part(parts[last - 1]), rest(parts[last]);
    if constexpr (sizeof(T) == 4) {
      const V before = r;
      r = before - unfused(turns * part);
      excess = cpu::fma(turns, rest, cpu::fms(turns, part, before - r));
    } else {
      r = cpu::fnma(turns, rest, cpu::fnma(turns, part, r));
    }
  }
};

/// x = n pi + r, or (n + 1/2) pi + r if `Odd`, with |r| <= pi/2: sin(x), or -cos(x), is sin(r) where n is even, else
/// -sin(r). One polynomial instead of two for half as wide an interval.
template <bool Odd, class T, class A> struct half_turns {
  using V = batch<T, A>;
  using unsigned_t = std::make_unsigned_t<integer_like<T>>;

  batch<unsigned_t, A> n;  // its lowest bit counts
  V r;

  PRIMAL_INLINE explicit half_turns(V x) {
    const V bias(rounding_bias<T>), by_pi(T(0.31830988618379067154));
    const V biased = Odd ? cpu::fma(x, by_pi, V(T(-0.5))) + bias : cpu::fma(x, by_pi, bias);
    const V whole = biased - bias, turns = Odd ? whole + V(T(0.5)) : whole;
    n = bits_as<unsigned_t>(biased);
    r = x;
    for (const T part : half_pi_parts<T, has_fma<A>>) r = cpu::fnma(turns, V(2 * part), r);
  }

  /// sin(x), or cos(x). Signs are those of r: the series loses that of -0.
  PRIMAL_INLINE V sine() const {
    const V z = r * r;
    const V magnitude = cpu::abs(cpu::fma(z * r, horner(z, sin_rest<T>), r));
    constexpr int up = static_cast<int>(8 * sizeof(T)) - 1;
    const V turned = bits_as<T>(shift_left<up>(Odd ? ~n : n));
    return magnitude | ((r ^ turned) & sign_bit<T, A>());
  }
};

/// The fast value where |x| is moderate, the exact one in the other lanes. Blended, so that a lane's
/// result does not depend on its neighbours.
template <class T, class A, class Exact>
PRIMAL_INLINE batch<T, A> unless_large(batch<T, A> x, batch<T, A> fast, Exact exact) {
  const auto moderate = cpu::abs(x) <= batch<T, A>(largest_angle<T, has_fma<A>>);
  if (xsimd::all(moderate)) [[likely]]
    return fast;
  return xsimd::select(moderate, fast, each_lane(exact, x));
}

template <class T, class A> PRIMAL_INLINE batch<T, A> sin(batch<T, A> x) {
  return unless_large(x, half_turns<false, T, A>(x).sine(),
                      [](T lane) { return math_of<T>::sin(lane); });
}

template <class T, class A> PRIMAL_INLINE batch<T, A> cos(batch<T, A> x) {
  return unless_large(x, half_turns<true, T, A>(x).sine(),
                      [](T lane) { return math_of<T>::cos(lane); });
}

/// tan(r) = n / d, with polynomials of few terms for the numerator and for the divisor; -d / n where the number of
/// quarter turns is odd.
template <class T, class A> PRIMAL_INLINE batch<T, A> tan(batch<T, A> x) {
  using V = batch<T, A>;
  const quarter_turns<T, A> turns(x);
  const V r = turns.r, z = r * r, p = horner(z, tan_rest<T>), d = horner(z, tan_divisor<T>);
  const V n = r - cpu::fma(z * r, p, turns.excess);  // p > 0, so that 0 keeps its sign
  const V y =
      divide(select_negative(turns.odd, d, n), select_negative(turns.odd, n, d)) ^ turns.odd;
  return unless_large(x, y, [](T lane) { return math_of<T>::tan(lane); });
}

}  // namespace primal::cpu
