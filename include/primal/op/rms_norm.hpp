// rms_norm: normalization of rows by the root of their mean square. 16-bit floats and integers are
// computed in float32.
#pragma once

#include <primal/op/normalization.hpp>

namespace primal {

/// x / sqrt(mean(x^2) + epsilon) * scale over the axes; the scale has their extents and may be left
/// out.
/// Gradient, with r = 1 / sqrt(mean(x^2) + epsilon), n = x * r and g = dy * scale: r * (g - n *
/// mean(g * n)); dscale = sum(dy * n).
struct rms_norm_op : composite<rms_norm_op> {
  static constexpr op_name name{"rms_norm"};
  struct attributes {
    primal::axes axes{-1};
    double epsilon = 1e-6;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr tensor_type infer(tensor x, optional scale, attributes a) {
    core::require_affine(x, scale, a.axes, name);
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, optional scale, attributes a) {
    const auto t = to_compute(x), y = t * inverse_root(t, a);
    return to_original(scale.has_value() ? y * core::aligned(scale, x, a.axes) : y, x);
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    const auto x = s.input(0), scale = s.input(1), t = to_compute(x), r = inverse_root(t, a),
               n = t * r;
    const auto ct = to_compute(dy),
               g = scale.has_value() ? ct * core::aligned(scale, x, a.axes) : ct;
    const auto dx = r * (g - n * core::average(g * n, a.axes));
    return {dx, scale.has_value() ? sum(ct * n, {other_axes(x, a.axes)}) : tensor{}};
  }

 private:
  static constexpr tensor inverse_root(const tensor& t, const attributes& a) {
    return rsqrt(core::average(square(t), a.axes) + a.epsilon);
  }
};
inline constexpr op<rms_norm_op> rms_norm{};

}  // namespace primal
