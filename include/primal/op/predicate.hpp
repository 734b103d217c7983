// Predicates: questions about one element. The result is bool; of integers it is the same
// everywhere.
#pragma once

#include <primal/core/math.hpp>
#include <primal/op/cast.hpp>

namespace primal {

/// Is x not a number?
struct isnan_op : elementwise<isnan_op> {
  static constexpr op_name name{"isnan"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x) { return math::isnan(x); }
};
inline constexpr op<isnan_op> isnan{};

/// Is x +infinity or -infinity?
struct isinf_op : elementwise<isinf_op> {
  static constexpr op_name name{"isinf"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x) { return math::isinf(x); }
};
inline constexpr op<isinf_op> isinf{};

/// Is x neither infinite nor NaN?
struct isfinite_op : elementwise<isfinite_op> {
  static constexpr op_name name{"isfinite"};
  static constexpr bool differentiable = false;
  using dtypes = predicate_dtype;

  template <class T> PRIMAL_HD static constexpr mask_of<T> apply(T x) { return math::isfinite(x); }
};
inline constexpr op<isfinite_op> isfinite{};

}  // namespace primal
