// list: a constexpr sequence of bounded length.
#pragma once

#include <primal/core/error.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>

namespace primal {

/// At most `Capacity` elements, stored in place. Writing past the end is a constant-evaluation error.
template <class T, int Capacity> class list {
 public:
  constexpr list() = default;
  constexpr list(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }

  constexpr void push_back(const T& item) {
    if (count_ >= Capacity) core::refuse("primal: a list is longer than its capacity");
    items_[count_++] = item;
  }
  constexpr void insert(int at, const T& item) {
    push_back(item);
    for (int i = count_ - 1; i > at; --i) items_[i] = items_[i - 1];
    items_[at] = item;
  }
  constexpr void resize(int count, const T& item = T{}) {
    while (count_ < count) push_back(item);
    count_ = count;
  }

  constexpr int size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr T& operator[](int i) { return items_[i]; }
  constexpr const T& operator[](int i) const { return items_[i]; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + count_; }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + count_; }
  constexpr const T& back() const { return items_[count_ - 1]; }

  constexpr bool contains(const T& item) const {
    for (const T& own : *this)
      if (own == item) return true;
    return false;
  }
  friend constexpr bool operator==(const list& a, const list& b) {
    if (a.count_ != b.count_ || (a.count_ > 0 && !(a.items_[0] == b.items_[0]))) return false;
    for (int i = 0; i < a.count_; ++i)
      if (!(a.items_[i] == b.items_[i])) return false;
    return true;
  }

 private:
  T items_[Capacity]{};
  int count_ = 0;
};

/// The greatest rank of a tensor.
inline constexpr int max_rank = 8;

/// Integers of an attribute, such as the permutation of a transpose. Written `{1, 0, 2}` or `1`.
struct ints : list<std::int64_t, max_rank> {
  constexpr ints() = default;
  constexpr ints(std::initializer_list<std::int64_t> items) : list(items) {}
  template <std::integral I> constexpr ints(I item) { push_back(static_cast<std::int64_t>(item)); }
};

}  // namespace primal
