// mean: the average along axes, and the reciprocals of how many elements there are. 16-bit floats
// and integers are computed in float32.
#pragma once

#include <primal/op/power.hpp>
#include <primal/op/reduction.hpp>

namespace primal {

namespace core {

/// 1 / (n - less) as a number, or as a tensor of rank 0 where n is known only at the call. Both are
/// rounded alike. NaN where n - less is not positive, except that 1 / 0 is infinite when nothing is
/// taken off.
constexpr tensor reciprocal_of(const extent& n, dtype d, double less = 0) {
  if (n.known()) {
    const double divisor = static_cast<double>(n.code()) - less;
    if (divisor > 0) return operand(1 / divisor).t;
    return operand(less == 0 ? math::constant::infinity : math::constant::not_a_number).t;
  }
  recorder& r = *n.owner();
  auto divisor = source<extent_op>(r, {dtype::float64, n});
  if (less != 0) divisor = where(divisor > less, divisor - less, math::constant::not_a_number);
  return cast(reciprocal(divisor), d);
}

/// The average over the axes, which stay with extent 1; `x` is in the type of computation.
constexpr tensor average(const tensor& x, const axes& a) {
  return sum(x, {a, true}) * reciprocal_of(size_along(x, a), x.dtype());
}

}  // namespace core

/// The mean along the axes: the sum times 1/n, NaN of nothing. Gradient: dy / n everywhere along
/// the axes.
struct mean_op : composite<mean_op>, over_axes<mean_op> {
  static constexpr op_name name{"mean"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) { return core::floating_type(x, a); }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    return to_original(sum(t, a) * core::reciprocal_of(size_along(t, a.axes), t.dtype()), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto x = s.input();
    const auto ct =
        to_compute(dy) * core::reciprocal_of(size_along(x, a.axes), rule_dtype(dy.dtype()));
    return broadcast_to(core::kept(ct, x, a), x.shape());
  }
};
inline constexpr op<mean_op> mean{};

}  // namespace primal
