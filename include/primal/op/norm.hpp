// Norms: made from the sum of squares. 16-bit floats and integers are computed in float32.
#pragma once

#include <primal/op/power.hpp>
#include <primal/op/reduction.hpp>

namespace primal {

/// The square root of the sum of squares along the axes. Gradient: dy * x / y, 0 at the origin.
struct norm_op : composite<norm_op>, over_axes<norm_op> {
  static constexpr op_name name{"norm"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) { return core::floating_type(x, a); }

  static constexpr tensor decompose(tensor x, attributes a) {
    return to_original(sqrt(sum(square(to_compute(x)), a)), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto x = to_compute(s.input()), y = to_compute(s.output());
    return x * core::kept(where(y == 0, 0, to_compute(dy) / y), x, a);
  }
};
inline constexpr op<norm_op> norm{};

/// The sum of the squares of all elements, of rank 0. Gradient: dy * 2x.
struct squared_l2_norm_op : composite<squared_l2_norm_op> {
  static constexpr op_name name{"squared_l2_norm"};

  static constexpr tensor_type infer(tensor x) { return {{}, to_floating(x.dtype())}; }
  static constexpr tensor decompose(tensor x) { return to_original(sum(square(to_compute(x))), x); }
  static constexpr tensor vjp(saved s, tensor dy) {
    return to_compute(dy) * (2 * to_compute(s.input()));
  }
};
inline constexpr op<squared_l2_norm_op> squared_l2_norm{};

}  // namespace primal
