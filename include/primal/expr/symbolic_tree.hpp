// symbolic_tree: trees inside a model, whose leaves are tensors, extents and numbers.
#pragma once

#include <primal/expr/operand.hpp>
#include <primal/expr/tree.hpp>

namespace primal {

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
