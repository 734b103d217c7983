// Derivatives by differences, as an independent source for gradients.
#pragma once

#include <primal/interpret/interpret.hpp>

#include <cmath>

namespace primal::testing {

struct slope {
  double value = 0, uncertainty = 0;
};

/// The derivative of f at 0 by central differences, extrapolated twice (Richardson): the error is of sixth
/// order in the step.
template <class F>
slope derivative(const F& f) {
  const double step = 0x1p-10;
  double d[3];
  for (int i = 0; i < 3; ++i) {
    const double h = std::ldexp(step, -i);
    d[i] = (f(h) - f(-h)) / (2 * h);
  }
  const double first = (4 * d[1] - d[0]) / 3, second = (4 * d[2] - d[1]) / 3;
  const double value = (16 * second - first) / 15;
  return {value, std::fabs(value - second)};
}

/// sum(a * b) over the arrays.
inline double dot(const std::vector<dense>& a, const std::vector<dense>& b) {
  interpretation::sum_of sum;
  for (std::size_t k = 0; k < a.size(); ++k)
    for (std::size_t i = 0; i < a[k].values.size(); ++i) sum.add(a[k].values[i] * b[k].values[i]);
  return sum.value();
}

}  // namespace primal::testing
