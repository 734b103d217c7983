// Dtype rules: how the dtypes of an elementwise operator follow from the common dtype of its
// operands.
#pragma once

#include <primal/core/dtype.hpp>

#include <string_view>

namespace primal {

/// How the dtypes of an elementwise operator follow from the common dtype of its operands.
struct same_dtype {
  static constexpr dtype compute(dtype d) { return d; }
  static constexpr dtype result(dtype d) { return d; }
};
/// Integers and bool are computed in float32.
struct floating_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return to_floating(d); }
};
/// Bool is computed in int32.
struct arithmetic_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return d == dtype::bool_ ? dtype::int32 : d; }
};
/// A question about numbers: the result is bool. Bool itself is asked as a number.
struct predicate_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return d == dtype::bool_ ? dtype::int32 : d; }
  static constexpr dtype result(dtype) { return dtype::bool_; }
};
/// Integers and bool alone.
struct integer_dtype : same_dtype {
  static constexpr dtype compute(dtype d) { return is_floating(d) ? dtype::int64 : d; }
  static constexpr bool accepts(dtype d) { return !is_floating(d); }
  static constexpr std::string_view needs = "integers or bool are needed";
};
/// Operands are taken as bool, and so is the result.
struct logical_dtype : predicate_dtype {
  static constexpr dtype compute(dtype) { return dtype::bool_; }
};

}  // namespace primal
