// Results: the types of what a call returns.
#pragma once

#include <primal/expr/tree.hpp>
#include <primal/runtime/declaration.hpp>

namespace primal {

/// The container of results, `type`. Defined with the array library that is in use; without one a call
/// writes to memory of the caller's.
template <class T, std::size_t Rank> struct result_array;

namespace results_of {

/// A container, or a number for rank 0.
template <dtype D, std::size_t Rank> struct leaf {
  using type = typename result_array<element_of<D>, Rank>::type;
};
template <dtype D> struct leaf<D, 0> {
  using type = element_of<D>;
};

/// The kind of array that parameter structs of one dtype hold, where no argument shows another.
template <dtype D> struct family {
  template <std::size_t Rank> using type = typename leaf<D, Rank>::type;
};

/// Can a struct's leaves be results of these types?
template <class Tree, class Outputs, int First> consteval bool fits() {
  bool fit = true;
  std::size_t k = static_cast<std::size_t>(First);
  for_each_leaf_type<Tree>([&]<class Leaf>(const text&) {
    if constexpr (makes_arrays<Leaf>) {
      fit = fit && element_dtype<Leaf> == Outputs::types[k].dtype &&
            rank_of<Leaf> == Outputs::types[k].rank();
    } else {
      fit = false;
    }
    ++k;
  });
  return fit;
}

template <template <template <std::size_t> class> class Struct, class Outputs, int First>
struct default_struct {
  using type = Struct<family<Outputs::types[First].dtype>::template type>;
};

/// Searches argument types for a struct whose kind of array can hold the results.
template <template <template <std::size_t> class> class Struct, class Outputs, int First,
          class... Arguments>
struct find_struct : default_struct<Struct, Outputs, First> {};

template <class Found, bool Fits, class Otherwise> struct first_that_fits : Otherwise {};
template <class Found, class Otherwise> struct first_that_fits<Found, true, Otherwise> {
  using type = Found;
};

template <template <template <std::size_t> class> class Struct, class Outputs, int First,
          template <template <std::size_t> class> class Other, template <std::size_t> class Array,
          class... Rest>
struct find_struct<Struct, Outputs, First, Other<Array>, Rest...>
    : first_that_fits<Struct<Array>, fits<Struct<Array>, Outputs, First>(),
                      find_struct<Struct, Outputs, First, Rest...>> {};
template <template <template <std::size_t> class> class Struct, class Outputs, int First, class T,
          std::size_t N, class... Rest>
struct find_struct<Struct, Outputs, First, std::array<T, N>, Rest...>
    : find_struct<Struct, Outputs, First, T, Rest...> {};
template <template <template <std::size_t> class> class Struct, class Outputs, int First,
          class... T, class... Rest>
struct find_struct<Struct, Outputs, First, std::tuple<T...>, Rest...>
    : find_struct<Struct, Outputs, First, T..., Rest...> {};
template <template <template <std::size_t> class> class Struct, class Outputs, int First,
          class... T, class... Rest>
struct find_struct<Struct, Outputs, First, hana::tuple<T...>, Rest...>
    : find_struct<Struct, Outputs, First, T..., Rest...> {};
template <template <template <std::size_t> class> class Struct, class Outputs, int First, class A,
          class B, class... Rest>
struct find_struct<Struct, Outputs, First, std::pair<A, B>, Rest...>
    : find_struct<Struct, Outputs, First, A, B, Rest...> {};
template <template <template <std::size_t> class> class Struct, class Outputs, int First, class T,
          class... Rest>
struct find_struct<Struct, Outputs, First, T, Rest...>
    : find_struct<Struct, Outputs, First, Rest...> {};

/// The arrays for a symbolic result whose first leaf is output number `First`.
template <class Symbolic, class Outputs, int First, class... Arguments> struct of {
  static constexpr tensor_type leaf_type = Outputs::types[First];
  using type = typename leaf<leaf_type.dtype, static_cast<std::size_t>(leaf_type.rank())>::type;
};

/// The same for each child of a branch.
template <class Symbolic, class Outputs, int First, class Indices, class... Arguments>
struct children;
template <class Symbolic, class Outputs, int First, std::size_t... I, class... Arguments>
struct children<Symbolic, Outputs, First, std::index_sequence<I...>, Arguments...> {
  static consteval int first_leaf(std::size_t child) {
    const int counts[] = {leaf_count<tree::child_type<I, Symbolic>>..., 0};
    int at = First;
    for (std::size_t i = 0; i < child; ++i) at += counts[i];
    return at;
  }
  template <template <class...> class Branch>
  using in = Branch<typename of<std::remove_const_t<tree::child_type<I, Symbolic>>, Outputs,
                                first_leaf(I), Arguments...>::type...>;
};
template <class Symbolic, class Outputs, int First, class... Arguments>
using children_of = children<Symbolic, Outputs, First, tree::children<Symbolic>, Arguments...>;

/// An array if all results have one type, else a tuple.
template <class... T> struct array_or_tuple {
  using type = std::tuple<T...>;
};
template <class T, class... Same>
  requires(std::is_same_v<T, Same> && ...)
struct array_or_tuple<T, Same...> {
  using type = std::array<T, 1 + sizeof...(Same)>;
};

template <class... T, class Outputs, int First, class... Arguments>
struct of<std::tuple<T...>, Outputs, First, Arguments...> {
  using type =
      typename children_of<std::tuple<T...>, Outputs, First, Arguments...>::template in<std::tuple>;
};
template <class... T, class Outputs, int First, class... Arguments>
struct of<hana::tuple<T...>, Outputs, First, Arguments...> {
  using type = typename children_of<hana::tuple<T...>, Outputs, First,
                                    Arguments...>::template in<hana::tuple>;
};
template <class A, class B, class Outputs, int First, class... Arguments>
struct of<std::pair<A, B>, Outputs, First, Arguments...> {
  template <class... T> struct pair_of {
    using type = std::pair<T...>;
  };
  using type = typename children_of<std::pair<A, B>, Outputs, First,
                                    Arguments...>::template in<pair_of>::type;
};
template <class T, std::size_t N, class Outputs, int First, class... Arguments>
struct of<std::array<T, N>, Outputs, First, Arguments...> {
  using type = typename children_of<std::array<T, N>, Outputs, First,
                                    Arguments...>::template in<array_or_tuple>::type;
};
template <template <template <std::size_t> class> class Struct, class Outputs, int First,
          class... Arguments>
struct of<Struct<symbolic>, Outputs, First, Arguments...>
    : find_struct<Struct, Outputs, First, Arguments...> {};

}  // namespace results_of

/// What a call returns whose model gives a `Symbolic`: the types of its leaves are Outputs::types, and
/// structs hold the kind of array that those among the arguments do.
template <class Symbolic, class Outputs, class... Arguments>
using result_type = typename results_of::of<Symbolic, Outputs, 0, Arguments...>::type;

}  // namespace primal
