// Operations on SIMD registers that xsimd 8.1 lacks or gets wrong, on every architecture.
#pragma once

#include <primal/core/config.hpp>

#include <xsimd/xsimd.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace primal::cpu {

template <class T, class A> using batch = xsimd::batch<T, A>;
template <class T, class A> using batch_mask = xsimd::batch_bool<T, A>;

/// The integer as wide as T.
template <class T>
using integer_like = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

/// The width of the registers of A in bytes.
template <class A> inline constexpr std::size_t width = sizeof(batch<float, A>);

/// Whether the registers of A multiply and add with one rounding.
template <class A>
#if defined(__aarch64__)
inline constexpr bool has_fma = true;
#elif defined(__AVX512F__)
inline constexpr bool has_fma = true;
#elif defined(__FMA__)
inline constexpr bool has_fma = width<A> <= 32;
#else
inline constexpr bool has_fma = false;
#endif

#if defined(__AVX512F__)
/// The mask of every lane. g++ 12 warns of an uninitialised register in the plain forms of many
/// intrinsics, but not in their masked forms, and both make the same code.
inline constexpr std::uint8_t all_doubles = 0xff;
inline constexpr std::uint16_t all_floats = 0xffff;
#endif

// ---- Bits ----------------------------------------------------------------------------------

/// The same bits as another type (xsimd changed the signature of its own bitwise_cast).
template <class To, class T, class A> PRIMAL_INLINE batch<To, A> bits_as(batch<T, A> x) {
  return __builtin_bit_cast(batch<To, A>, x);
}
template <class To, class T, class A> PRIMAL_INLINE batch_mask<To, A> mask_as(batch_mask<T, A> m) {
  static_assert(sizeof(To) == sizeof(T));
  return __builtin_bit_cast(batch_mask<To, A>, m);
}

template <class T, class A> PRIMAL_INLINE batch<integer_like<T>, A> bits(batch<T, A> x) {
  return bits_as<integer_like<T>>(x);
}

/// The sign bit alone: the value -0.
template <class T, class A> PRIMAL_INLINE batch<T, A> sign_bit() { return batch<T, A>(T(-0.)); }

template <class T, class A> PRIMAL_INLINE batch<T, A> abs(batch<T, A> x) {
  using integer = integer_like<T>;
  return bits_as<T>(bits(x) & batch<integer, A>(std::numeric_limits<integer>::max()));
}

/// -x, also of 0 (xsimd 8.1 computes 0 - x on AVX-512, which is +0).
template <class T, class A> PRIMAL_INLINE batch<T, A> negate(batch<T, A> x) {
  return x ^ sign_bit<T, A>();
}

/// The magnitude of the first, the sign of the second.
template <class T, class A>
PRIMAL_INLINE batch<T, A> copysign(batch<T, A> magnitude, batch<T, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64) {
    constexpr int second_where_third = 0xd8;
    return bits_as<T>(batch<std::int32_t, A>(
        _mm512_ternarylogic_epi32(bits_as<std::int32_t>(magnitude), bits_as<std::int32_t>(x),
                                  bits_as<std::int32_t>(sign_bit<T, A>()), second_where_third)));
  }
#endif
  return cpu::abs(magnitude) | (x & sign_bit<T, A>());
}

/// The same where the sign bit of the magnitude is known to be clear.
template <class T, class A>
PRIMAL_INLINE batch<T, A> with_sign(batch<T, A> magnitude, batch<T, A> x) {
  if constexpr (width<A> == 64) return cpu::copysign(magnitude, x);
  return magnitude | (x & sign_bit<T, A>());
}

/// The lanes whose bits have the single bit of the pattern set. (xsimd 8.1 cannot compare AVX-512
/// integers under g++ -O0.)
template <class T, class U, class A>
PRIMAL_INLINE batch_mask<T, A> has_bit(batch<U, A> x, U pattern) {
  static_assert(sizeof(T) == sizeof(U) && std::is_unsigned_v<U>);
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(T) == 4)
    return _mm512_test_epi32_mask(x, batch<U, A>(pattern));
  if constexpr (width<A> == 64 && sizeof(T) == 8)
    return _mm512_test_epi64_mask(x, batch<U, A>(pattern));
#endif
  return mask_as<T>((x & batch<U, A>(pattern)) == batch<U, A>(pattern));
}

/// Whether the sign bit is set: of -0 and of some NaN too.
template <class T, class A> PRIMAL_INLINE batch_mask<T, A> is_negative(batch<T, A> x) {
#if defined(__AVX512F__)
  using unsigned_t = std::make_unsigned_t<integer_like<T>>;
  if constexpr (width<A> == 64)
    return has_bit<T>(bits_as<unsigned_t>(x), __builtin_bit_cast(unsigned_t, T(-0.)));
#endif
  return mask_as<T>(bits(x) < batch<integer_like<T>, A>(0));
}

template <class T, class A> PRIMAL_INLINE batch_mask<T, A> is_nan(batch<T, A> x) {
  return xsimd::isnan(x);  // x != x is false for NaN in xsimd 8.1 on AVX and AVX-512
}

/// x >> Count and x << Count.
template <int Count, class U, class A> PRIMAL_INLINE batch<U, A> shift_right(batch<U, A> x) {
  static_assert(std::is_unsigned_v<U>);
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(U) == 4)
    return _mm512_maskz_srli_epi32(all_floats, x, Count);
  if constexpr (width<A> == 64 && sizeof(U) == 8)
    return _mm512_maskz_srli_epi64(all_doubles, x, Count);
#endif
  return x >> Count;
}
template <int Count, class U, class A> PRIMAL_INLINE batch<U, A> shift_left(batch<U, A> x) {
#if defined(__AVX512F__)
  if constexpr (width<A> == 64 && sizeof(U) == 4)
    return _mm512_maskz_slli_epi32(all_floats, x, Count);
  if constexpr (width<A> == 64 && sizeof(U) == 8)
    return _mm512_maskz_slli_epi64(all_doubles, x, Count);
#endif
  return x << Count;
}

template <class T> inline constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;

/// a where the sign bit of x is set, b elsewhere.
template <class T, class A>
PRIMAL_INLINE batch<T, A> select_negative(batch<T, A> x, batch<T, A> a, batch<T, A> b) {
#if defined(__AVX__)
  if constexpr (width<A> == 32 && sizeof(T) == 4) return _mm256_blendv_ps(b, a, x);
  if constexpr (width<A> == 32 && sizeof(T) == 8) return _mm256_blendv_pd(b, a, x);
#endif
  return xsimd::select(is_negative(x), a, b);
}

/// a where the mask is set, b elsewhere. (xsimd 8.1 selects integers with intrinsics of AVX-512BW that are macros
/// without optimisation, and does not compile there.)
template <class T, class A>
PRIMAL_INLINE batch<T, A> select(batch_mask<T, A> mask, batch<T, A> a, batch<T, A> b) {
#if defined(__AVX512F__)
  constexpr bool integers = width<A> == 64 && std::is_integral_v<T>;
  if constexpr (integers && sizeof(T) == 4) return _mm512_mask_blend_epi32(mask, b, a);
  else if constexpr (integers && sizeof(T) == 8) return _mm512_mask_blend_epi64(mask, b, a);
  else
#endif
    return xsimd::select(mask, a, b);
}

// ---- One lane at a time --------------------------------------------------------------------

/// f of every lane: the slow, certain way, for rare arguments. Not inlined, so that the fast path
/// around it stays small.
template <class F, class T, class A, class... Rest>
[[gnu::noinline]] batch<T, A> each_lane(F f, batch<T, A> x, Rest... rest) {
  constexpr std::size_t count = batch<T, A>::size;
  alignas(width<A>) T lanes[1 + sizeof...(Rest)][count];
  x.store_aligned(lanes[0]);
  [[maybe_unused]] std::size_t row = 1;
  (rest.store_aligned(lanes[row++]), ...);
  for (std::size_t lane = 0; lane < count; ++lane) {
    if constexpr (sizeof...(Rest) == 0) lanes[0][lane] = f(lanes[0][lane]);
    else lanes[0][lane] = f(lanes[0][lane], lanes[1][lane]);
  }
  return batch<T, A>::load_aligned(lanes[0]);
}

}  // namespace primal::cpu
