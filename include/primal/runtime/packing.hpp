// packing: where the buffers of a workspace begin.
#pragma once

#include <cstddef>

namespace primal {

/// Buffers that are not in use at the same time share memory. They are placed one after another, each as low as those
/// leave room that it meets: the largest first, of equal ones the longest, or, where that takes more than must be there
/// at once, the earliest.
/// For real models that is within a few percent of this bound. It takes a look at every pair of buffers, unless they
/// fit on a page together.
template <int Room> class packing {
 public:
  /// A buffer of so many bytes, in use from one step to another, both included.
  constexpr void add(int buffer, std::size_t bytes, int first_step, int last_step) {
    all_[count_++] = {buffer, first_step, last_step, bytes, sum_};
    sum_ += bytes;
  }

  /// Writes where each begins, by buffer; returns the size of all of them.
  constexpr std::size_t place(std::size_t* begin) {
    if (sum_ <= a_page) {
      write(begin);
      return sum_;
    }
    std::size_t size = place_in_order(true);
    write(begin);
    if (size < worthwhile || size == most_in_use()) return size;
    if (const auto other = place_in_order(false); other < size) {
      size = other;
      write(begin);
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

  item all_[Room + 1];
  int count_ = 0;
  std::size_t sum_ = 0;

  constexpr void write(std::size_t* begin) const {
    for (int i = 0; i < count_; ++i) begin[all_[i].buffer] = all_[i].begin;
  }
  constexpr void sort(bool largest_first) {
    const auto precedes = [&](const item& a, const item& b) {
      if (largest_first && a.bytes == b.bytes) return a.last - a.first > b.last - b.first;
      if (largest_first || a.first == b.first) return a.bytes > b.bytes;
      return a.first < b.first;
    };
    for (int i = 1; i < count_; ++i) {
      const item own = all_[i];
      int at = i;
      for (; at > 0 && precedes(own, all_[at - 1]); --at) all_[at] = all_[at - 1];
      all_[at] = own;
    }
  }
  constexpr std::size_t place_in_order(bool largest_first) {
    sort(largest_first);
    std::size_t size = 0;
    int lowest[Room + 1];  // those that are placed, from low to high
    for (int i = 0; i < count_; ++i) {
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
  constexpr std::size_t most_in_use() const {
    std::size_t most = 0;
    for (int i = 0; i < count_; ++i) {  // most are where one begins
      std::size_t now = 0;
      for (int k = 0; k < count_; ++k)
        if (all_[k].first <= all_[i].first && all_[i].first <= all_[k].last) now += all_[k].bytes;
      if (now > most) most = now;
    }
    return most;
  }
};

}  // namespace primal
