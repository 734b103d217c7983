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

/// The derivative of tanh_gelu. With g = sigmoid(v(x)), g + x g (1 - g) v'(x).
/// Gradient: dy * g (1 - g) (2 v' + x (v'' + (1 - 2 g) v'^2)).
struct tanh_gelu_slope_op : elementwise<tanh_gelu_slope_op> {
  static constexpr op_name name{"tanh_gelu_slope"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::tanh_gelu_slope(x); }

  static constexpr tensor vjp(saved s, tensor dy) {
    using formula = tanh_gelu_formula<double>;
    const auto x = minimum(maximum(s.input(), -formula::far), formula::far);
    const auto x2 = x * x;
    const auto g = sigmoid(x * (formula::slope + formula::slope * formula::cubic * x2));
    const auto first = formula::slope * (1 + 3 * formula::cubic * x2);
    const auto second = 6 * formula::slope * formula::cubic * x;
    return dy * (g * (1 - g) * (2 * first + x * (second + (1 - 2 * g) * (first * first))));
  }
};
inline constexpr op<tanh_gelu_slope_op> tanh_gelu_slope{};

/// x sigmoid(v(x)) with v(x) = 2 sqrt(2/pi) (x + 0.044715 x^3). Gradient: dy * tanh_gelu_slope(x).
struct tanh_gelu_op : elementwise<tanh_gelu_op> {
  static constexpr op_name name{"tanh_gelu"};
  static constexpr bool expensive = true;
  using dtypes = floating_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::tanh_gelu(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * tanh_gelu_slope(s.input()); }
};
inline constexpr op<tanh_gelu_op> tanh_gelu{};

/// x Phi(x), with Phi by erf, or by tanh: `pm::gelu(x, {.approximate = pm::approximation::tanh})`.
/// Gradient: dy * (Phi(x) + x Phi'(x)).
struct gelu_op : composite<gelu_op> {
  static constexpr op_name name{"gelu"};
  struct attributes {
    approximation approximate = approximation::erf;
  };

  static constexpr tensor_type infer(tensor x, attributes) {
    return {x.type().dims, to_floating(x.dtype())};
  }

  static constexpr tensor decompose(tensor x, attributes a) {
    const auto t = to_compute(x);
    return to_original(a.approximate == approximation::erf ? erf_gelu(t) : tanh_gelu(t), x);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    const auto t = to_compute(s.input());
    const bool exact = a.approximate == approximation::erf;
    return to_compute(dy) * (exact ? erf_gelu_slope(t) : tanh_gelu_slope(t));
  }
};
inline constexpr op<gelu_op> gelu{};

}  // namespace primal
