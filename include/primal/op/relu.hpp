// Rectifiers: relu and its relatives, which keep what is positive. 16-bit floats and integers are
// computed in float32.
#pragma once

#include <primal/op/exponential.hpp>
#include <primal/op/selection.hpp>

namespace primal {

namespace core {

constexpr tensor_type number_like(const tensor& x) {
  return {x.type().dims, arithmetic_dtype::compute(x.dtype())};
}

}  // namespace core

/// max(x, 0); NaN stays. Gradient: dy where the result is positive, else 0.
struct relu_op : composite<relu_op> {
  static constexpr op_name name{"relu"};

  static constexpr tensor_type infer(tensor x) { return core::number_like(x); }
  static constexpr tensor decompose(tensor x) { return maximum(x, 0); }
  static constexpr tensor vjp(saved s, tensor dy) { return where(s.output() > 0, dy, 0); }
};
inline constexpr op<relu_op> relu{};

/// min(max(x, 0), 6); NaN stays. Gradient: dy inside, 0 at the bounds and beyond.
struct relu6_op : composite<relu6_op> {
  static constexpr op_name name{"relu6"};

  static constexpr tensor_type infer(tensor x) { return core::number_like(x); }
  static constexpr tensor decompose(tensor x) { return minimum(maximum(x, 0), 6); }
  static constexpr tensor vjp(saved s, tensor dy) {
    const auto y = s.output();
    return where(y > 0 && y < 6, dy, 0);
  }
};
inline constexpr op<relu6_op> relu6{};

/// x where it is positive, else negative_slope * x. Gradient: dy, else negative_slope * dy, also at
/// 0.
struct leaky_relu_op : composite<leaky_relu_op> {
  static constexpr op_name name{"leaky_relu"};
  struct attributes {
    double negative_slope = 0.01;
  };

  static constexpr tensor_type infer(tensor x, attributes) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x, attributes a) {
    return where(x > 0, x, x * a.negative_slope);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return where(s.input() > 0, dy, dy * a.negative_slope);
  }
};
inline constexpr op<leaky_relu_op> leaky_relu{};

/// x where it is positive, else alpha * (e^x - 1). Gradient: dy, else dy * alpha * e^x, also at 0.
struct elu_op : composite<elu_op> {
  static constexpr op_name name{"elu"};
  struct attributes {
    double alpha = 1;
  };

  static constexpr tensor_type infer(tensor x, attributes) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    return to_original(where(t > 0, t, a.alpha * expm1(t)), x);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input()), ct = to_compute(dy);
    return where(t > 0, ct, ct * (a.alpha * exp(t)));
  }
};
inline constexpr op<elu_op> elu{};

}  // namespace primal
