// cross_entropy: the loss of a classification. It averages over all terms unless `.reduction` says
// otherwise. 16-bit floats are computed in float32.
#pragma once

#include <primal/op/gather.hpp>
#include <primal/op/loss.hpp>
#include <primal/op/rank.hpp>
#include <primal/op/softmax.hpp>

namespace primal {

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

}  // namespace primal
