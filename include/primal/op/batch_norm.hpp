// batch_norm: normalization of each channel over all other axes, with running statistics. PyTorch's
// conventions.
#pragma once

#include <primal/op/normalization.hpp>

namespace primal {

/// (x - mean) / sqrt(variance + epsilon) * scale + bias, where the statistics are one number per
/// channel.
///
/// `.training`: those of the batch, the variance biased; the running ones become (1 - momentum) *
/// running + momentum * batch, there with the unbiased variance. They stay as they are where a
/// channel has no more than one element, which is an error if it is known. Otherwise: the running
/// statistics, or those of the batch if there are none.
///
/// Inputs: x, then scale, bias, running_mean, running_var, of the extent of the channel axis; each
/// may be left out.
/// Outputs: y in the dtype of x; then running_mean, running_var, mean and variance, float32 for
/// 16-bit x. Without running statistics their places hold those of the batch.
/// Gradient: as of layer_norm in training, also through the updated running statistics; else dy *
/// scale * r.
struct batch_norm_op : composite<batch_norm_op> {
  static constexpr op_name name{"batch_norm"};
  struct attributes {
    bool training = false;
    double momentum = 0.1, epsilon = 1e-5;
    int axis = 1;  // of the channels
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axis = checked_axis(x, a.axis, name);
    const auto n = size_along(x, reduced_axes(x, a));
    if (a.training && n.known() && n.code() == 1)
      x.owner->report.fail(join("batch_norm: training needs more than one element per channel: ",
                                describe(*x.owner, x.type())));
    return a;
  }

  static constexpr std::array<tensor_type, 5> infer(tensor x, optional scale, optional bias,
                                                    optional running_mean, optional running_var,
                                                    attributes a) {
    for (const auto& t : {scale, bias, running_mean, running_var})
      core::require_affine(x, t, channel(a), name);
    const auto d = to_floating(x.dtype());
    const tensor_type statistic{{x.type().dims[a.axis]}, compute_dtype(d)};
    return {tensor_type{x.type().dims, d}, statistic, statistic, statistic, statistic};
  }

  static constexpr results<5> decompose(tensor x, optional scale, optional bias,
                                        optional running_mean, optional running_var, attributes a) {
    const auto t = to_compute(x), old_mean = in_float(running_mean, t),
               old_var = in_float(running_var, t);
    const bool of_batch = uses_batch(a, running_mean, running_var);
    const auto over = reduced_axes(x, a);
    const auto wide_mean =
        of_batch ? core::average(t, over) : core::aligned(old_mean, x, channel(a));
    const auto centred = t - wide_mean;
    const auto wide_var =
        of_batch ? core::average(square(centred), over) : core::aligned(old_var, x, channel(a));
    auto y = centred * rsqrt(wide_var + a.epsilon);
    if (scale.has_value()) y = y * core::aligned(scale, x, channel(a));
    if (bias.has_value()) y = y + core::aligned(bias, x, channel(a));
    y = to_original(y, x);
    if (!of_batch) return {y, old_mean, old_var, old_mean, old_var};
    const auto centre = reshape(wide_mean, x.extent(a.axis)),
               variance = reshape(wide_var, x.extent(a.axis));
    return {y, updated(old_mean, centre, x, a, 1), updated(old_var, variance, x, a, bessel(x, a)),
            centre, variance};
  }

  static constexpr tensors vjp(saved s, cotangents dy, attributes a);

 private:
  static constexpr axes channel(const attributes& a) { return a.axis; }
  static constexpr axes reduced_axes(const tensor& x, const attributes& a) {
    return other_axes(x, channel(a));
  }
  static constexpr bool uses_batch(const attributes& a, const tensor& running_mean,
                                   const tensor& running_var) {
    return a.training || !running_mean.has_value() || !running_var.has_value();
  }
  static constexpr tensor in_float(const tensor& running, const tensor& t) {
    return running.has_value() ? cast(running, t.dtype()) : running;
  }
  /// n / (n - 1), by which the biased variance becomes the unbiased one.
  static constexpr tensor bessel(const tensor& x, const attributes& a) {
    const auto n = size_along(x, reduced_axes(x, a));
    return n * core::reciprocal_of(n, rule_dtype(x.dtype()), 1);
  }
  /// Is there more than one element per channel? A number, or a tensor where it is known only at
  /// the call.
  static constexpr tensor enough(const tensor& x, const attributes& a) {
    const auto n = size_along(x, reduced_axes(x, a));
    return n.known() ? operand(n.code() > 1).t
                     : operand(n).t > core::attach_full(*x.owner, 1, dtype::int64, {});
  }
  static constexpr tensor updated(const tensor& old, const tensor& batch, const tensor& x,
                                  const attributes& a, const operand& factor) {
    if (!old.has_value() || !a.training) return old.has_value() ? old : batch;
    const auto many = enough(x, a);
    if (!many.owner && many.constant.value() == 0) return old;
    const auto next = old * (1 - a.momentum) + batch * (a.momentum * factor);
    return many.owner ? where(many, next, old) : next;
  }
};
inline constexpr op<batch_norm_op> batch_norm{};

constexpr tensors batch_norm_op::vjp(saved s, cotangents dy, attributes a) {
  const auto x = s.input(0), scale = s.input(1), t = to_compute(x);
  const auto over = reduced_axes(x, a);
  const auto wide = [&](const tensor& v) { return core::aligned(v, x, channel(a)); };
  tensors ct(5);
  const auto add_to = [&](std::size_t i, const tensor& part) {
    ct[i] = ct[i].has_value() ? ct[i] + part : part;
  };
  const bool of_batch = uses_batch(a, s.input(3), s.input(4));

  // The cotangents of the batch's or the running statistics: outputs 3 and 4, and what the updates
  // add.
  tensor d_mean = dy[3], d_var = dy[4];
  for (int i : {1, 2}) {
    if (!dy.has(i)) continue;
    auto& statistic = i == 1 ? d_mean : d_var;
    const auto add_part = [&](const tensor& part) {
      statistic = statistic.has_value() ? statistic + part : part;
    };
    if (!a.training || !s.input(i + 2).has_value()) {
      add_part(dy[i]);
      continue;
    }
    const auto many = enough(x, a);
    if (!many.owner && many.constant.value() == 0) {
      add_to(static_cast<std::size_t>(i + 2), dy[i]);
      continue;
    }
    const auto kept = dy[i] * (1 - a.momentum);
    const auto moved = i == 1 ? dy[i] * a.momentum : dy[i] * (a.momentum * bessel(x, a));
    add_to(static_cast<std::size_t>(i + 2), many.owner ? where(many, kept, dy[i]) : kept);
    add_part(many.owner ? where(many, moved, 0) : moved);
  }

  const auto centred = t - wide(s.output(3));
  if (dy.has(0)) {
    const auto r = rsqrt(wide(s.output(4)) + a.epsilon), n = centred * r, g = to_compute(dy[0]);
    const auto scaled = scale.has_value() ? g * wide(scale) : g;
    add_to(0, of_batch ? core::normalized_vjp(scaled, n, r, over) : scaled * r);
    if (scale.has_value()) ct[1] = sum(g * n, {over});
    if (s.input(2).has_value()) ct[2] = sum(g, {over});
    if (!of_batch) {
      add_to(3, -sum(scaled * r, {over}));
      add_to(4, sum(scaled * n * (r * r) * -0.5, {over}));
    }
  }
  const auto one_of_n = [&] { return core::reciprocal_of(size_along(x, over), t.dtype()); };
  if (!of_batch) {
    if (d_mean.has_value()) add_to(3, d_mean);
    if (d_var.has_value()) add_to(4, d_var);
  } else {
    if (d_mean.has_value()) add_to(0, broadcast_to(wide(d_mean) * one_of_n(), x.shape()));
    if (d_var.has_value()) add_to(0, wide(d_var) * (2 * one_of_n()) * centred);
  }
  return ct;
}

}  // namespace primal
