// extent: what a model sees of the size of an axis.
#pragma once

#include <primal/expr/recorder.hpp>

namespace primal {

/// A number, or an expression over extents known only at the call. Arithmetic works on both;
/// turning an unknown one into a number is an error that names it.
class extent {
 public:
  constexpr extent() = default;
  template <std::integral I> constexpr extent(I n) : code_(static_cast<std::int64_t>(n)) {}
  constexpr extent(std::int64_t code, recorder* r) : code_(code), recorder_(r) {}

  constexpr bool known() const { return is_number(code_); }
  constexpr std::int64_t code() const { return code_; }
  constexpr recorder* owner() const { return recorder_; }

  constexpr operator std::int64_t() const { return number(); }

  friend constexpr extent operator+(const extent& a, const extent& b) {
    return combine(a, b, &extent_space::add);
  }
  friend constexpr extent operator-(const extent& a, const extent& b) {
    return combine(a, b, &extent_space::subtract);
  }
  friend constexpr extent operator*(const extent& a, const extent& b) {
    return combine(a, b, &extent_space::multiply);
  }
  friend constexpr extent operator/(const extent& a, const extent& b) {
    return combine(a, b, &extent_space::divide);
  }
  friend constexpr extent operator%(const extent& a, const extent& b) {
    return combine(a, b, &extent_space::modulo);
  }
  template <std::integral I> friend constexpr extent operator+(const extent& a, I b) {
    return a + extent(b);
  }
  template <std::integral I> friend constexpr extent operator-(const extent& a, I b) {
    return a - extent(b);
  }
  template <std::integral I> friend constexpr extent operator*(const extent& a, I b) {
    return a * extent(b);
  }
  template <std::integral I> friend constexpr extent operator/(const extent& a, I b) {
    return a / extent(b);
  }
  template <std::integral I> friend constexpr extent operator%(const extent& a, I b) {
    return a % extent(b);
  }
  template <std::integral I> friend constexpr extent operator+(I a, const extent& b) {
    return extent(a) + b;
  }
  template <std::integral I> friend constexpr extent operator-(I a, const extent& b) {
    return extent(a) - b;
  }
  template <std::integral I> friend constexpr extent operator*(I a, const extent& b) {
    return extent(a) * b;
  }
  template <std::integral I> friend constexpr extent operator/(I a, const extent& b) {
    return extent(a) / b;
  }
  template <std::integral I> friend constexpr extent operator%(I a, const extent& b) {
    return extent(a) % b;
  }

  /// Equality of two extents is known when their expressions are the same, or both are numbers.
  friend constexpr bool operator==(const extent& a, const extent& b) {
    return a.resolved() == b.resolved() || a.number() == b.number();
  }
  template <std::integral I> friend constexpr bool operator==(const extent& a, I b) {
    return a == extent(b);
  }
  friend constexpr auto operator<=>(const extent& a, const extent& b) {
    return a.number() <=> b.number();
  }
  template <std::integral I> friend constexpr auto operator<=>(const extent& a, I b) {
    return a.number() <=> static_cast<std::int64_t>(b);
  }

 private:
  using operation = std::int64_t (extent_space::*)(std::int64_t, std::int64_t);
  static constexpr extent combine(const extent& a, const extent& b, operation f) {
    recorder* r = a.recorder_ ? a.recorder_ : b.recorder_;
    if (r) return {(r->extents.*f)(a.code_, b.code_), r};
    extent_space numbers_only;
    return {(numbers_only.*f)(a.code_, b.code_), nullptr};
  }
  constexpr std::int64_t resolved() const {
    return recorder_ ? recorder_->extents.resolve(code_) : code_;
  }
  constexpr std::int64_t number() const {
    const auto n = resolved();
    if (is_number(n)) return n;
    recorder_->report.fail(join("extent: ", recorder_->extents.to_text(n),
                                " is known only at the call; it cannot be used as a number"));
    return 1;
  }

  std::int64_t code_ = 0;
  recorder* recorder_ = nullptr;
};

/// The extents of a tensor, or those that an operator is asked for: `{-1, 768}`, `x.shape()`.
struct extents : list<extent, max_rank> {
  bool too_many = false;

  constexpr extents() = default;
  /// Of more than max_rank, those that are too many are left out, for the operator to report.
  constexpr extents(std::initializer_list<extent> items) : too_many(items.size() > max_rank) {
    for (const extent& e : items)
      if (size() < max_rank) push_back(e);
  }
  template <std::integral I> constexpr extents(I item) { push_back(extent(item)); }
  constexpr extents(extent item) { push_back(item); }
  constexpr extents(const shape& codes, recorder* r) {
    for (auto code : codes) push_back({code, r});
  }
  constexpr shape codes() const {
    if (too_many) core::refuse("primal: a tensor has at most 8 axes");
    shape s;
    for (const auto& e : *this) s.push_back(e.code());
    return s;
  }
  constexpr void encode(sequence<std::int64_t>& out) const {
    out.push_back(size());
    for (const auto& e : *this) out.push_back(e.code());
  }
  constexpr void decode(const std::int64_t*& in) {
    *this = extents{};
    for (auto n = *in++; n > 0; --n) push_back({*in++, nullptr});
  }
};

/// The axes of a reduction: all of them unless some are named. Negative ones count from the end.
struct axes : list<int, max_rank> {
  bool every = true;

  constexpr axes() = default;
  constexpr axes(std::initializer_list<int> items) : list(items), every(false) {}
  constexpr axes(int axis) : every(false) { push_back(axis); }
  constexpr axes(const ints& items) : every(false) {
    for (auto i : items) push_back(static_cast<int>(i));
  }
  constexpr void encode(sequence<std::int64_t>& out) const {
    out.push_back(every ? -1 : size());
    for (int a : *this) out.push_back(a);
  }
  constexpr void decode(const std::int64_t*& in) {
    *this = axes{};
    auto n = *in++;
    every = n < 0;
    for (; n > 0; --n) push_back(static_cast<int>(*in++));
  }
};

}  // namespace primal
