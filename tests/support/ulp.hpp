// Errors of floating-point results in units of the last place.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace primal::test {

/// |got - exact| in units of the last place of `exact` in T, gradual underflow and overflow
/// included: an infinite `got` counts as the first number too large for T. NaN agrees with NaN only.
template <class T, class Wide> double ulp_error(T got, Wide exact) {
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0. : std::numeric_limits<double>::infinity();
  using limits = std::numeric_limits<T>;
  const Wide too_large = std::ldexp(Wide(1), limits::max_exponent);
  const Wide a = std::clamp(static_cast<Wide>(got), -too_large, too_large);
  const Wide b = std::clamp(exact, -too_large, too_large);
  if (a == b) return 0.;
  const int exponent = b == 0 ? limits::min_exponent - 1 : std::ilogb(b);
  const int unit =
      std::clamp(exponent, limits::min_exponent - 1, limits::max_exponent - 1) - limits::digits + 1;
  return static_cast<double>(std::fabs(a - b) / std::ldexp(Wide(1), unit));
}

/// The largest error seen and where.
template <class T> struct worst_error {
  double ulp = 0.;
  T at = T(0);

  void add(T x, double error) {
    if (error > ulp) ulp = error, at = x;
  }
};

}  // namespace primal::test
