// Losses. They average over all terms unless `.reduction` says otherwise. 16-bit floats are
// computed in float32.
#pragma once

#include <primal/op/activation.hpp>
#include <primal/op/indexing.hpp>
#include <primal/op/softmax.hpp>

namespace primal {

// g++ says of a scoped enumerator, too, that it shadows the function of its name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// What a loss does with its terms.
enum class reduction : std::uint8_t { mean, sum, none };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

struct loss_attributes {
  primal::reduction reduction = reduction::mean;
};

namespace core {

constexpr tensor reduced_terms(const tensor& terms, reduction how) {
  return how == reduction::none ? terms : how == reduction::sum ? sum(terms) : mean(terms);
}
constexpr tensor_type loss_type(const shape& terms, dtype d, reduction how) {
  return {how == reduction::none ? terms : shape{}, d};
}
/// The cotangent of every term of `like`: dy over their number.
constexpr tensor term_cotangent(const tensor& dy, const tensor& like, reduction how) {
  const auto ct = to_compute(dy);
  return how == reduction::mean ? ct * reciprocal_of(like.size(), ct.dtype()) : ct;
}

/// The dtype and shape of a term made from two operands that broadcast.
constexpr tensor_type paired_type(const tensor& x, const tensor& y, reduction how, op_name name) {
  auto& r = *x.owner;
  auto dims = x.type().dims;
  if (!broadcast_into(r, dims, y.type().dims, name.data()))
    r.report.fail(join(name, ": shapes do not broadcast: ", describe(r, x.type()), " and ",
                       describe(r, y.type())));
  return loss_type(dims, to_floating(x.dtype()), how);
}

}  // namespace core

/// -log(softmax(logits))[label]: labels are integers without the axis of the classes, which is by
/// default the last. Or -sum(target * log_softmax(logits)): a floating-point target has the shape
/// of the logits; where it is 0 it contributes 0.
/// Gradient: (softmax - 1 at the label) * dy over the number of terms; for targets (softmax *
/// sum(target) - target), and -log_softmax for the target itself.
struct cross_entropy_op : composite<cross_entropy_op> {
  static constexpr op_name name{"cross_entropy"};
  struct attributes {
    primal::reduction reduction = reduction::mean;
    int axis = -1;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axis = checked_axis(x, a.axis, name);
    return a;
  }

  static constexpr tensor_type infer(tensor logits, tensor labels, attributes a) {
    auto& r = *logits.owner;
    const auto terms = reduced_dims(logits.type().dims, a.axis, false), given = labels.type().dims;
    const auto wanted = is_floating(labels.dtype()) ? logits.type().dims : terms;
    bool fits = given.size() == wanted.size() && labels.dtype() != dtype::bool_;
    for (int i = 0; fits && i < given.size(); ++i)
      fits = same_extent(r, given[i], wanted[i], "cross_entropy");
    if (!fits)
      r.report.fail(join("cross_entropy: labels must be integers without axis ", a.axis,
                         ", or targets of the shape of the logits: ", describe(r, logits.type()),
                         " and ", describe(r, labels.type())));
    return core::loss_type(terms, to_floating(logits.dtype()), a.reduction);
  }

  static constexpr tensor decompose(tensor logits, tensor labels, attributes a) {
    const auto t = to_compute(logits), shifted = t - core::greatest(t, a.axis);
    const auto total = log(sum(exp(shifted), {.axes = a.axis, .keepdims = true}));
    tensor terms;
    if (is_floating(labels.dtype())) {
      const auto target = to_compute(labels);
      terms = sum(where(target == 0, 0, target * (total - shifted)), {.axes = a.axis});
    } else {
      terms = total - take_along_axis(shifted, expand_dims(labels, {a.axis}), {a.axis});
      terms = reshape(terms, labels.shape());
    }
    return to_original(core::reduced_terms(terms, a.reduction), logits);
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    const auto logits = s.input(0), labels = s.input(1), t = to_compute(logits);
    const auto shifted = t - core::greatest(t, a.axis), e = exp(shifted);
    const auto total = sum(e, {.axes = a.axis, .keepdims = true});
    const bool soft = is_floating(labels.dtype());
    auto ct = to_compute(dy);
    if (a.reduction == reduction::mean)
      ct = ct * core::reciprocal_of(size_along(logits, other_axes(logits, a.axis)), ct.dtype());
    if (a.reduction == reduction::none) ct = expand_dims(ct, {a.axis});
    if (!soft) {
      const auto chosen = core::chosen_places(logits, expand_dims(labels, {a.axis}), a.axis);
      return {(e / total - cast(chosen, ct.dtype())) * ct, tensor{}};
    }
    const auto target = to_compute(labels),
               weight = sum(target, {.axes = a.axis, .keepdims = true});
    return {(e / total * weight - target) * ct, (log(total) - shifted) * ct};
  }
};
inline constexpr op<cross_entropy_op> cross_entropy{};

/// softplus(x) - x * target, the cross entropy of sigmoid(x) and a target between 0 and 1.
/// Gradients, over the number of terms: dy * (sigmoid(x) - target), -dy * x.
struct bce_with_logits_op : composite<bce_with_logits_op> {
  static constexpr op_name name{"bce_with_logits"};
  using dtypes = floating_dtype;
  using attributes = loss_attributes;

  static constexpr tensor_type infer(tensor x, tensor target, attributes a) {
    return core::paired_type(x, target, a.reduction, name);
  }

  static constexpr tensor decompose(tensor x, tensor target, attributes a) {
    const auto t = to_compute(x);
    const auto terms = softplus(t) - t * to_compute(target);
    return to_original(core::reduced_terms(terms, a.reduction), x);
  }
};
inline constexpr op<bce_with_logits_op> bce_with_logits{};

/// (x - y)^2. Gradients, over the number of terms: 2 dy * (x - y) and its negative.
struct mse_loss_op : composite<mse_loss_op> {
  static constexpr op_name name{"mse_loss"};
  using dtypes = floating_dtype;
  using attributes = loss_attributes;

  static constexpr tensor_type infer(tensor x, tensor y, attributes a) {
    return core::paired_type(x, y, a.reduction, name);
  }

  static constexpr tensor decompose(tensor x, tensor y, attributes a) {
    const auto terms = square(to_compute(x) - to_compute(y));
    return to_original(core::reduced_terms(terms, a.reduction), x);
  }

  static constexpr tensors vjp(saved s, tensor dy, attributes a) {
    const auto gap = to_compute(s.input(0)) - to_compute(s.input(1));
    const auto ct = core::term_cotangent(dy, gap, a.reduction) * (2 * gap);
    return {ct, -ct};
  }
};
inline constexpr op<mse_loss_op> mse_loss{};

}  // namespace primal
