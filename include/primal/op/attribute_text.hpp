// Attributes as text, for listings: "axes={0, 2}, keepdims=true".
#pragma once

#include <primal/core/fields.hpp>
#include <primal/expr/extents.hpp>

#include <string_view>
#include <tuple>

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

template <class Items, class F> constexpr text braced(const Items& items, const F& f) {
  text t;
  for (const auto& item : items) {
    if (!t.empty()) t += ", ";
    t += f(item);
  }
  return join("{", t, "}");
}

template <class T> constexpr text value(const T& x, const extent_space& space) {
  if constexpr (std::is_same_v<T, dtype>) return name_of(x);
  else if constexpr (std::is_same_v<T, bool>) return x ? "true" : "false";
  else if constexpr (std::is_enum_v<T> || std::integral<T>)
    return join(static_cast<std::int64_t>(x));
  else if constexpr (std::floating_point<T>) return number(static_cast<double>(x));
  else if constexpr (std::is_same_v<T, extents>)
    return braced(x, [&](const extent& e) { return space.to_text(e.code()); });
  else if constexpr (std::is_same_v<T, axes>) {
    if (x.every) return "all";
    return braced(x, [](int a) { return join(a); });
  } else if constexpr (std::is_base_of_v<list<std::int64_t, max_rank>, T>)
    return braced(x, [](std::int64_t i) { return join(i); });
  else return "...";
}

template <class T> inline constexpr T sample{};

template <class T> constexpr auto addresses() {
  constexpr std::size_t n = core::field_count<T>();
  constexpr auto& s = sample<T>;
  if constexpr (n == 1) {
    auto& [a] = s;
    return std::tuple(&a);
  } else if constexpr (n == 2) {
    auto& [a, b] = s;
    return std::tuple(&a, &b);
  } else if constexpr (n == 3) {
    auto& [a, b, c] = s;
    return std::tuple(&a, &b, &c);
  } else if constexpr (n == 4) {
    auto& [a, b, c, d] = s;
    return std::tuple(&a, &b, &c, &d);
  } else if constexpr (n == 5) {
    auto& [a, b, c, d, e] = s;
    return std::tuple(&a, &b, &c, &d, &e);
  } else if constexpr (n == 6) {
    auto& [a, b, c, d, e, f] = s;
    return std::tuple(&a, &b, &c, &d, &e, &f);
  } else if constexpr (n == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tuple(&a, &b, &c, &d, &e, &f, &g);
  } else if constexpr (n == 8) {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tuple(&a, &b, &c, &d, &e, &f, &g, &h);
  } else return std::tuple();
}

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

/// Attributes that are one list, as those of reshape: `reshape(x, {2, 3})`.
template <class T>
concept one_list = encodable<T> || std::is_base_of_v<list<std::int64_t, max_rank>, T>;

template <class T> constexpr text fields(const T& attributes, const extent_space& space) {
  return value(attributes, space);
}
/// All fields of an aggregate: "axis=1, keepdims=false".
template <class T>
  requires(!one_list<T>)
constexpr text fields(const T& attributes, const extent_space& space) {
  text t;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    constexpr auto where = addresses<T>();
    constexpr std::string_view names[] = {field_name<std::get<I>(where)>()...};
    std::size_t i = 0;
    core::for_each_field(attributes, [&](const auto& field) {
      if (i > 0) t += ", ";
      t += join(names[i++], "=", value(field, space));
    });
  }(std::make_index_sequence<core::field_count<T>()>{});
  return t;
}

}  // namespace primal::attribute_text
