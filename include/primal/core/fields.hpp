// Fields: an aggregate of attributes as a row of integers, so that a program can be stored, compared
// and hashed without knowing its operators.
#pragma once

#include <primal/core/list.hpp>
#include <primal/core/sequence.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace primal {

/// The attributes of an operator that has none.
struct no_attributes {};

namespace core {

struct any_field {
  template <class T> constexpr operator T() const;
};

template <class T, std::size_t... I> consteval bool takes_fields(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), any_field{})...}; };
}

/// How many fields an aggregate has: at most 8.
template <class T, std::size_t N = 8> consteval std::size_t field_count() {
  if constexpr (N == 0 || takes_fields<T>(std::make_index_sequence<N>{})) return N;
  else return field_count<T, N - 1>();
}

/// f(fields...): all fields of an aggregate at once.
template <class T, class F> constexpr decltype(auto) with_fields(T& t, F f) {
  constexpr std::size_t n = field_count<std::remove_const_t<T>>();
  if constexpr (n == 0) {
    return f();
  } else if constexpr (n == 1) {
    auto& [a] = t;
    return f(a);
  } else if constexpr (n == 2) {
    auto& [a, b] = t;
    return f(a, b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = t;
    return f(a, b, c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = t;
    return f(a, b, c, d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = t;
    return f(a, b, c, d, e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, g] = t;
    return f(a, b, c, d, e, g);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, g, h] = t;
    return f(a, b, c, d, e, g, h);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, g, h, i] = t;
    return f(a, b, c, d, e, g, h, i);
  }
}

/// Calls f with every field of an aggregate.
template <class T, class F> constexpr void for_each_field(T& t, F f) {
  with_fields(t, [&](auto&... field) { (f(field), ...); });
}

}  // namespace core

/// A field that says itself how it becomes integers (lists of axes, extents).
template <class T>
concept encodable =
    requires(const T& t, T& u, sequence<std::int64_t>& out, const std::int64_t*& in) {
      t.encode(out);
      u.decode(in);
    };

/// Appends `value` to `out`: a number, an enumeration, a list or an aggregate of those.
template <class T> constexpr void encode(const T& value, sequence<std::int64_t>& out) {
  if constexpr (std::is_empty_v<T>) return;
  else if constexpr (encodable<T>) value.encode(out);
  else if constexpr (std::is_enum_v<T> || std::integral<T>)
    out.push_back(static_cast<std::int64_t>(value));
  else if constexpr (std::floating_point<T>)
    out.push_back(std::bit_cast<std::int64_t>(static_cast<double>(value)));
  else if constexpr (std::is_base_of_v<list<std::int64_t, max_rank>, T>) {
    out.push_back(value.size());
    for (auto v : value) out.push_back(v);
  } else core::for_each_field(value, [&](const auto& field) { encode(field, out); });
}

/// Reads back what encode wrote, and moves `in` past it.
template <class T> constexpr void decode(T& value, const std::int64_t*& in) {
  if constexpr (std::is_empty_v<T>) return;
  else if constexpr (encodable<T>) value.decode(in);
  else if constexpr (std::is_enum_v<T> || std::integral<T>) value = static_cast<T>(*in++);
  else if constexpr (std::floating_point<T>) value = static_cast<T>(std::bit_cast<double>(*in++));
  else if constexpr (std::is_base_of_v<list<std::int64_t, max_rank>, T>) {
    value = T{};
    for (auto n = *in++; n > 0; --n) value.push_back(*in++);
  } else core::for_each_field(value, [&](auto& field) { decode(field, in); });
}

}  // namespace primal
