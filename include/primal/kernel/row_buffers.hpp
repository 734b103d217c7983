// row_buffers: where the lanes of a team keep values of a row from one sweep to a later one.
#pragma once

#include <primal/kernel/wide.hpp>

#include <cstdint>
#include <type_traits>

namespace primal {

/// The elements of a value.
template <class V> using part_of = std::remove_cvref_t<decltype(V::part[0])>;

/// In memory, one buffer of `length` elements of `LaneBytes` after another. Of a value the first `count` elements are
/// kept: what follows may be another block's.
template <class Memory, int LaneBytes> struct buffers_in_memory {
  static constexpr int pieces = 0;  // as many as there are

  char* first;
  std::int64_t length;

  template <int Piece, bool Partial, class V>
  PRIMAL_INLINE void keep(int number, int column, const V& x, int count) const {
    auto* p = at<part_of<V>>(number, column);
    if constexpr (Partial)
      for (int i = 0; i < count; ++i) p[i] = x.part[i];
    else Memory::store(p, x);
  }
  template <int Piece, class V> PRIMAL_INLINE V recall(int number, int column) const {
    return Memory::template load<V>(at<const part_of<V>>(number, column));
  }

 private:
  template <class T> PRIMAL_INLINE T* at(int number, int column) const {
    return reinterpret_cast<T*>(first + number * length * LaneBytes) + column;
  }
};

/// In registers: what one lane keeps of rows of at most `Pieces` of its pieces. All indices must be constants.
template <class Word, int Count, int Width, int Pieces> struct buffers_in_registers {
  static constexpr int pieces = Pieces;

  Word word[Count][Pieces][Width];

  template <int Piece, bool, class V> PRIMAL_INLINE void keep(int number, int, const V& x, int) {
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int i = 0; i < Width; ++i) word[number][Piece][i] = bits(x.part[i]);
  }
  template <int Piece, class V> PRIMAL_INLINE V recall(int number, int) const {
    V x;
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int i = 0; i < Width; ++i) x.part[i] = value<part_of<V>>(word[number][Piece][i]);
    return x;
  }

 private:
  template <class T> PRIMAL_INLINE static Word bits(T x) {
    static_assert(sizeof(T) == sizeof(Word) || std::is_integral_v<T>);
    if constexpr (sizeof(T) == sizeof(Word)) return __builtin_bit_cast(Word, x);
    else return static_cast<Word>(x);
  }
  template <class T> PRIMAL_INLINE static T value(Word w) {
    if constexpr (sizeof(T) == sizeof(Word)) return __builtin_bit_cast(T, w);
    else return static_cast<T>(w);
  }
};

}  // namespace primal
