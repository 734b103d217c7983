// lanes: registers of every dtype with one number of lanes, and how they meet memory.
#pragma once

#include <primal/cpu/batch_math.hpp>
#include <primal/kernel/registers.hpp>
#include <primal/kernel/wide.hpp>

#include <cstring>

namespace primal {

namespace cpu {

/// The registers of element type T that hold N lanes.
template <class T, int N> struct lanes_of {
  using type = wide<T, N>;
};
template <class T, int N>
  requires std::is_same_v<T, float> || std::is_same_v<T, double> ||
           std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>
struct lanes_of<T, N> {
  static constexpr int native = static_cast<int>(xsimd::batch<T>::size);
  using type = std::conditional_t<
      N == native, xsimd::batch<T>,
      std::conditional_t<(N > native) && N % native == 0,
                         wide<xsimd::batch<T>, (N > native ? N / native : 1)>, wide<T, N>>>;
};

/// Memory and registers: how many lanes, and lane-by-lane copies.
template <class V> struct lane_access;
template <class T>
  requires std::is_arithmetic_v<T>
struct lane_access<T> {
  using element = T;
  static constexpr int count = 1;
  static PRIMAL_INLINE T load(const T* p) { return *p; }
  static PRIMAL_INLINE void store(T* p, T x) { *p = x; }
};
template <class T, class A> struct lane_access<xsimd::batch<T, A>> {
  using element = T;
  static constexpr int count = static_cast<int>(xsimd::batch<T, A>::size);
  static PRIMAL_INLINE xsimd::batch<T, A> load(const T* p) {
    return xsimd::batch<T, A>::load_unaligned(p);
  }
  static PRIMAL_INLINE void store(T* p, const xsimd::batch<T, A>& x) { x.store_unaligned(p); }
};
/// (Lane by lane a condition took 1 to 2 ns an element.)
template <class T, class A> struct lane_access<xsimd::batch_bool<T, A>> {
  using element = bool;
  static constexpr int count = static_cast<int>(xsimd::batch<T, A>::size);
  using word = std::make_unsigned_t<integer_like<T>>;
  typedef std::uint8_t bytes __attribute__((vector_size(count)));
  typedef word words __attribute__((vector_size(count * sizeof(word))));

  static PRIMAL_INLINE xsimd::batch_bool<T, A> load(const bool* p) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    if constexpr (width<A> == 64) {
      __m128i b = _mm_setzero_si128();
      std::memcpy(&b, p, count);
      return static_cast<typename batch_mask<T, A>::register_type>(_mm_test_epi8_mask(b, b));
    }
#endif
    bytes b;
    std::memcpy(&b, p, sizeof b);
    const words w = __builtin_convertvector(b, words);
    return has_bit<T>(__builtin_bit_cast(batch<word, A>, w), word(1));
  }
  static PRIMAL_INLINE void store(bool* p, const xsimd::batch_bool<T, A>& x) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    if constexpr (width<A> == 64) {
      const __m128i b = _mm_maskz_set1_epi8(x, 1);
      std::memcpy(p, &b, count);
      return;
    }
#endif
    const auto w = cpu::select(x, bits_as<T>(batch<word, A>(1)), bits_as<T>(batch<word, A>(0)));
    const bytes b = __builtin_convertvector(__builtin_bit_cast(words, w), bytes);
    std::memcpy(p, &b, sizeof b);
  }
};
template <class V, int K> struct lane_access<wide<V, K>> {
  using part = lane_access<V>;
  using element = typename part::element;
  static constexpr int count = K * part::count;
  static PRIMAL_INLINE wide<V, K> load(const element* p) {
    wide<V, K> r;
    for (int i = 0; i < K; ++i) r.part[i] = part::load(p + i * part::count);
    return r;
  }
  static PRIMAL_INLINE void store(element* p, const wide<V, K>& x) {
    for (int i = 0; i < K; ++i) part::store(p + i * part::count, x.part[i]);
  }
};

/// Are both masks of registers with as many lanes?
template <class A, class B> inline constexpr bool same_lanes = false;
template <class T, class U, class A>
inline constexpr bool same_lanes<xsimd::batch_bool<T, A>, xsimd::batch_bool<U, A>> =
    sizeof(T) == sizeof(U);

}  // namespace cpu

/// The register types of a kernel whose pieces have as many elements as a register has of `LaneBytes`.
template <int LaneBytes> struct simd_lanes {
  using base = std::conditional_t<LaneBytes == 8, double, float>;
  static constexpr int count = static_cast<int>(xsimd::batch<base>::size);

  template <class T> struct of {
    using type = typename cpu::lanes_of<T, count>::type;
  };
  /// A value of dtype D; conditions are masks of the base type.
  template <dtype D>
  using value =
      typename std::conditional_t<D == dtype::bool_, std::type_identity<xsimd::batch_bool<base>>,
                                  of<scalar_value<D>>>::type;

  /// The same lanes as another register type, through memory.
  template <class To, class From> static PRIMAL_INLINE To copied(const From& x) {
    using from = typename cpu::lane_access<From>::element;
    using to = typename cpu::lane_access<To>::element;
    alignas(64) from a[count];
    alignas(64) to b[count];
    cpu::lane_access<From>::store(a, x);
    for (int i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<to, bool>) b[i] = a[i] != from(0);
      else b[i] = static_cast<to>(a[i]);
    }
    return cpu::lane_access<To>::load(b);
  }

  /// The condition that selects between values like `V`.
  template <class V>
  static PRIMAL_INLINE auto condition_for(const value<dtype::bool_>& c, const V&) {
    return mask_as<typename math_of<V>::mask>(c);
  }
  static PRIMAL_INLINE auto condition_for(const value<dtype::bool_>& c,
                                          const value<dtype::bool_>&) {
    return c;
  }

  template <class To, class From> static PRIMAL_INLINE To mask_as(const From& m) {
    if constexpr (std::is_same_v<To, From>) return m;
    else if constexpr (sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<From> &&
                       cpu::same_lanes<To, From>)
      return __builtin_bit_cast(To, m);
    else return copied<To>(m);
  }
  /// The result of an operator as a value of dtype D: masks become the mask of the base type.
  template <dtype D, class R> static PRIMAL_INLINE value<D> result(const R& r) {
    if constexpr (D == dtype::bool_) return mask_as<value<D>>(r);
    else return r;
  }

  template <dtype D, dtype Exact, class V> static PRIMAL_INLINE value<D> convert(const V& x) {
    if constexpr (is_half(Exact)) {
      const auto f = [&]() PRIMAL_LAMBDA_INLINE {
        if constexpr (std::is_same_v<V, value<D>>) return x;
        else return copied<value<D>>(x);
      }();
      alignas(64) float t[count];
      cpu::lane_access<value<D>>::store(t, f);
      for (float& e : t) e = static_cast<float>(element_of<Exact>(e));
      return cpu::lane_access<value<D>>::load(t);
    } else if constexpr (std::is_same_v<V, value<D>>) {
      return x;
    } else if constexpr (D == dtype::bool_) {
      return mask_as<value<D>>(
          math_of<V>::not_equal(x, V(typename cpu::lane_access<V>::element(0))));
    } else if constexpr (std::is_same_v<V, value<dtype::bool_>>) {
      using R = value<D>;
      using T = scalar_value<D>;
      return math_of<R>::select(condition_for(x, R{}), R(T(1)), R(T(0)));
    } else {
      return copied<value<D>>(x);
    }
  }
};

}  // namespace primal
