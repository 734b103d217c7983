// Derivatives by differences, as an independent source for gradients.
#pragma once

#include <primal/interpret/interpret.hpp>
#include <primal/testing/comparison.hpp>
#include <primal/testing/recording.hpp>

namespace primal::testing {

struct slope {
  double value = 0, uncertainty = 0;
};

/// The derivative of f at 0 by central differences, extrapolated twice (Richardson): the error is of sixth
/// order in the step.
template <class F> slope derivative(const F& f) {
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

/// Compares gradients of dot(f(x), cotangents) with its differences, for up to `most` elements of each input.
/// Where a kink or a jump is near, nothing is compared.
template <class Model>
std::string differ_from_differences(const Model& f, const std::vector<dense>& inputs,
                                    const std::vector<dense>& gradients,
                                    const std::vector<dense>& cotangents, std::size_t most) {
  const program p = decompose(record(inputs, f));
  const bool nothing = is_nothing(inputs);
  std::size_t gradient = 0;
  int smooth = 0, rough = 0;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (!is_floating(inputs[k].dtype)) continue;
    const auto& g = gradients[gradient++];
    const std::size_t size = inputs[k].values.size(), step = size > most ? size / most : 1;
    for (std::size_t i = 0; i < size; i += step) {
      auto moved = inputs;
      double largest = 0;
      const auto d = derivative([&](double h) {
        moved[k].values[i] = inputs[k].values[i] + h;
        const double value = dot(interpret(p, moved), cotangents);
        largest = std::fmax(largest, std::fabs(value));
        return value;
      });
      if (!std::isfinite(d.value) || (nothing && !std::isfinite(g.values[i]))) continue;
      if (d.uncertainty > 1e-3 * (1 + std::fabs(d.value))) {
        ++rough;
        continue;
      }
      ++smooth;
      const double allowed = 1e-7 * (1e-2 + std::fabs(d.value)) + 1e-11 * largest + d.uncertainty;
      if (!(std::fabs(g.values[i] - d.value) <= allowed))
        return describe(k, i, g.values[i], d.value);
    }
  }
  return smooth == 0 && rough > 2 ? "no place was found at which it is smooth" : "";
}

}  // namespace primal::testing
