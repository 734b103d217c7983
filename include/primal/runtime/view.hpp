// view: elements that lie somewhere, seen as an array.
#pragma once

#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/declaration.hpp>

#include <span>
#include <vector>

namespace primal {

/// A pointer with extents and strides. `E` is extent_constant for an extent known at compile time.
template <class T, class... E> struct array_view {
  static constexpr int rank = static_cast<int>(sizeof...(E));
  T* data = nullptr;
  std::array<std::int64_t, sizeof...(E)> extents{}, strides{};
};

/// The strides of a view, in elements.
template <std::size_t N> struct view_strides {
  std::array<std::int64_t, N> values{};
};
template <std::integral... S> constexpr view_strides<sizeof...(S)> strides(S... s) {
  return {{static_cast<std::int64_t>(s)...}};
}

namespace declaration {

template <class E> struct view_extent {
  using type = std::int64_t;
  static constexpr declared_extent declared{};
};
template <class T, T N> struct view_extent<std::integral_constant<T, N>> {
  using type = extent_constant<static_cast<std::int64_t>(N)>;
  static constexpr declared_extent declared{static_cast<std::int64_t>(N), ""};
};

template <class E>
concept extent_argument = std::integral<E> || requires { E::value; };

}  // namespace declaration

// g++ says that it hides the constructor of the plan's `view`.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// Elements at `data`, the last axis fastest: `pm::view(data, n, pm::c<768>)`.
template <class T, declaration::extent_argument... E>
constexpr array_view<T, typename declaration::view_extent<E>::type...> view(T* data, E... extents) {
  array_view<T, typename declaration::view_extent<E>::type...> v{
      data, {static_cast<std::int64_t>(extents)...}, {}};
  std::int64_t step = 1;
  for (std::size_t i = sizeof...(E); i-- > 0; step *= v.extents[i]) v.strides[i] = step;
  return v;
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace declaration {

template <class T, class Arguments, std::size_t... I>
constexpr auto view_with_strides(T* data, const Arguments& arguments, std::index_sequence<I...>) {
  auto v = view(data, std::get<I>(arguments)...);
  v.strides = std::get<sizeof...(I)>(arguments).values;
  return v;
}

template <class Last> inline constexpr bool is_strides = false;
template <std::size_t N> inline constexpr bool is_strides<view_strides<N>> = true;

}  // namespace declaration

/// The same with strides of one's own, the last argument: `pm::view(data, n, m, pm::strides(1, n))`.
template <class T, class... E>
  requires(sizeof...(E) > 1 &&
           declaration::is_strides<std::tuple_element_t<sizeof...(E) - 1, std::tuple<E...>>>)
constexpr auto view(T* data, E... extents_and_strides) {
  constexpr std::size_t rank = sizeof...(E) - 1;
  constexpr bool fit =
      std::is_same_v<std::tuple_element_t<rank, std::tuple<E...>>, view_strides<rank>>;
  static_assert(fit, "primal: view: one stride for each extent");
  if constexpr (fit)
    return declaration::view_with_strides(data, std::tuple<E...>(extents_and_strides...),
                                          std::make_index_sequence<rank>{});
  else return array_view<T>{data, {}, {}};
}

template <class T, class... E> struct array_traits<array_view<T, E...>> : holds_elements {
  using element = T;
  static constexpr declared_extents extents{declaration::view_extent<E>::declared...};

  static T* data(const array_view<T, E...>& v) { return v.data; }
  static void layout(const array_view<T, E...>& v, std::int64_t* e, std::int64_t* s) {
    for (std::size_t i = sizeof...(E); i-- > 0;) e[i] = v.extents[i], s[i] = v.strides[i];
  }
};

/// Contiguous sequences are arrays of rank 1.
template <class T, std::size_t N> struct array_traits<std::span<T, N>> : holds_elements {
  using element = T;
  static constexpr declared_extents extents{
      declared_extent{N == std::dynamic_extent ? -1 : static_cast<std::int64_t>(N), ""}};

  static T* data(const std::span<T, N>& s) { return s.data(); }
  static void layout(const std::span<T, N>& v, std::int64_t* e, std::int64_t* s) {
    *e = static_cast<std::int64_t>(v.size());
    *s = 1;
  }
};
template <element_type T, class Allocator>
  requires(!std::is_same_v<T, bool>)  // its elements are bits
struct array_traits<std::vector<T, Allocator>> : holds_elements {
  using element = T;
  static constexpr declared_extents extents{declared_extent{}};

  template <class Vector> static auto* data(Vector& v) { return v.data(); }
  static void layout(const std::vector<T, Allocator>& v, std::int64_t* e, std::int64_t* s) {
    *e = static_cast<std::int64_t>(v.size());
    *s = 1;
  }
  static std::vector<T, Allocator> make(const std::int64_t* e) {
    return std::vector<T, Allocator>(static_cast<std::size_t>(*e));
  }
};

}  // namespace primal
