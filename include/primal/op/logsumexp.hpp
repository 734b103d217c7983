// logsumexp: the logarithm of a sum of exponentials. Every exponent is shifted by the greatest
// element first. 16-bit floats and integers are computed in float32.
#pragma once

#include <primal/op/predicate.hpp>
#include <primal/op/softmax.hpp>

namespace primal {

namespace core {

/// x, and by what it is shifted before exp: its greatest element, but 0 where that is infinite or
/// NaN.
constexpr tensor finite_shift(const tensor& x, const axes& a) {
  const auto top = greatest(x, a);
  return where(isfinite(top), top, 0);
}

}  // namespace core

/// log(sum(e^x)) along the axes, -infinity of nothing. Gradient: dy * softmax(x) from the shifted
/// exponentials, 0 where all elements are -infinity.
struct logsumexp_op : composite<logsumexp_op>, over_axes<logsumexp_op> {
  static constexpr op_name name{"logsumexp"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) { return core::floating_type(x, a); }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto shift = core::finite_shift(t, a.axes);
    const auto y = log(sum(exp(t - shift), {a.axes, true})) + shift;
    return to_original(a.keepdims ? y : reshape(y, core::reduced_extents(t, a)), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input());
    const auto e = exp(t - core::finite_shift(t, a.axes));
    const auto total = sum(e, {a.axes, true});
    return where(total == 0, 0, core::kept(to_compute(dy), t, a) / total) * e;
  }
};
inline constexpr op<logsumexp_op> logsumexp{};

}  // namespace primal
