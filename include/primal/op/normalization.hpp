// Normalization of rows: layer_norm and rms_norm. 16-bit floats and integers are computed in
// float32.
#pragma once

#include <primal/op/statistics.hpp>

namespace primal {

/// What layer_norm and rms_norm take; the axes are by default the last one.
struct normalization_attributes {
  primal::axes axes{-1};
  double epsilon = 1e-5;
};

namespace core {

/// A scale or bias has the extents of the normalized axes.
constexpr void require_affine(const tensor& x, const tensor& affine, const axes& a, op_name name) {
  if (!affine.has_value()) return;
  auto& r = *x.owner;
  const auto own = x.type().dims, given = affine.type().dims;
  bool fits = given.size() == a.size();
  for (int i = 0; fits && i < a.size(); ++i)
    fits = same_extent(r, own[a[i]], given[i], name.data());
  if (!fits)
    r.report.fail(join(name, ": scale and bias must have the extents of the normalized axes: ",
                       describe(r, x.type()), " and ", describe(r, affine.type())));
}

/// A scale or bias in the type of computation, so that it broadcasts to x.
constexpr tensor aligned(const tensor& affine, const tensor& x, const axes& a) {
  const auto t = to_compute(affine);
  if (a.size() == x.rank() || a.empty() || a[0] == x.rank() - a.size()) return t;  // the last axes
  extents dims;
  for (int i = 0; i < x.rank(); ++i) dims.push_back(a.contains(i) ? x.extent(i) : extent(1));
  return reshape(t, dims);
}

/// The VJP of n = (x - mean) * r through the mean and r, where `ct` is the cotangent of n.
constexpr tensor normalized_vjp(const tensor& ct, const tensor& n, const tensor& r, const axes& a) {
  return r * (ct - average(ct, a) - n * average(ct * n, a));
}

}  // namespace core

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
