// Magnitude, sign, and rounding to whole numbers.
#pragma once

#include <primal/op/arithmetic.hpp>

namespace primal {

/// -1, 0 or 1; NaN of NaN. Gradient 0.
struct sign_op : elementwise<sign_op> {
  static constexpr op_name name{"sign"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::sign(x); }

  static constexpr tensor vjp(saved, tensor) { return {}; }
};
inline constexpr op<sign_op> sign{};

/// |x|. Gradient dy * sign(x), 0 at 0.
struct abs_op : elementwise<abs_op> {
  static constexpr op_name name{"abs"};
  using dtypes = arithmetic_dtype;

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::abs(x); }

  static constexpr tensor vjp(saved s, tensor dy) { return dy * sign(s.input()); }
};
inline constexpr op<abs_op> abs{};

/// The greatest whole number that is not greater. Integers stay as they are. Gradient 0.
struct floor_op : elementwise<floor_op> {
  static constexpr op_name name{"floor"};

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::floor(x); }

  static constexpr tensor vjp(saved, tensor) { return {}; }
};
inline constexpr op<floor_op> floor{};

/// The smallest whole number that is not smaller. Gradient 0.
struct ceil_op : elementwise<ceil_op> {
  static constexpr op_name name{"ceil"};

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::ceil(x); }

  static constexpr tensor vjp(saved, tensor) { return {}; }
};
inline constexpr op<ceil_op> ceil{};

/// The nearest whole number; halves go to the even one. Gradient 0.
struct round_op : elementwise<round_op> {
  static constexpr op_name name{"round"};

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::round(x); }

  static constexpr tensor vjp(saved, tensor) { return {}; }
};
inline constexpr op<round_op> round{};

/// The whole number towards 0. Gradient 0.
struct trunc_op : elementwise<trunc_op> {
  static constexpr op_name name{"trunc"};

  template <class T> PRIMAL_HD static constexpr T apply(T x) { return math::trunc(x); }

  static constexpr tensor vjp(saved, tensor) { return {}; }
};
inline constexpr op<trunc_op> trunc{};

}  // namespace primal
