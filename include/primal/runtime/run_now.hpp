// run_now: operators and transforms called with arrays run at once, as if under compile.
#pragma once

#include <primal/op/promotion.hpp>
#include <primal/runtime/compile.hpp>

namespace primal {

namespace running {

/// The dtype that a number takes beside these arrays.
template <class Number, class... A> consteval dtype dtype_beside() {
  dtype d = dtype::bool_;
  auto meet = [&]<class Array>(std::type_identity<Array>) {
    if constexpr (!number<Array> && declares_array<Array>) d = promote(d, element_dtype<Array>);
  };
  (meet(std::type_identity<A>{}), ...);
  if (is_floating(dtype_of<Number>) && !is_floating(d)) return dtype::float32;
  return d == dtype::bool_ && !std::is_same_v<Number, bool> ? dtype::int32 : d;
}

/// A number beside arrays as an element of theirs, everything else as it is.
template <class... A, class Array> constexpr decltype(auto) beside(const Array& a) {
  if constexpr (number<Array>) {
    constexpr auto d = dtype_beside<Array, A...>();
    using element = element_of<d>;
    if (!reaches(d, static_cast<double>(a)))
      raise<value_error>(out_of_range(static_cast<double>(a), d).str());
    if constexpr (std::is_arithmetic_v<element>) return static_cast<element>(a);
    else return element(static_cast<float>(a));
  } else {
    return (a);
  }
}

}  // namespace running

template <class Callable> struct run_now : compiled<Callable> {};

template <class Callable> struct run_with_attributes {
  template <class... A> auto operator()(const A&... arrays) const {
    constexpr bool are_constants = sizeof...(A) == 0;
    static_assert(are_constants,
                  "primal: attributes must be constants: "
                  "pm::compile([](auto x) { return op(x, {...}); })(array)");
    return compiled<Callable>{}(arrays...);
  }
};

template <class Callable> struct run_beside_numbers {
  template <class... A> auto operator()(const A&... arrays) const {
    if constexpr ((number<A> && ...)) return compiled<Callable>{}(arrays...);
    else return compiled<Callable>{}(running::beside<A...>(arrays)...);
  }
};

}  // namespace primal
