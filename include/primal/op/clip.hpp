// clip: numbers kept between two bounds.
#pragma once

#include <primal/op/selection.hpp>

namespace primal {

namespace core {

/// A number from an attribute as an operand: a whole one does not turn integers into floats.
constexpr tensor attribute_number(double value) {
  const bool whole = value == math::trunc(value) && math::abs(value) < 0x1p53;
  return constant_tensor({constant_source::number, whole ? dtype::int64 : dtype::float64, value});
}

}  // namespace core

/// x, but not below `low` and not above `high`: tensors or numbers, or the attributes min and max.
/// NaN stays; where low > high it is high. Gradient: dy to x inside and at the bounds, to a bound
/// beyond it.
struct clip_op : composite<clip_op> {
  static constexpr op_name name{"clip"};
  using dtypes = same_dtype;
  struct attributes {
    double min = -math::constant::infinity, max = math::constant::infinity;
  };

  static constexpr tensor_type infer(tensor x, optional low, optional high, attributes a) {
    tensor operands[] = {x, lower(low, a), upper(high, a)};
    auto dims = x.type().dims;
    for (const auto& bound : {low, high})
      if (bound.has_value() && !broadcast_into(*x.owner, dims, bound.type().dims, "clip"))
        x.owner->report.fail(join("clip: shapes do not broadcast: ", describe(*x.owner, x.type()),
                                  " and ", describe(*x.owner, bound.type())));
    return {dims, common_dtype(operands, 3)};
  }

  static constexpr tensor decompose(tensor x, optional low, optional high, attributes a) {
    if (const auto bound = lower(low, a); bound.has_value()) x = maximum(x, bound);
    if (const auto bound = upper(high, a); bound.has_value()) x = minimum(x, bound);
    return x;
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    const tensor x = s.input(), low = lower(s.input(1), a), high = upper(s.input(2), a);
    tensors ct{dy, tensor{}, tensor{}};
    if (high.has_value()) ct[0] = where(x <= high, ct[0], 0);
    if (low.has_value()) ct[0] = where(x >= low, ct[0], 0);
    if (s.input(1).has_value())
      ct[1] = where(high.has_value() ? x < low && low <= high : x < low, dy, 0);
    if (s.input(2).has_value())
      ct[2] = where(low.has_value() ? x > high || low > high : x > high, dy, 0);
    return ct;
  }

 private:
  static constexpr tensor lower(const tensor& low, const attributes& a) {
    return low.has_value() || a.min == -math::constant::infinity ? low
                                                                 : core::attribute_number(a.min);
  }
  static constexpr tensor upper(const tensor& high, const attributes& a) {
    return high.has_value() || a.max == math::constant::infinity ? high
                                                                 : core::attribute_number(a.max);
  }
};
inline constexpr op<clip_op> clip{};

}  // namespace primal
