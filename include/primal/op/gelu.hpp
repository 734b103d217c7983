// gelu: x times the probability that a standard normal number is below x (Hendrycks and Gimpel
// 2016).
#pragma once

#include <primal/op/exponential.hpp>
#include <primal/op/selection.hpp>

namespace primal {

// g++ says of a scoped enumerator, too, that it shadows the function of its name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// How gelu computes the normal distribution: exactly, or by tanh(sqrt(2/pi) (x + 0.044715 x^3)).
enum class approximation : std::uint8_t { erf, tanh };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The derivative of erf_gelu: Phi(x) + x phi(x), for the standard normal distribution Phi and its
/// density phi.
/// Gradient: dy * phi(x) * (2 - x^2).
struct erf_gelu_slope_op : elementwise<erf_gelu_slope_op> {
  static constexpr op_name name{"erf_gelu_slope"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::gelu_slope(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    const auto x =
        minimum(maximum(s.input(), -50), 50);  // beyond, the density is 0 and x^2 may be infinite
    const auto x2 = x * x;
    return dy * (0.3989422804014327 * exp(-0.5 * x2) * (2 - x2));
  }
};
inline constexpr op<erf_gelu_slope_op> erf_gelu_slope{};

/// x Phi(x) as one primitive, because erf as a piece would cancel for negative x: accurate over the
/// whole range, 0 at -infinity. Gradient: dy * erf_gelu_slope(x).
struct erf_gelu_op : elementwise<erf_gelu_op> {
  static constexpr op_name name{"erf_gelu"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::gelu(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * erf_gelu_slope(s.input()); }
};
inline constexpr op<erf_gelu_op> erf_gelu{};

/// x Phi(x), with Phi by erf, or by tanh: `pm::gelu(x, {.approximate = pm::approximation::tanh})`.
/// Gradient: dy * (Phi(x) + x Phi'(x)).
struct gelu_op : composite<gelu_op> {
  static constexpr op_name name{"gelu"};
  struct attributes {
    approximation approximate = approximation::erf;
  };
  /// x sigmoid(slope (x + cubic x^3)), not below -far. As 1 + tanh(z) is 2 sigmoid(2z), without
  /// cancellation, the slope is 2 sqrt(2/pi).
  struct by_tanh {
    static constexpr double far = 100, slope = 1.5957691216057308, cubic = 0.044715;
    template <class T> PRIMAL_HD static T apply(T x) {
      const T u = math::maximum(x, T(-far));
      return u * math::sigmoid(u * (T(slope) + T(slope * cubic) * (u * u)));
    }
  };

  static constexpr tensor_type infer(tensor x, attributes) {
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    if (a.approximate == approximation::erf) return to_original(erf_gelu(t), x);
    const auto u = from_below(t);
    return to_original(u * gate_of(u), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input()), ct = to_compute(dy);
    if (a.approximate == approximation::erf) return ct * erf_gelu_slope(t);
    const auto gate = gate_of(from_below(t));             // the same as in the value
    const auto u = minimum(from_below(t), by_tanh::far);  // beyond, the slope is 1
    const auto inner = by_tanh::slope * (1 + 3 * by_tanh::cubic * (u * u));
    return ct * (gate + u * gate * (1 - gate) * inner);
  }

 private:
  /// Beyond, the result is 0; -infinity times 0 would not be.
  static constexpr tensor from_below(const tensor& t) { return maximum(t, -by_tanh::far); }
  static constexpr tensor gate_of(const tensor& u) {
    return sigmoid(u * (by_tanh::slope + by_tanh::slope * by_tanh::cubic * (u * u)));
  }
};
inline constexpr op<gelu_op> gelu{};

}  // namespace primal
