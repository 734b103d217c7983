// array_traits: what the library must know of something that holds elements at run time.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/core/list.hpp>

namespace primal {

/// One extent of a declaration.
struct declared_extent {
  std::int64_t number = -1;  // -1: known at the call
  const char* name = "";

  constexpr bool known() const { return number >= 0; }
};
using declared_extents = list<declared_extent, max_rank>;

/// Specialised for every kind of array; see holds_elements.
template <class A> struct array_traits {
  static constexpr bool is_array = false;
};
template <class A>
concept array_like = array_traits<std::remove_cvref_t<A>>::is_array;

/// What every specialisation of array_traits states: `element`, which is const where the array can only be
/// read, and `extents`. One of an array that has elements derives from this and adds
///     static T* data(A&);                                                      // the first element
///     static void layout(const A&, std::int64_t* extents, std::int64_t* strides);   // in elements
///     static A make(const std::int64_t* extents);                              // optional: a new array
struct holds_elements {
  static constexpr bool is_array = true;
  static constexpr bool is_dense = false;  // are all extents known, and elements one after another?
};

/// Numbers are arrays of rank 0.
template <element_type T> struct array_traits<T> : holds_elements {
  using element = T;
  static constexpr declared_extents extents{};
  static constexpr bool is_dense = true;

  template <class Number> static Number* data(Number& x) { return &x; }
  static void layout(const T&, std::int64_t*, std::int64_t*) {}
  static T make(const std::int64_t*) { return T{}; }
};

}  // namespace primal
