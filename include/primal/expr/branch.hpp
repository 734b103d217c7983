// branch: where trees branch, which is at structs, tuples, pairs and arrays; and the children there.
#pragma once

#include <primal/core/text.hpp>

#include <boost/hana/accessors.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/concept/struct.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/define_struct.hpp>
#include <boost/hana/first.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/second.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>

#include <array>
#include <tuple>
#include <utility>

namespace primal {

namespace hana = boost::hana;

namespace tree {

template <class T> inline constexpr int tuple_size = -1;  // not a tuple
template <class... T>
inline constexpr int tuple_size<std::tuple<T...>> = static_cast<int>(sizeof...(T));
template <class A, class B> inline constexpr int tuple_size<std::pair<A, B>> = 2;
template <class T, std::size_t N>
inline constexpr int tuple_size<std::array<T, N>> = static_cast<int>(N);
template <class... T>
inline constexpr int tuple_size<hana::tuple<T...>> = static_cast<int>(sizeof...(T));

template <class T>
concept is_tuple = tuple_size<T> >= 0;
template <class T> inline constexpr bool is_hana_tuple = false;
template <class... T> inline constexpr bool is_hana_tuple<hana::tuple<T...>> = true;
template <class T>
concept is_struct = std::is_class_v<T> && hana::Struct<T>::value;

template <class T>
concept is_branch = is_tuple<T> || is_struct<T>;

/// How many children a branch has.
template <class T> consteval std::size_t child_count() {
  if constexpr (is_tuple<T>) return static_cast<std::size_t>(tuple_size<T>);
  else return decltype(hana::length(hana::accessors<T>()))::value;
}
template <class T> using children = std::make_index_sequence<child_count<std::remove_const_t<T>>()>;

/// The I-th child of a branch.
template <std::size_t I, class T> constexpr auto& child(T& branch) {
  using type = std::remove_const_t<T>;
  if constexpr (is_hana_tuple<type>) return hana::at_c<I>(branch);
  else if constexpr (is_tuple<type>) return std::get<I>(branch);
  else return hana::second(hana::at_c<I>(hana::accessors<type>()))(branch);
}
template <std::size_t I, class T>
using child_type = std::remove_reference_t<decltype(child<I>(std::declval<T&>()))>;

/// The path of the I-th child: "first.w", "0.w".
template <std::size_t I, class T> constexpr text child_path(const text& path) {
  text own = path;
  if (!own.empty()) own += ".";
  if constexpr (is_tuple<T>) own += static_cast<int>(I);
  else own += hana::to<const char*>(hana::first(hana::at_c<I>(hana::accessors<T>())));
  return own;
}

}  // namespace tree

}  // namespace primal
