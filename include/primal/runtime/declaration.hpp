// Declarations: what is known of an array while the model compiles.
#pragma once

#include <primal/op/op.hpp>

#include <array>

namespace primal {

/// An extent that is known at the call.
struct dyn_t {};
inline constexpr dyn_t dyn{};

/// An extent known at the call that has a name; extents with one name are equal. A plain class for all
/// names, because nvcc cannot deduce a name that is a template argument.
struct named_dim {
  char name[32] = {};
};
template <literal Name>
inline constexpr named_dim dim = [] {
  static_assert(sizeof(Name.chars) <= sizeof(named_dim::name),
                "primal: the name of a dim is longer than 31 characters");
  named_dim d;
  for (std::size_t i = 0; i < sizeof(Name.chars); ++i) d.name[i] = Name.chars[i];
  return d;
}();

/// An extent known at compile time, beside a pointer: `pm::view(data, n, pm::c<768>)`.
template <std::int64_t N> using extent_constant = std::integral_constant<std::int64_t, N>;
template <std::int64_t N> inline constexpr extent_constant<N> c{};

/// Declares an array: `pm::array<float, pm::dyn, 768>`.
template <class T, auto... Extents> struct array {};

namespace declaration {

template <named_dim Dim> struct kept {
  static constexpr named_dim value = Dim;
};

// Which of the three an extent is. By overloading: in what nvcc hands to g++, decltype(Extent) differs.
constexpr std::integral_constant<int, 0> kind_of(dyn_t) { return {}; }
constexpr std::integral_constant<int, 1> kind_of(named_dim) { return {}; }
constexpr std::integral_constant<int, 2> kind_of(std::int64_t) { return {}; }

template <auto Extent> constexpr declared_extent extent() {
  constexpr int kind = decltype(kind_of(Extent))::value;
  if constexpr (kind == 0) {
    return {};
  } else if constexpr (kind == 1) {
    return {-1, kept<Extent>::value.name};
  } else {
    static_assert(Extent >= 0, "primal: a declared extent is a number, pm::dyn or pm::dim<name>");
    return {static_cast<std::int64_t>(Extent), ""};
  }
}

template <auto... Extents> constexpr declared_extents extents() {
  static_assert(sizeof...(Extents) <= max_rank, "primal: an array has at most 8 axes");
  return {extent<Extents>()...};
}

/// `rank` extents that are known at the call.
constexpr declared_extents unknown(int rank) {
  declared_extents e;
  e.resize(rank);
  return e;
}

}  // namespace declaration

template <class T, auto... Extents> struct array_traits<array<T, Extents...>> {
  static constexpr bool is_array = false;
  using element = T;
  static constexpr declared_extents extents = declaration::extents<Extents...>();
};

/// An array or the declaration of one.
template <class A>
concept declares_array = requires { array_traits<std::remove_cvref_t<A>>::extents; };

template <class A>
inline constexpr int rank_of = array_traits<std::remove_cvref_t<A>>::extents.size();
template <class A>
inline constexpr dtype element_dtype =
    dtype_of<typename array_traits<std::remove_cvref_t<A>>::element>;

/// Can a result be an A?
template <class A>
concept makes_arrays = requires(const std::int64_t* extents) { array_traits<A>::make(extents); };

/// An array whose extents are declared at the call.
template <class A, auto... Extents> struct declared_array {
  A& array;
};
template <class A, auto... Extents>
struct array_traits<declared_array<A, Extents...>> : holds_elements {
  using own = array_traits<std::remove_const_t<A>>;
  using element = typename own::element;
  static constexpr declared_extents extents = declaration::extents<Extents...>();

  static auto* data(const declared_array<A, Extents...>& x) { return own::data(x.array); }
  static void layout(const declared_array<A, Extents...>& x, std::int64_t* e, std::int64_t* s) {
    own::layout(x.array, e, s);
  }
};

/// `pm::as<pm::dyn, 1>(x)`: x, with these extents declared. The call checks those that are numbers.
template <auto... Extents, array_like A> declared_array<A, Extents...> as(A& x) {
  constexpr bool fits =
      rank_of<A> == static_cast<int>(sizeof...(Extents));  // named: clang explains a comparison
  static_assert(fits, "primal: as: the rank of the array differs");
  return {x};
}
template <auto... Extents, array_like A> declared_array<const A, Extents...> as(const A& x) {
  constexpr bool fits =
      rank_of<A> == static_cast<int>(sizeof...(Extents));  // named: clang explains a comparison
  static_assert(fits, "primal: as: the rank of the array differs");
  return {x};
}

}  // namespace primal
