// All primitives of single elements in one model, as the catalogue lists them.
#pragma once

#include <primal/op/catalogue.hpp>

#include <type_traits>
#include <utility>

namespace primal::test {

template <class Op> constexpr tensor applied(tensor x) {
  const auto call = [](const auto& y, const auto& first) {
    constexpr op<Op> f{};
    constexpr int operands = op_signature::arity<Op>();
    if constexpr (operands == 1) return f(first);
    else if constexpr (operands == 2) return f(first, y);
    else return f(first, y, y);
  };
  if constexpr (selects<Op>) return call(x, x > 0.5);
  else if constexpr (std::is_same_v<typename Op::dtypes, integer_dtype>)
    return cast<float>(call(cast(x, dtype::int32), cast(x * 8, dtype::int32)));
  else return cast<float>(call(x, x * 0.7));
}
template <class Op> constexpr void add_applied(tensor& total, const tensor& x) {
  if constexpr (is_elementwise<Op>) total = total + applied<Op>(x);
}
template <class... Op> constexpr tensor sum_of_primitives(operator_list<Op...>, const tensor& x) {
  tensor total = cast<float>(x);
  (add_applied<Op>(total, x), ...);
  return total;
}
template <class... Op> consteval int count_primitives(operator_list<Op...>) {
  return (0 + ... + static_cast<int>(is_elementwise<Op>));
}

/// Of numbers from 0 to 1.
inline constexpr auto all_primitives = [](auto x) {
  return sum_of_primitives(library_operators{}, x);
};
static_assert(count_primitives(library_operators{}) > 40);

}  // namespace primal::test
