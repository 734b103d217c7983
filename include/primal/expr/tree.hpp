// tree: parameters and results as trees of leaves: structs, tuples, pairs and arrays of each other.
//
// A leaf is anything else: an array outside a model, a tensor inside one.
#pragma once

#include <primal/expr/tensor.hpp>

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

/// Calls f(leaf) with every leaf, in the order of the members.
template <class T, class F> constexpr void for_each_leaf(T& t, F&& f) {
  if constexpr (tree::is_branch<std::remove_const_t<T>>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf(tree::child<I>(t), f), ...);
    }(tree::children<T>{});
  } else {
    f(t);
  }
}

/// Calls f(leaf, path) with every leaf and where it stands in the tree, such as "first.w".
template <class T, class F> constexpr void for_each_named_leaf(T& t, F&& f, const text& path = {}) {
  using type = std::remove_const_t<T>;
  if constexpr (tree::is_branch<type>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_named_leaf(tree::child<I>(t), f, tree::child_path<I, type>(path)), ...);
    }(tree::children<T>{});
  } else {
    f(t, path);
  }
}

/// Calls f(a, b) with the leaves of two trees that stand at the same places.
template <class T, class U, class F> constexpr void for_each_leaf_pair(T& t, U& u, F&& f) {
  if constexpr (tree::is_branch<std::remove_const_t<T>>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf_pair(tree::child<I>(t), tree::child<I>(u), f), ...);
    }(tree::children<T>{});
  } else {
    f(t, u);
  }
}

/// Calls f.operator()<Leaf>(path) for the type of every leaf of T.
template <class T, class F> constexpr void for_each_leaf_type(F&& f, const text& path = {}) {
  if constexpr (tree::is_branch<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (for_each_leaf_type<tree::child_type<I, T>>(f, tree::child_path<I, T>(path)), ...);
    }(tree::children<T>{});
  } else {
    f.template operator()<T>(path);
  }
}

namespace tree {

template <template <class> class Of, class T, std::size_t... I>
consteval int sum_over_children(std::index_sequence<I...>) {
  return (0 + ... + Of<child_type<I, T>>::value);
}

/// The sum of Of<leaf>::value over the leaves of a tree type.
template <template <class> class Of> struct sum_over_leaves {
  template <class T> struct of {
    static constexpr int value = [] {
      if constexpr (is_branch<std::remove_const_t<T>>)
        return sum_over_children<of, T>(children<T>{});
      else return static_cast<int>(Of<T>::value);
    }();
  };
};

template <class> using one = std::integral_constant<int, 1>;

}  // namespace tree

/// How many leaves a tree has.
template <class T>
inline constexpr int leaf_count =
    tree::sum_over_leaves<tree::one>::of<std::remove_cvref_t<T>>::value;

/// How many leaves of a tree satisfy a trait.
template <template <class> class Trait, class T>
inline constexpr int count_leaves =
    tree::sum_over_leaves<Trait>::template of<std::remove_cvref_t<T>>::value;

namespace tree {

/// The tree of tensors with the shape of T.
template <class T> struct symbolic_tree_of {
  static_assert(!is_struct<T>,
                "primal: a parameter struct must be a template over the kind of its arrays");
  using type = tensor;
};
template <template <template <std::size_t> class> class Struct, template <std::size_t> class Array>
struct symbolic_tree_of<Struct<Array>> {
  using type = Struct<symbolic>;
};
template <class T, std::size_t N> struct symbolic_tree_of<std::array<T, N>> {
  using type = std::array<typename symbolic_tree_of<T>::type, N>;
};
template <class... T> struct symbolic_tree_of<std::tuple<T...>> {
  using type = std::tuple<typename symbolic_tree_of<T>::type...>;
};
template <class A, class B> struct symbolic_tree_of<std::pair<A, B>> {
  using type = std::pair<typename symbolic_tree_of<A>::type, typename symbolic_tree_of<B>::type>;
};
template <class... T> struct symbolic_tree_of<hana::tuple<T...>> {
  using type = hana::tuple<typename symbolic_tree_of<T>::type...>;
};

template <class T>
struct is_symbolic : std::bool_constant<std::is_base_of_v<tensor, T> || std::is_same_v<T, extent>> {
};
template <class T>
struct stands_in_model : std::bool_constant<is_symbolic<T>::value || number<T>> {};

}  // namespace tree

/// What stands for T inside a model: a tensor for each array.
template <class T>
using to_symbolic = typename tree::symbolic_tree_of<std::remove_cvref_t<T>>::type;

/// A tree of tensors, among which numbers may stand.
template <class T>
concept symbolic_tree = count_leaves<tree::is_symbolic, T> > 0 &&
                        count_leaves<tree::stands_in_model, T> == leaf_count<T>;

}  // namespace primal
