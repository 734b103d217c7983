// Statistics: reductions made from sums. 16-bit floats and integers are computed in float32.
#pragma once

#include <primal/op/power.hpp>
#include <primal/op/reduction.hpp>

namespace primal {

namespace core {

/// 1 / (n - less) as a number, or as a tensor of rank 0 where n is known only at the call. Both are
/// rounded alike. NaN where n - less is not positive, except that 1 / 0 is infinite when nothing is
/// taken off.
constexpr tensor reciprocal_of(const extent& n, dtype d, double less = 0) {
  if (n.known()) {
    const double divisor = static_cast<double>(n.code()) - less;
    if (divisor > 0) return operand(1 / divisor).t;
    return operand(less == 0 ? math::constant::infinity : math::constant::not_a_number).t;
  }
  recorder& r = *n.owner();
  auto divisor = source<extent_op>(r, {dtype::float64, n});
  if (less != 0) divisor = where(divisor > less, divisor - less, math::constant::not_a_number);
  return cast(reciprocal(divisor), d);
}

/// The average over the axes, which stay with extent 1; `x` is in the type of computation.
constexpr tensor average(const tensor& x, const axes& a) {
  return sum(x, {a, true}) * reciprocal_of(size_along(x, a), x.dtype());
}

constexpr tensor_type floating_type(const tensor& x, const reduction_attributes& a) {
  return reduced_type(x, to_floating(x.dtype()), a);
}

}  // namespace core

/// The mean along the axes: the sum times 1/n, NaN of nothing. Gradient: dy / n everywhere along
/// the axes.
struct mean_op : composite<mean_op>, over_axes<mean_op> {
  static constexpr op_name name{"mean"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) { return core::floating_type(x, a); }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    return to_original(sum(t, a) * core::reciprocal_of(size_along(t, a.axes), t.dtype()), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto x = s.input();
    const auto ct =
        to_compute(dy) * core::reciprocal_of(size_along(x, a.axes), rule_dtype(dy.dtype()));
    return broadcast_to(core::kept(ct, x, a), x.shape());
  }
};
inline constexpr op<mean_op> mean{};

/// The attributes of var and std.
struct variance_attributes {
  primal::axes axes{};
  bool keepdims = false;
  double correction = 0;  // the sum of squares is divided by n - correction

  constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
};

/// The variance along the axes: the sum of (x - mean)^2 over n - correction, in two passes; NaN
/// where that is not positive. Gradient: dy * 2 (x - mean) / (n - correction).
struct var_op : composite<var_op> {
  static constexpr op_name name{"var"};
  using attributes = variance_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::floating_type(x, a.reduction());
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    const auto factor = core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    return to_original(sum(square(t - core::average(t, a.axes)), a.reduction()) * factor, x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input());
    const auto factor = 2 * core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    const auto ct = core::kept(to_compute(dy), t, a.reduction());
    return ct * factor * (t - core::average(t, a.axes));
  }
};
inline constexpr op<var_op> var{};

/// The square root of the variance. Gradient: dy * (x - mean) / (y (n - correction)), 0 where all
/// elements are equal.
struct std_op : composite<std_op> {
  static constexpr op_name name{"std"};
  using attributes = variance_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return var_op::normalised(x, a);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::floating_type(x, a.reduction());
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    return to_original(sqrt(var(to_compute(x), a)), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input()), y = to_compute(s.output());
    const auto factor = core::reciprocal_of(size_along(t, a.axes), t.dtype(), a.correction);
    const auto ct = core::kept(where(y == 0, 0, to_compute(dy) / y), t, a.reduction());
    return ct * factor * (t - core::average(t, a.axes));
  }
};
inline constexpr op<std_op> std{};

/// The square root of the sum of squares along the axes. Gradient: dy * x / y, 0 at the origin.
struct norm_op : composite<norm_op>, over_axes<norm_op> {
  static constexpr op_name name{"norm"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) { return core::floating_type(x, a); }

  static constexpr tensor decompose(tensor x, attributes a) {
    return to_original(sqrt(sum(square(to_compute(x)), a)), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto x = to_compute(s.input()), y = to_compute(s.output());
    return x * core::kept(where(y == 0, 0, to_compute(dy) / y), x, a);
  }
};
inline constexpr op<norm_op> norm{};

/// The sum of the squares of all elements, of rank 0. Gradient: dy * 2x.
struct squared_l2_norm_op : composite<squared_l2_norm_op> {
  static constexpr op_name name{"squared_l2_norm"};

  static constexpr tensor_type infer(tensor x) { return {{}, to_floating(x.dtype())}; }
  static constexpr tensor decompose(tensor x) { return to_original(sum(square(to_compute(x))), x); }
  static constexpr tensor vjp(saved s, tensor dy) {
    return to_compute(dy) * (2 * to_compute(s.input()));
  }
};
inline constexpr op<squared_l2_norm_op> squared_l2_norm{};

/// Is an element other than 0 along the axes? False of nothing, true of NaN. No gradient.
struct any_op : composite<any_op>, over_axes<any_op> {
  static constexpr op_name name{"any"};
  static constexpr bool differentiable = false;
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, dtype::bool_, a);
  }
  static constexpr tensor decompose(tensor x, attributes a) { return sum(x != 0, a) > 0; }
};
inline constexpr op<any_op> any{};

/// Are all elements along the axes other than 0? True of nothing. No gradient.
/// The object is also the whole axis in `x(pm::all, 0)`.
struct all_op : composite<all_op>, over_axes<all_op> {
  static constexpr op_name name{"all"};
  static constexpr bool differentiable = false;
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, dtype::bool_, a);
  }
  static constexpr tensor decompose(tensor x, attributes a) { return sum(x == 0, a) == 0; }
};
inline constexpr op<all_op> all{};

namespace core {

/// `x` summed to a shape that broadcasts to its own; whatever broadcasting repeated is added up
/// again.
constexpr tensor summed_to(const tensor& x, const shape& wanted) {
  auto& r = *x.owner;
  const auto own = x.type().dims;
  const int leading = own.size() - wanted.size();
  axes all_added;
  all_added.every = false;
  bool stretched = false;
  for (int i = 0; i < own.size(); ++i) {
    const bool one = i >= leading && r.extents.resolve(wanted[i - leading]) == 1 &&
                     r.extents.resolve(own[i]) != 1;
    stretched = stretched || one;
    if (i < leading || one) all_added.push_back(i);
  }
  if (all_added.empty()) return x;
  const auto total = sum(x, {all_added, stretched});
  return stretched && leading > 0 ? reshape(total, extents(wanted, x.owner)) : total;
}

}  // namespace core

/// x summed to the shape of `like`, which broadcasts to that of x. Gradient: dy broadcast back.
struct reduce_as_op : composite<reduce_as_op> {
  static constexpr op_name name{"reduce_as"};

  static constexpr tensor_type infer(tensor x, tensor like) {
    auto& r = *x.owner;
    auto dims = x.type().dims;
    bool fits = like.rank() <= x.rank() && broadcast_into(r, dims, like.type().dims, "reduce_as");
    for (int i = 0; fits && i < dims.size(); ++i)
      fits = r.extents.resolve(dims[i]) == r.extents.resolve(x.type().dims[i]);
    if (!fits)
      r.report.fail(join("reduce_as: ", describe(r, like.type()), " does not broadcast to ",
                         describe(r, x.type())));
    return {like.type().dims, x.dtype()};
  }

  static constexpr tensor decompose(tensor x, tensor like) {
    return core::summed_to(x, like.type().dims);
  }

  static constexpr tensors vjp(saved s, tensor dy) {
    return {broadcast_to(dy, s.input().shape()), tensor{}};
  }
};
inline constexpr op<reduce_as_op> reduce_as{};

}  // namespace primal
