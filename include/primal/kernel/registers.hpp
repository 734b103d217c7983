// registers: the values of a piece or of a row, one bank per dtype, always indexed by constants.
#pragma once

#include <primal/kernel/facts.hpp>

namespace primal {

template <dtype D, class V, int N> struct bank {
  V items[N];
};
template <dtype D, class V> struct bank<D, V, 0> {};
/// A sweep copies all uniforms, also those that a later one sets, and a bool without a value is no bool.
template <int N>
  requires(N > 0)
struct bank<dtype::bool_, bool, N> {
  bool items[N] = {};
};

/// `Value<D>` is the type of a value of dtype D; `Counts` says how many there are of each.
template <template <dtype> class Value, int... Counts> struct bank_set;
template <template <dtype> class Value, int C0, int C1, int C2, int C3, int C4, int C5, int C6,
          int C7, int C8, int C9, int C10, int C11, int C12>
struct bank_set<Value, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12>
    : bank<dtype::bool_, Value<dtype::bool_>, C0>,
      bank<dtype::int8, Value<dtype::int8>, C1>,
      bank<dtype::int16, Value<dtype::int16>, C2>,
      bank<dtype::int32, Value<dtype::int32>, C3>,
      bank<dtype::int64, Value<dtype::int64>, C4>,
      bank<dtype::uint8, Value<dtype::uint8>, C5>,
      bank<dtype::uint16, Value<dtype::uint16>, C6>,
      bank<dtype::uint32, Value<dtype::uint32>, C7>,
      bank<dtype::uint64, Value<dtype::uint64>, C8>,
      bank<dtype::float16, Value<dtype::float16>, C9>,
      bank<dtype::bfloat16, Value<dtype::bfloat16>, C10>,
      bank<dtype::float32, Value<dtype::float32>, C11>,
      bank<dtype::float64, Value<dtype::float64>, C12> {
  static constexpr int counts[13] = {C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12};

  template <dtype D> PRIMAL_INLINE auto& of() {
    return static_cast<bank<D, Value<D>, counts[static_cast<int>(D)]>&>(*this).items;
  }
  template <dtype D> PRIMAL_INLINE const auto& of() const {
    return static_cast<const bank<D, Value<D>, counts[static_cast<int>(D)]>&>(*this).items;
  }
};

/// The C++ type in which one element of a dtype is calculated.
template <dtype D> using scalar_value = element_of<compute_dtype(D)>;

}  // namespace primal
