// operand: what stands for a tensor where an operator is called.
#pragma once

#include <primal/expr/tensor.hpp>

#include <bit>
#include <span>

namespace primal {

/// An optional input that is left out.
struct none_t {};
inline constexpr none_t none{};

template <class T>
concept number = std::is_arithmetic_v<T>;

/// A number as a tensor of rank 0.
template <number N> constexpr tensor number_tensor(N x) {
  constant_source c(constant_source::number, dtype_of<N>, static_cast<double>(x));
  if constexpr (std::is_integral_v<N> && sizeof(N) == 8) {
    const auto bits = static_cast<std::uint64_t>(x), size = x < 0 ? 0 - bits : bits;
    const auto last = std::uint64_t{1} << 63;
    if (size != 0)
      c.set_rounded(size >> std::countr_zero(size) >= last >> 10 || (x > 0 && size >= last));
  }
  return constant_tensor(c);
}

/// An extent as a tensor of rank 0.
constexpr tensor extent_tensor(const extent& e) {
  if (e.known())
    return constant_tensor({constant_source::number, dtype::int64, static_cast<double>(e.code())});
  return constant_tensor({constant_source::extent, dtype::int64, 0}, {e});
}

/// An argument of an operator: a tensor, a number or an extent, and the line where it stands.
struct operand {
  tensor t;
  place where;

  constexpr operand(const tensor& x, std::source_location l = std::source_location::current())
      : t(x), where(l) {}
  template <number N>
  constexpr operand(N x, std::source_location l = std::source_location::current())
      : t(number_tensor(x)), where(l) {}
  constexpr operand(const extent& e, std::source_location l = std::source_location::current())
      : t(extent_tensor(e)), where(l) {}
};

/// An argument that may be left out.
struct optional_operand {
  tensor t;
  place where;

  constexpr optional_operand(const tensor& x,
                             std::source_location l = std::source_location::current())
      : t(x), where(l) {}
  constexpr optional_operand(none_t) {}
  template <number N>
  constexpr optional_operand(N x, std::source_location l = std::source_location::current())
      : t(operand(x).t), where(l) {}
};

/// A list argument: `pm::concat({a, b, c})`, or a vector or array of tensors.
struct list_operand {
  tensors items;
  place where;

  constexpr list_operand(std::initializer_list<tensor> l,
                         std::source_location w = std::source_location::current())
      : items(l), where(w) {}
  template <std::convertible_to<std::span<const tensor>> List>
  constexpr list_operand(const List& l, std::source_location w = std::source_location::current())
      : where(w) {
    for (const tensor& t : std::span<const tensor>(l)) items.push_back(t);
  }
};

}  // namespace primal
