// shuffles: blocks of a matrix transposed in registers, where the compiler has shuffles: that costs a third of a cycle
// an element instead of 1 to 2.
#pragma once

#include <primal/core/config.hpp>

#include <cstdint>
#include <utility>

#if (defined(__clang__) || __GNUC__ >= 12) && !defined(__CUDACC__)
#define PRIMAL_SHUFFLES

namespace primal::cpu {

/// W elements in a register. (Vectors are never arguments or results by value: without AVX g++ would warn; nor are they
/// copied by memcpy: it would move halves, and who loads the whole soon after waits until they have reached memory.)
template <class T, int W> struct shuffled {
  using vector [[gnu::vector_size(W * sizeof(T))]] = T;
  using loose [[gnu::vector_size(W * sizeof(T)), gnu::aligned(alignof(T)), gnu::may_alias]] = T;

  static PRIMAL_INLINE void load(vector& x, const T* from) {
    x = *reinterpret_cast<const loose*>(from);
  }
  static PRIMAL_INLINE void store(const vector& x, T* to) { *reinterpret_cast<loose*>(to) = x; }
};

/// W elements, in fours.
template <class T, int W> struct fours {
  using vector = typename shuffled<T, W>::vector;

  /// Fours from `from`, from `from + step` and so on.
  static PRIMAL_INLINE void load(vector& x, const T* from, std::int64_t step) {
    if constexpr (W == 4) {
      shuffled<T, 4>::load(x, from);
    } else {
      using half = fours<T, W / 2>;
      typename half::vector low, high;
      half::load(low, from, step);
      half::load(high, from + W / 8 * step, step);
      join(x, low, high, std::make_integer_sequence<int, W>{});
    }
  }
  static PRIMAL_INLINE void store(const vector& x, T* to, std::int64_t step) {
    store(x, to, step, std::make_integer_sequence<int, W / 4>{});
  }
  /// Each four of x[0] .. x[3] as a 4 x 4 block, transposed.
  static PRIMAL_INLINE void transpose(vector (&x)[4]) {
    constexpr std::integer_sequence<int, 0, 4, 1, 5> low{};
    constexpr std::integer_sequence<int, 2, 6, 3, 7> high{};
    constexpr std::integer_sequence<int, 0, 1, 4, 5> first{};
    constexpr std::integer_sequence<int, 2, 3, 6, 7> last{};
    vector a, b, c, d;
    pick(a, x[0], x[1], all, low);
    pick(b, x[0], x[1], all, high);
    pick(c, x[2], x[3], all, low);
    pick(d, x[2], x[3], all, high);
    pick(x[0], a, c, all, first);
    pick(x[1], a, c, all, last);
    pick(x[2], b, d, all, first);
    pick(x[3], b, d, all, last);
  }

 private:
  static constexpr std::make_integer_sequence<int, W> all{};

  template <class Half, int... I>
  static PRIMAL_INLINE void join(vector& x, const Half& low, const Half& high,
                                 std::integer_sequence<int, I...>) {
    x = __builtin_shufflevector(low, high, I...);
  }
  template <int... G>
  static PRIMAL_INLINE void store(const vector& x, T* to, std::int64_t step,
                                  std::integer_sequence<int, G...>) {
    (shuffled<T, 4>::store(__builtin_shufflevector(x, x, 4 * G, 4 * G + 1, 4 * G + 2, 4 * G + 3),
                           to + G * step),
     ...);
  }
  /// In each four, what `P` says of the eight elements of x and y.
  template <int... I, int... P>
  static PRIMAL_INLINE void pick(vector& to, const vector& x, const vector& y,
                                 std::integer_sequence<int, I...>,
                                 std::integer_sequence<int, P...>) {
    constexpr int from[] = {P...};
    to = __builtin_shufflevector(
        x, y, (from[I % 4] < 4 ? I / 4 * 4 + from[I % 4] : W + I / 4 * 4 + from[I % 4] - 4)...);
  }
};

/// Blocks of four vectors: load(x, i) and store(x, i) move vector i.
template <class T, int W, class Load, class Store>
PRIMAL_INLINE void transpose_fours(Load load, Store store) {
  typename shuffled<T, W>::vector x[4];
  load(x[0], 0), load(x[1], 1), load(x[2], 2), load(x[3], 3);
  fours<T, W>::transpose(x);
  store(x[0], 0), store(x[1], 1), store(x[2], 2), store(x[3], 3);
}

/// Width rows of N elements, 2 or 3, that lie one behind another, become N vectors of columns.
template <class T, int Width, int N> struct narrow_rows {
  using whole = shuffled<T, Width>;
  using vector = typename whole::vector;

  static PRIMAL_INLINE void to_registers(const T* from, T* to) { move<true>(from, to, columns); }
  static PRIMAL_INLINE void from_registers(const T* from, T* to) { move<false>(from, to, columns); }

 private:
  static constexpr std::make_integer_sequence<int, N> columns{};

  template <bool In, int... K>
  static PRIMAL_INLINE void move(const T* from, T* to, std::integer_sequence<int, K...>) {
    vector x[N], y[N];
    (whole::load(x[K], from + K * Width), ...);
    (gather<In, K>(y[K], x, std::make_integer_sequence<int, Width>{}), ...);
    (whole::store(y[K], to + K * Width), ...);
  }
  /// Which element of x, counted through its vectors, becomes element i of vector k.
  template <bool In> static constexpr int source(int k, int i) {
    return In ? N * i + k : (k * Width + i) % N * Width + (k * Width + i) / N;
  }
  template <bool In, int K, int... I>
  static PRIMAL_INLINE void gather(vector& to, const vector (&x)[N],
                                   std::integer_sequence<int, I...>) {
    constexpr auto of_two = [](int i) { return i < 2 * Width ? i : 0; };
    to = __builtin_shufflevector(x[0], x[1], of_two(source<In>(K, I))...);
    if constexpr (N == 3)
      to = __builtin_shufflevector(
          to, x[2], (source<In>(K, I) < 2 * Width ? I : source<In>(K, I) - Width)...);
  }
};

}  // namespace primal::cpu

#endif
