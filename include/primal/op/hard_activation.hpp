// Hard activations: tanh, sigmoid and swish made of straight lines. 16-bit floats and integers are
// computed in float32.
#pragma once

#include <primal/op/rounding.hpp>
#include <primal/op/selection.hpp>

namespace primal {

/// min(max(x, min), max); NaN stays. Gradient: dy inside, 0 at the bounds and beyond.
struct hardtanh_op : composite<hardtanh_op> {
  static constexpr op_name name{"hardtanh"};
  struct attributes {
    double min = -1, max = 1;
  };

  static constexpr tensor_type infer(tensor x, attributes) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x, attributes a) {
    return minimum(maximum(x, a.min), a.max);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto y = s.output();
    return where(y > a.min && y < a.max, dy, 0);
  }
};
inline constexpr op<hardtanh_op> hardtanh{};

/// min(max(x + 3, 0), 6) / 6. Gradient: dy / 6 inside, 0 at the bounds and beyond.
struct hardsigmoid_op : composite<hardsigmoid_op> {
  static constexpr op_name name{"hardsigmoid"};

  static constexpr tensor_type infer(tensor x) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x) {
    const auto t = to_compute(x);
    return to_original(minimum(maximum(t + 3, 0), 6) * (1.0 / 6), x);
  }
  static constexpr tensor vjp(saved s, tensor dy) {
    return where(abs(s.input()) < 3, dy * (1.0 / 6), 0);
  }
};
inline constexpr op<hardsigmoid_op> hardsigmoid{};

/// x * min(max(x + 3, 0), 6) / 6. Gradient: dy * (x / 3 + 1/2) for -3 < x < 3; 0 from -3 down, dy
/// from 3 up.
struct hardswish_op : composite<hardswish_op> {
  static constexpr op_name name{"hardswish"};

  static constexpr tensor_type infer(tensor x) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x) {
    const auto t = to_compute(x);
    return to_original(t * minimum(maximum(t + 3, 0), 6) * (1.0 / 6), x);
  }
  static constexpr tensor vjp(saved s, tensor dy) {
    const auto t = to_compute(s.input()), ct = to_compute(dy);
    return where(t >= 3, ct, where(t > -3, ct * (t * (1.0 / 3) + 0.5), 0));
  }
};
inline constexpr op<hardswish_op> hardswish{};

}  // namespace primal
