// tree: parameters and results as trees of leaves: structs, tuples, pairs and arrays of each other.
//
// A leaf is anything else: an array outside a model, a tensor inside one.
#pragma once

#include <primal/expr/branch.hpp>

namespace primal {

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

}  // namespace primal
