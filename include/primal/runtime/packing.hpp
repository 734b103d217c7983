// packing: where the buffers of a workspace begin.
#pragma once

#include <cstddef>

namespace primal {

/// Buffers that are not in use at the same time share memory. They are placed one after another, each as low as those
/// leave room that it meets: the largest first, of equal ones the longest, or, where that takes more than must be there
/// at once, the earliest. For real models that is within a few percent of this bound. It takes a look at every pair of
/// buffers, unless they fit on a page together.
template <int Room> class packing {
 public:
  /// Buffer i takes so many bytes, from one step to another, both included; if it is set twice, in all of them.
  constexpr void set(int i, std::size_t bytes, int first_step, int last_step) {
    auto& own = all_[i];
    if (own.bytes > 0) {
      if (first_step < own.first) own.first = first_step;
      if (last_step > own.last) own.last = last_step;
      return;
    }
    own = {i, first_step, last_step, bytes, sum_};
    sum_ += bytes;
  }

  /// Writes where each of the first `count` buffers begins; returns the size of all of them.
  constexpr std::size_t place(std::size_t* begin, int count = Room) {
    if (sum_ <= a_page || Room == 1) {
      write(begin, count);
      return sum_;
    }
    std::size_t size = place_in_order(true, count);
    write(begin, count);
    if (size < worthwhile || size == most_in_use(count)) return size;
    if (const auto other = place_in_order(false, count); other < size) {
      size = other;
      write(begin, count);
    }
    return size;
  }

 private:
  struct item {
    int buffer, first, last;
    std::size_t bytes, begin;

    constexpr bool meets(const item& other) const {
      return first <= other.last && other.first <= last;
    }
  };
  // Small workspaces are not worth the time: side by side, or with one attempt.
  static constexpr std::size_t a_page = 4096, worthwhile = 1 << 16;

  item all_[Room] = {};
  std::size_t sum_ = 0;

  constexpr void write(std::size_t* begin, int count) const {
    for (int i = 0; i < count; ++i) begin[all_[i].buffer] = all_[i].begin;
  }
  constexpr void sort(bool largest_first, int count) {
    const auto precedes = [&](const item& a, const item& b) {
      if (largest_first && a.bytes == b.bytes) return a.last - a.first > b.last - b.first;
      if (largest_first || a.first == b.first) return a.bytes > b.bytes;
      return a.first < b.first;
    };
    for (int i = 1; i < count; ++i) {
      const item own = all_[i];
      int at = i;
      for (; at > 0 && precedes(own, all_[at - 1]); --at) all_[at] = all_[at - 1];
      all_[at] = own;
    }
  }
  constexpr std::size_t place_in_order(bool largest_first, int count) {
    sort(largest_first, count);
    std::size_t size = 0;
    int lowest[Room] = {};  // those that are placed, from low to high
    for (int i = 0; i < count; ++i) {
      auto& own = all_[i];
      own.begin = 0;
      for (int k = 0; k < i; ++k) {
        const auto& other = all_[lowest[k]];
        if (!own.meets(other)) continue;
        if (other.begin >= own.begin + own.bytes) break;
        if (other.begin + other.bytes > own.begin) own.begin = other.begin + other.bytes;
      }
      int at = i;
      for (; at > 0 && all_[lowest[at - 1]].begin > own.begin; --at) lowest[at] = lowest[at - 1];
      lowest[at] = i;
      if (own.begin + own.bytes > size) size = own.begin + own.bytes;
    }
    return size;
  }
  constexpr std::size_t most_in_use(int count) const {
    std::size_t most = 0;
    for (int i = 0; i < count; ++i) {  // most are where one begins
      std::size_t now = 0;
      for (int k = 0; k < count; ++k)
        if (all_[k].first <= all_[i].first && all_[i].first <= all_[k].last) now += all_[k].bytes;
      if (now > most) most = now;
    }
    return most;
  }
};

/// Nothing to place.
template <> class packing<0> {
 public:
  constexpr std::size_t place(std::size_t*) { return 0; }
};

}  // namespace primal
