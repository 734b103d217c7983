// sequence: a growing array for constant evaluation.
//
// Compilers evaluate a call in 2 to 3 microseconds, and std::vector takes 15 calls to append an element and
// 8 to step over one: they were three quarters of all calls of the passes. Here appending takes one to
// three, and iterators are pointers.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>

namespace primal {

/// The part of std::vector that passes need. Growing moves the elements; reserve() makes room.
template <class T> class sequence {
  static constexpr bool plain =
      std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>;
  // Elements that need no constructor are assigned: no call. Clang wants one where their type has defaults.
#if defined(__clang__)
  static constexpr bool assigns = plain;
#else
  static constexpr bool assigns = std::is_trivially_copyable_v<T>;
#endif

 public:
  constexpr sequence() = default;
  constexpr explicit sequence(int count, const T& item = T{}) { resize(count, item); }
  constexpr sequence(std::initializer_list<T> items) { append(items.begin(), items.end()); }
  constexpr sequence(const T* first, const T* last) { append(first, last); }
  constexpr sequence(const sequence& other) { append(other.begin(), other.end()); }
  constexpr sequence(sequence&& other) noexcept { swap(other); }
  constexpr sequence& operator=(const sequence& other) {
    if (this == &other) return *this;
    clear();
    append(other.begin(), other.end());
    return *this;
  }
  constexpr sequence& operator=(sequence&& other) noexcept {
    swap(other);
    return *this;
  }
  constexpr ~sequence() {
    if (data_ == nullptr) return;
    clear();
    if constexpr (plain) delete[] data_;
    else std::allocator<T>{}.deallocate(data_, static_cast<std::size_t>(room_));
  }

  /// Appends a copy; `item` must not be an element.
  constexpr void push_back(const T& item) {
    if (size_ == room_) grow(size_ + 1);
    if constexpr (assigns) data_[size_] = item;
    else std::construct_at(data_ + size_, item);
    ++size_;
  }
  constexpr void push_back(T&& item)
    requires(!assigns)
  {
    if (size_ == room_) grow(size_ + 1);
    std::construct_at(data_ + size_, static_cast<T&&>(item));
    ++size_;
  }
  constexpr void append(const T* first, const T* last) {
    reserve(size_ + static_cast<int>(last - first));
    if constexpr (assigns)
      for (; first != last; ++first) data_[size_++] = *first;
    else
      for (; first != last; ++first) std::construct_at(data_ + size_++, *first);
  }
  /// `item` becomes element `at`.
  constexpr void insert(int at, const T& item) {
    push_back(item);
    for (int i = size_ - 1; i > at; --i) data_[i] = data_[i - 1];
    data_[at] = item;
  }
  constexpr void erase(int at) {
    for (int i = at; i + 1 < size_; ++i) data_[i] = static_cast<T&&>(data_[i + 1]);
    pop_back();
  }
  constexpr void pop_back() { shrink(size_ - 1); }
  constexpr void clear() { shrink(0); }
  constexpr void reserve(int room) {
    if (room > room_) grow(room);
  }
  constexpr void resize(int count, const T& item = T{}) {
    if (count > room_) grow(count);
    if constexpr (assigns)
      for (; size_ < count; ++size_) data_[size_] = item;
    else
      for (; size_ < count; ++size_) std::construct_at(data_ + size_, item);
    shrink(count);
  }
  constexpr void assign(int count, const T& item) {
    clear();
    resize(count, item);
  }
  constexpr void swap(sequence& other) noexcept {
    T* const data = data_;
    const int size = size_, room = room_;
    data_ = other.data_, size_ = other.size_, room_ = other.room_;
    other.data_ = data, other.size_ = size, other.room_ = room;
  }

  constexpr int size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](std::ptrdiff_t i) { return data_[i]; }
  constexpr const T& operator[](std::ptrdiff_t i) const { return data_[i]; }
  constexpr T& back() { return data_[size_ - 1]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr T* data() { return data_; }
  constexpr const T* data() const { return data_; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }

  friend constexpr bool operator==(const sequence& a, const sequence& b) {
    if (a.size_ != b.size_) return false;
    for (int i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  T* data_ = nullptr;
  int size_ = 0, room_ = 0;

  constexpr void shrink(int count) {
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (int i = count; i < size_; ++i) std::destroy_at(data_ + i);
    size_ = count;
  }
  // (Where it is inlined, g++ 12 warns of copies that it does not make.)
  [[gnu::cold, gnu::noinline]] constexpr void grow(int room) {
    sequence larger;
    larger.room_ = room < 4 ? 4 : room < 2 * room_ ? 2 * room_ : room;
    if constexpr (plain) larger.data_ = new T[static_cast<std::size_t>(larger.room_)];
    else larger.data_ = std::allocator<T>{}.allocate(static_cast<std::size_t>(larger.room_));
    for (int& i = larger.size_; i < size_; ++i) {
      if constexpr (assigns) larger.data_[i] = data_[i];
      else std::construct_at(larger.data_ + i, static_cast<T&&>(data_[i]));
    }
    swap(larger);
  }
};

/// Some elements of a sequence, as std::span, but with pointers as iterators.
template <class T> class sequence_view {
 public:
  constexpr sequence_view() = default;
  constexpr sequence_view(const T* first, int count) : first_(first), count_(count) {}
  constexpr sequence_view(const sequence<T>& all) : first_(all.data()), count_(all.size()) {}
  template <std::size_t N>
  constexpr sequence_view(const std::array<T, N>& all)
      : first_(all.data()), count_(static_cast<int>(N)) {}
  template <std::size_t N>
  constexpr sequence_view(const T (&all)[N]) : first_(all), count_(static_cast<int>(N)) {}

  constexpr int size() const { return count_; }
  constexpr bool empty() const { return count_ == 0; }
  constexpr const T& operator[](std::ptrdiff_t i) const { return first_[i]; }
  constexpr const T* data() const { return first_; }
  constexpr const T* begin() const { return first_; }
  constexpr const T* end() const { return first_ + count_; }

  friend constexpr bool operator==(const sequence_view& a, const sequence_view& b) {
    if (a.count_ != b.count_) return false;
    for (int i = 0; i < a.count_; ++i)
      if (!(a.first_[i] == b.first_[i])) return false;
    return true;
  }

 private:
  const T* first_ = nullptr;
  int count_ = 0;
};

}  // namespace primal
