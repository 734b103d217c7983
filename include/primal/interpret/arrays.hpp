// Interpreting a program on the arrays of a caller: xtensor's, views, numbers, and trees of them.
#pragma once

#include <primal/expr/frozen.hpp>
#include <primal/expr/tree.hpp>
#include <primal/interpret/interpret.hpp>
#include <primal/op/array_traits.hpp>

#include <type_traits>

namespace primal {

namespace interpretation {

/// A copy of an array, whatever its layout.
template <class A> dense to_dense(const A& array) {
  using traits = array_traits<std::remove_cvref_t<A>>;
  using element = std::remove_const_t<typename traits::element>;
  constexpr auto rank = static_cast<std::size_t>(traits::extents.size());
  positions extents(rank + 1), strides(rank + 1);  // one more, so that rank 0 has an address
  traits::layout(array, extents.data(), strides.data());
  extents.resize(rank);
  strides.resize(rank);
  const auto* elements = traits::data(array);
  return generated(extents, dtype_of<element>, [&](const positions& at) {
    const element x = elements[offset_at(at, strides)];
    if constexpr (is_half(dtype_of<element>)) return static_cast<double>(static_cast<float>(x));
    else return static_cast<double>(x);
  });
}

template <class... Trees> std::vector<dense> leaves_of(const Trees&... trees) {
  std::vector<dense> out;
  (for_each_leaf(trees, [&](const auto& leaf) { out.push_back(to_dense(leaf)); }), ...);
  return out;
}

}  // namespace interpretation

/// The outputs of a frozen program for these arrays: `pm::interpret(pm::program_of<A, B>(f), a, b)`.
template <int Words, int Statements, int Names, class... Trees>
std::vector<dense> interpret(const frozen_program<Words, Statements, Names>& p,
                             const Trees&... arrays) {
  return interpret(thaw(p), interpretation::leaves_of(arrays...));
}

}  // namespace primal
