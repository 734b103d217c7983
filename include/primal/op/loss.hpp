// Losses of pairs of elements, and what all losses share. They average over all terms unless
// `.reduction` says otherwise. 16-bit floats are computed in float32.
#pragma once

#include <primal/op/mean.hpp>
#include <primal/op/smooth_activation.hpp>

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
