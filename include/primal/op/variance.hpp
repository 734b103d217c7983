// Variance: var, and its square root std. 16-bit floats and integers are computed in float32.
#pragma once

#include <primal/op/mean.hpp>

namespace primal {

/// The attributes of var and std.
struct variance_attributes {
  primal::axes axes{};
  bool keepdims = false;
  double correction = 0;  // the sum of squares is divided by n - correction

  constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
};

/// The variance along the axes: the sum of (x - mean)^2 over n - correction, in two passes; NaN
/// where that is not positive. Gradient: dy * 2 (x - mean) / (n - correction).
struct var_op : composite<var_op> {
  static constexpr op_name name{"var"};
  using attributes = variance_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::floating_type(x, a.reduction());
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto factor = core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    return to_original(sum(square(t - core::average(t, a.axes)), a.reduction()) * factor, x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input());
    const auto factor = 2 * core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    const auto ct = core::kept(to_compute(dy), t, a.reduction());
    return ct * factor * (t - core::average(t, a.axes));
  }
};
inline constexpr op<var_op> var{};

/// The square root of the variance. Gradient: dy * (x - mean) / (y (n - correction)), 0 where all
/// elements are equal.
struct std_op : composite<std_op> {
  static constexpr op_name name{"std"};
  using attributes = variance_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return var_op::normalised(x, a);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::floating_type(x, a.reduction());
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    return to_original(sqrt(var(to_compute(x), a)), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input()), y = to_compute(s.output());
    const auto factor = core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    const auto ct = core::kept(where(y == 0, 0, to_compute(dy) / y), t, a.reduction());
    return ct * factor * (t - core::average(t, a.axes));
  }
};
inline constexpr op<std_op> std{};

}  // namespace primal
