// strided_copy: the elements of an array, whatever its strides, into another one.
#pragma once

#include <primal/core/list.hpp>
#include <primal/cpu/transpose.hpp>

#include <algorithm>
#include <cstddef>

namespace primal::cpu {

/// Copies `rank` axes of these extents; strides count elements. The arrays do not overlap.
class strided_copy {
 public:
  strided_copy(const std::int64_t* extents, const std::int64_t* from, const std::int64_t* to,
               int rank) {
    for (int i = 0; i < rank; ++i) {
      if (extents[i] == 1) continue;
      const axis next{extents[i], from[i], to[i]};
      if (!axes_.empty() && follows(axes_.back(), next))
        axes_[axes_.size() - 1] = {axes_.back().extent * next.extent, next.from, next.to};
      else axes_.push_back(next);
    }
  }

  /// Elements of 1, 2, 4 or 8 bytes. (One walk for all of them: four are a tenth of a second of compile time.)
  void run(const void* source, void* target, int bytes) const {
    const int rank = axes_.size();
    const bool turn = rank > 1 && is_transposed(axes_[rank - 2], axes_[rank - 1]);
    const axis single{1, 0, 0};
    const axis inner = rank > 0 ? axes_[rank - 1] : single, outer = turn ? axes_[rank - 2] : single;
    const int walked = rank - 1 - turn;  // axes
    const auto* from = static_cast<const std::byte*>(source);
    auto* to = static_cast<std::byte*>(target);
    std::int64_t index[max_rank] = {};
    for (int a = 0; a >= 0;) {
      switch (bytes) {
        case 1:  block<std::uint8_t>(outer, inner, from, to); break;
        case 2:  block<std::uint16_t>(outer, inner, from, to); break;
        case 4:  block<std::uint32_t>(outer, inner, from, to); break;
        default: block<std::uint64_t>(outer, inner, from, to); break;
      }
      for (a = walked - 1; a >= 0; --a) {
        const axis& own = axes_[a];
        from += own.from * bytes, to += own.to * bytes;
        if (++index[a] < own.extent) break;
        from -= own.from * own.extent * bytes, to -= own.to * own.extent * bytes;
        index[a] = 0;
      }
    }
  }

 private:
  struct axis {
    std::int64_t extent, from, to;
  };
  list<axis, max_rank> axes_;

  static bool follows(const axis& outer, const axis& inner) {
    return outer.from == inner.from * inner.extent && outer.to == inner.to * inner.extent;
  }

  template <class T>
  static void block(const axis& outer, const axis& inner, const void* from, void* to) {
    if (outer.extent == 1) row(inner, static_cast<const T*>(from), static_cast<T*>(to));
    else turned(outer, inner, static_cast<const T*>(from), static_cast<T*>(to));
  }
  template <class T> static void row(const axis& own, const T* from, T* to) {
    if (own.from == 1 && own.to == 1)
      std::memcpy(to, from, static_cast<std::size_t>(own.extent) * sizeof(T));
    else
      for (std::int64_t i = 0; i < own.extent; ++i)
        std::memcpy(to + i * own.to, from + i * own.from, sizeof(T));
  }

  static bool is_transposed(const axis& outer, const axis& inner) {
    return (outer.from == 1 && inner.to == 1) || (outer.to == 1 && inner.from == 1);
  }
  /// Square tiles, whose lines of both arrays fit in the first-level cache.
  template <class T> static void turned(axis outer, axis inner, const T* from, T* to) {
    constexpr std::int64_t tile = 32;
    if (outer.from != 1) std::swap(outer, inner);
    for (std::int64_t i = 0; i < inner.extent; i += tile)
      for (std::int64_t k = 0; k < outer.extent; k += tile)
        transpose(from + i * inner.from + k, inner.from, std::min(tile, inner.extent - i),
                  std::min(tile, outer.extent - k), to + k * outer.to + i, outer.to);
  }
};

}  // namespace primal::cpu
