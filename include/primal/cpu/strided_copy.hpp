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

  /// Elements of the size of T.
  template <class T> void run(const T* from, T* to) const {
    if (axes_.empty()) std::memcpy(to, from, sizeof(T));
    else along(0, from, to);
  }

 private:
  struct axis {
    std::int64_t extent, from, to;
  };
  list<axis, max_rank> axes_;

  static bool follows(const axis& outer, const axis& inner) {
    return outer.from == inner.from * inner.extent && outer.to == inner.to * inner.extent;
  }

  template <class T> void along(int a, const T* from, T* to) const {
    const axis& own = axes_[a];
    const int left = axes_.size() - a;
    if (left == 1) return row(own, from, to);
    if (left == 2 && is_transposed(own, axes_[a + 1])) return turned(own, axes_[a + 1], from, to);
    for (std::int64_t i = 0; i < own.extent; ++i)
      along(a + 1, from + i * own.from, to + i * own.to);
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
