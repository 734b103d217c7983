// Activations: smooth and piecewise-linear functions of one element. 16-bit floats and integers are
// computed in float32.
#pragma once

#include <primal/op/exponential.hpp>
#include <primal/op/rounding.hpp>
#include <primal/op/selection.hpp>

namespace primal {

namespace core {

constexpr tensor_type floating_like(const tensor& x) {
  return {x.type().dims, to_floating(x.dtype())};
}
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

/// x * sigmoid(x), the sigmoid-weighted linear unit (Elfwing et al. 2018). Gradient: dy * s * (1 +
/// x * (1 - s)) with s = sigmoid(x).
struct silu_op : composite<silu_op> {
  static constexpr op_name name{"silu"};

  static constexpr tensor_type infer(tensor x) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x) {
    const auto t = to_compute(x);
    return to_original(t * sigmoid(t), x);
  }
  static constexpr tensor vjp(saved s, tensor dy) {
    const auto t = to_compute(s.input()), gate = sigmoid(t);
    return to_compute(dy) * (gate * (1 + t * (1 - gate)));
  }
};
inline constexpr op<silu_op> silu{};

/// log(1 + e^(beta x)) / beta, without overflow. Gradient: dy * sigmoid(beta x).
struct softplus_op : composite<softplus_op> {
  static constexpr op_name name{"softplus"};
  struct attributes {
    double beta = 1;
  };

  static constexpr tensor_type infer(tensor x, attributes) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = scaled(to_compute(x), a.beta);
    return to_original(scaled(maximum(t, 0) + log1p(exp(-abs(t))), 1 / a.beta), x);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return to_compute(dy) * sigmoid(scaled(to_compute(s.input()), a.beta));
  }

 private:
  static constexpr tensor scaled(const tensor& t, double factor) {
    return factor == 1 ? t : t * factor;
  }
};
inline constexpr op<softplus_op> softplus{};

/// log(sigmoid(x)) = -softplus(-x). Gradient: dy * sigmoid(-x).
struct log_sigmoid_op : composite<log_sigmoid_op> {
  static constexpr op_name name{"log_sigmoid"};

  static constexpr tensor_type infer(tensor x) { return core::floating_like(x); }
  static constexpr tensor decompose(tensor x) {
    const auto t = to_compute(x);
    return to_original(minimum(t, 0) - log1p(exp(-abs(t))), x);
  }
  static constexpr tensor vjp(saved s, tensor dy) {
    return to_compute(dy) * sigmoid(-to_compute(s.input()));
  }
};
inline constexpr op<log_sigmoid_op> log_sigmoid{};

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
