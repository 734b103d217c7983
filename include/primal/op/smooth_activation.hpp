// Smooth activations: made from the sigmoid function and its integral. 16-bit floats and integers
// are computed in float32.
#pragma once

#include <primal/op/division.hpp>
#include <primal/op/exponential.hpp>
#include <primal/op/logarithm.hpp>
#include <primal/op/rounding.hpp>
#include <primal/op/selection.hpp>

namespace primal {

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

}  // namespace primal
