// layer_norm: normalization of rows by their mean and variance. 16-bit floats and integers are
// computed in float32.
#pragma once

#include <primal/op/normalization.hpp>

namespace primal {

/// What layer_norm takes; the axes are by default the last one.
struct normalization_attributes {
  primal::axes axes{-1};
  double epsilon = 1e-5;
};

/// (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes; scale and bias have their
/// extents and may be left out. Outputs: y in the dtype of x; mean and variance (biased, two-pass)
/// without the axes, float32 for 16-bit x.
/// Gradient, with n the normalized x, r = 1 / sqrt(variance + epsilon) and g = dy * scale: r * (g -
/// mean(g) - n * mean(g * n)); dscale = sum(dy * n), dbias = sum(dy).
struct layer_norm_op : composite<layer_norm_op> {
  static constexpr op_name name{"layer_norm"};
  using attributes = normalization_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr std::array<tensor_type, 3> infer(tensor x, optional scale, optional bias,
                                                    attributes a) {
    core::require_affine(x, scale, a.axes, name);
    core::require_affine(x, bias, a.axes, name);
    const auto d = to_floating(x.dtype());
    const tensor_type statistic{reduced_dims(x.type().dims, a.axes, false), compute_dtype(d)};
    return {tensor_type{x.type().dims, d}, statistic, statistic};
  }

  static constexpr results<3> decompose(tensor x, optional scale, optional bias, attributes a) {
    const auto t = to_compute(x), centre = core::average(t, a.axes), centred = t - centre;
    const auto variance = core::average(square(centred), a.axes);
    auto y = centred * rsqrt(variance + a.epsilon);
    if (scale.has_value()) y = y * core::aligned(scale, x, a.axes);
    if (bias.has_value()) y = y + core::aligned(bias, x, a.axes);
    const auto dims = core::reduced_extents(x, {a.axes, false});
    return {to_original(y, x), reshape(centre, dims), reshape(variance, dims)};
  }

  static constexpr tensors vjp(saved s, cotangents dy, attributes a) {
    const auto x = s.input(0), scale = s.input(1), t = to_compute(x);
    const reduction_attributes reduced{a.axes, false};
    const auto centred = t - core::kept(s.output(1), x, reduced);
    tensors ct(3);
    const auto add_to_x = [&](const tensor& part) {
      ct[0] = ct[0].has_value() ? ct[0] + part : part;
    };
    if (dy.has(0)) {
      const auto r = rsqrt(core::kept(s.output(2), x, reduced) + a.epsilon), n = centred * r,
                 g = to_compute(dy[0]);
      add_to_x(core::normalized_vjp(scale.has_value() ? g * core::aligned(scale, x, a.axes) : g, n,
                                    r, a.axes));
      const auto others = other_axes(x, a.axes);
      if (scale.has_value()) ct[1] = sum(g * n, {others});
      if (s.input(2).has_value()) ct[2] = sum(g, {others});
    }
    const auto one_of_n = [&] { return core::reciprocal_of(size_along(x, a.axes), t.dtype()); };
    if (dy.has(1)) add_to_x(broadcast_to(core::kept(dy[1], x, reduced) * one_of_n(), x.shape()));
    if (dy.has(2)) add_to_x(core::kept(dy[2], x, reduced) * (2 * one_of_n()) * centred);
    return ct;
  }
};
inline constexpr op<layer_norm_op> layer_norm{};

}  // namespace primal
