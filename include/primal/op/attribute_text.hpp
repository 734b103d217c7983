// Attributes as text, for listings: "axes={0, 2}, keepdims=true".
#pragma once

#include <primal/core/fields.hpp>
#include <primal/expr/extents.hpp>

#include <array>
#include <bit>
#include <string_view>

namespace primal::attribute_text {

/// A floating-point number with six significant digits.
constexpr text number(double x) {
  if (x != x) return "nan";
  if (x < 0) return join("-", number(-x));
  if (x > 1.7976931348623157e308) return "inf";
  if (x == static_cast<double>(static_cast<std::int64_t>(x < 1e15 ? x : 0)))
    return join(static_cast<std::int64_t>(x));
  int exponent = 0;  // x = mantissa * 10^exponent, six digits before the point
  for (; x >= 1e6; x /= 10) ++exponent;
  for (; x < 1e5; x *= 10) --exponent;
  auto mantissa = static_cast<std::int64_t>(x + 0.5);
  for (; mantissa % 10 == 0; mantissa /= 10) ++exponent;
  if (exponent == 0) return join(mantissa);
  if (exponent > 0 || exponent < -9) return join(mantissa, "e", exponent);
  std::int64_t unit = 1;
  for (int i = exponent; i < 0; ++i) unit *= 10;
  text fraction;
  for (std::int64_t rest = mantissa % unit, u = unit / 10; u > 0; rest %= u, u /= 10)
    fraction += rest / u;
  return join(mantissa / unit, ".", fraction);
}

/// How the words of a field read.
enum class field_kind : std::uint8_t {
  boolean,
  integer,
  floating,
  element_type,
  axes,
  extents,
  integers,
  other
};
struct field {
  std::string_view name;
  field_kind kind = field_kind::other;
};

template <class T> consteval field_kind kind_of() {
  if constexpr (std::is_same_v<T, dtype>) return field_kind::element_type;
  else if constexpr (std::is_same_v<T, bool>) return field_kind::boolean;
  else if constexpr (std::is_enum_v<T> || std::integral<T>) return field_kind::integer;
  else if constexpr (std::floating_point<T>) return field_kind::floating;
  else if constexpr (std::is_same_v<T, extents>) return field_kind::extents;
  else if constexpr (std::is_same_v<T, axes>) return field_kind::axes;
  else if constexpr (std::is_base_of_v<list<std::int64_t, max_rank>, T>)
    return field_kind::integers;
  else return field_kind::other;
}

/// One field; moves `in` past its words.
constexpr text value(field_kind kind, const std::int64_t*& in, const extent_space& space) {
  switch (kind) {
    case field_kind::boolean:      return *in++ != 0 ? "true" : "false";
    case field_kind::integer:      return join(*in++);
    case field_kind::floating:     return number(std::bit_cast<double>(*in++));
    case field_kind::element_type: return name_of(static_cast<dtype>(*in++));
    case field_kind::other:        return "...";
    default:                       break;
  }
  auto count = *in++;
  if (count < 0) return "all";  // of axes
  text t;
  for (; count > 0; --count, ++in) {
    if (!t.empty()) t += ", ";
    if (kind == field_kind::extents) t += space.to_text(*in);
    else t += *in;
  }
  return join("{", t, "}");
}

/// All fields of an operator's attributes: "axis=1, keepdims=false". Attributes that are one list, as those of
/// reshape, have one field without a name.
constexpr text fields(sequence_view<field> all, const std::int64_t* in, const extent_space& space) {
  text t;
  for (const auto& f : all) {
    if (!t.empty()) t += ", ";
    if (!f.name.empty()) t += join(f.name, "=");
    t += value(f.kind, in, space);
    if (f.kind == field_kind::other) break;  // nobody knows how many words it has
  }
  return t;
}

// ---- the names of fields -------------------------------------------------------------------------

template <class T> inline constexpr T sample{};

template <std::size_t I, class T> struct pointer_to {
  const T* to;
};
template <class Indices, class... T> struct pointers;
template <std::size_t... I, class... T>
struct pointers<std::index_sequence<I...>, T...> : pointer_to<I, T>... {};

template <class T> constexpr auto addresses() {
  return core::with_fields(sample<T>, []<class... F>(const F&... f) {
    return pointers<std::index_sequence_for<F...>, F...>{{&f}...};
  });
}
template <std::size_t I, class T> consteval const T* at(const pointer_to<I, T>& p) { return p.to; }

// Compilers spell the template argument as "P = (& sample<T>.T::axis); ..." or "P = &sample.axis]".
template <const auto* P> constexpr std::string_view field_name() {
  std::string_view s = __PRETTY_FUNCTION__;
  auto in_name = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  s.remove_prefix(s.find("P = ") + 4);
  if (const auto end = s.find(';'); end != s.npos) s = s.substr(0, end);
  while (!s.empty() && !in_name(s.back())) s.remove_suffix(1);
  std::size_t first = s.size();
  while (first > 0 && in_name(s[first - 1])) --first;
  return s.substr(first);
}

/// What an aggregate of attributes consists of.
template <class T> struct description {
  template <std::size_t... I>
  static constexpr std::array<field, sizeof...(I)> find(std::index_sequence<I...>) {
    constexpr auto where = addresses<T>();
    return {
        {{field_name<at<I>(where)>(), kind_of<std::remove_cvref_t<decltype(*at<I>(where))>>()}...}};
  }
  static constexpr auto value = find(std::make_index_sequence<core::field_count<T>()>{});
};
template <class T>
  requires(encodable<T> || std::is_base_of_v<list<std::int64_t, max_rank>, T>)
struct description<T> {
  static constexpr std::array<field, 1> value{{{"", kind_of<T>()}}};
};

}  // namespace primal::attribute_text
