// transpose: rows of a matrix become columns, in registers.
#pragma once

#include <primal/core/config.hpp>

#include <cstdint>
#include <cstring>
#include <utility>

namespace primal::cpu {

namespace core {

#if (defined(__clang__) || __GNUC__ >= 12) && !defined(__CUDACC__)
#define PRIMAL_SHUFFLES
/// W elements, in fours: where the compiler has shuffles, blocks are transposed in registers, which costs a third of a
/// cycle an element instead of 1 to 2. (Vectors are never arguments or results by value: without AVX g++ would warn.)
template <class T, int W> struct fours {
  using quad [[gnu::vector_size(4 * sizeof(T))]] = T;
  using vector [[gnu::vector_size(W * sizeof(T))]] = T;

  /// Fours from `from`, from `from + step` and so on.
  static PRIMAL_INLINE void load(vector& x, const T* from, std::int64_t step) {
    if constexpr (W == 4) {
      std::memcpy(&x, from, sizeof x);
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
    quad parts[] = {__builtin_shufflevector(x, x, 4 * G, 4 * G + 1, 4 * G + 2, 4 * G + 3)...};
    for (int g = 0; g < W / 4; ++g) std::memcpy(to + g * step, &parts[g], sizeof(quad));
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

template <class T>
PRIMAL_INLINE void transpose_block(const T* from, std::int64_t from_row, T* to,
                                   std::int64_t to_row) {
  using block = fours<T, 4>;
  typename block::vector x[4];
  for (int i = 0; i < 4; ++i) block::load(x[i], from + i * from_row, 0);
  block::transpose(x);
  for (int i = 0; i < 4; ++i) block::store(x[i], to + i * to_row, 0);
}
#else
template <class T>
PRIMAL_INLINE void transpose_block(const T* from, std::int64_t from_row, T* to,
                                   std::int64_t to_row) {
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) to[k * to_row + i] = from[i * from_row + k];
}
#endif

}  // namespace core

/// to[k * to_row + i] = from[i * from_row + k] for i < count, k < inner.
template <class T>
PRIMAL_INLINE void transpose(const T* from, std::int64_t from_row, std::int64_t count,
                             std::int64_t inner, T* to, std::int64_t to_row) {
  const std::int64_t blocked_count = count - count % 4;
  const std::int64_t blocked_inner = inner - inner % 4;
  for (std::int64_t i = 0; i < blocked_count; i += 4)
    for (std::int64_t k = 0; k < blocked_inner; k += 4)
      core::transpose_block(from + i * from_row + k, from_row, to + k * to_row + i, to_row);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = i < blocked_count ? blocked_inner : 0; k < inner; ++k)
      std::memcpy(to + k * to_row + i, from + i * from_row + k, sizeof(T));
}

#if defined(PRIMAL_SHUFFLES)
namespace core {
/// Transposes Width x inner elements, four vectors at a time: load(x, i, k) and store(x, i, k) move vector i of the
/// four that begin at k. The last four may contain some of those before.
template <int Width, class T, class Load, class Store>
PRIMAL_INLINE void transpose_fours(std::int64_t inner, Load load, Store store) {
  using block = fours<T, Width>;
  for (std::int64_t k = 0; k < inner; k += 4) {
    if (inner - k < 4) k = inner - 4;
    typename block::vector x[4];
    for (int i = 0; i < 4; ++i) load(x[i], i, k);
    block::transpose(x);
    for (int i = 0; i < 4; ++i) store(x[i], i, k);
  }
}
}  // namespace core
#endif

/// The same for Width rows that become registers, and back: what is stored in one piece is loaded without waiting.
template <int Width, class T>
PRIMAL_INLINE void rows_to_registers(const T* from, std::int64_t from_row, std::int64_t inner,
                                     T* to) {
#if defined(PRIMAL_SHUFFLES)
  if constexpr (Width % 4 == 0)
    if (inner >= 4) {
      using block = core::fours<T, Width>;
      return core::transpose_fours<Width, T>(
          inner,
          [&](auto& x, int i, std::int64_t k)
              PRIMAL_LAMBDA_INLINE { block::load(x, from + i * from_row + k, 4 * from_row); },
          [&](const auto& x, int i, std::int64_t k)
              PRIMAL_LAMBDA_INLINE { std::memcpy(to + (k + i) * Width, &x, sizeof x); });
    }
#endif
  transpose(from, from_row, Width, inner, to, Width);
}
template <int Width, class T>
PRIMAL_INLINE void registers_to_rows(const T* from, std::int64_t inner, T* to,
                                     std::int64_t to_row) {
#if defined(PRIMAL_SHUFFLES)
  if constexpr (Width % 4 == 0)
    if (inner >= 4) {
      using block = core::fours<T, Width>;
      return core::transpose_fours<Width, T>(
          inner,
          [&](auto& x, int i, std::int64_t k)
              PRIMAL_LAMBDA_INLINE { std::memcpy(&x, from + (k + i) * Width, sizeof x); },
          [&](const auto& x, int i, std::int64_t k)
              PRIMAL_LAMBDA_INLINE { block::store(x, to + i * to_row + k, 4 * to_row); });
    }
#endif
  transpose(from, Width, inner, Width, to, to_row);
}

}  // namespace primal::cpu
