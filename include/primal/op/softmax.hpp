// Softmax and its logarithm. Every exponent is shifted by the greatest element first. 16-bit floats
// and integers are computed in float32. All of them work along one axis, by default the last.
#pragma once

#include <primal/op/division.hpp>
#include <primal/op/exponential.hpp>
#include <primal/op/extreme.hpp>
#include <primal/op/logarithm.hpp>

namespace primal {

namespace core {

/// The greatest element, with the axes kept; -infinity of nothing.
constexpr tensor greatest(const tensor& x, const axes& a) { return max(x, {a, true, true}); }

/// The VJP of y = softmax(x): y * (dy - sum(dy * y)).
constexpr tensor softmax_vjp(const saved& s, const tensor& dy, int axis) {
  const auto y = to_compute(s.output()), ct = to_compute(dy);
  return y * (ct - sum(ct * y, {.axes = axis, .keepdims = true}));
}

}  // namespace core

/// e^x / sum(e^x) along an axis; NaN where all elements are -infinity. Gradient: y * (dy - sum(dy *
/// y)), from the result.
struct softmax_op : composite<softmax_op>, along_axis<softmax_op> {
  static constexpr op_name name{"softmax"};
  using attributes = axis_attributes;

  static constexpr tensor_type infer(tensor x, attributes) {
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto e = exp(t - core::greatest(t, a.axis));
    return to_original(e / sum(e, {.axes = a.axis, .keepdims = true}), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::softmax_vjp(s, dy, a.axis);
  }
};
inline constexpr op<softmax_op> softmax{};

/// softmax, but 0 where all elements are -infinity. Gradient: y * (dy - sum(dy * y)), from the
/// result.
struct safe_softmax_op : composite<safe_softmax_op>, along_axis<safe_softmax_op> {
  static constexpr op_name name{"safe_softmax"};
  using attributes = axis_attributes;

  static constexpr tensor_type infer(tensor x, attributes) {
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto top = core::greatest(t, a.axis);
    const auto nothing = top == -math::constant::infinity;
    const auto e = exp(t - where(nothing, 0, top));
    const auto total = sum(e, {.axes = a.axis, .keepdims = true});
    return to_original(e / where(nothing, 1, total), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::softmax_vjp(s, dy, a.axis);
  }
};
inline constexpr op<safe_softmax_op> safe_softmax{};

/// x - log(sum(e^x)) along an axis. Gradient: dy - softmax(x) * sum(dy), with softmax(x) = e^y from
/// the result.
struct log_softmax_op : composite<log_softmax_op>, along_axis<log_softmax_op> {
  static constexpr op_name name{"log_softmax"};
  using attributes = axis_attributes;

  static constexpr tensor_type infer(tensor x, attributes) {
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto shifted = t - core::greatest(t, a.axis);
    return to_original(shifted - log(sum(exp(shifted), {.axes = a.axis, .keepdims = true})), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto y = to_compute(s.output()), ct = to_compute(dy);
    return ct - exp(y) * sum(ct, {.axes = a.axis, .keepdims = true});
  }
};
inline constexpr op<log_softmax_op> log_softmax{};

}  // namespace primal
