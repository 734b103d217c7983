// What counts as a difference between the results of a random program and those of the interpreter.
//
// In double two orders of calculation differ by a few 1e-16 of what they add: far less than the tolerance, 1e-9 of the
// largest element of an output. There are exceptions: what is left of two equal numbers, x > y where both are equal but
// for rounding, a number cast to an integer that it nearly is. An element that differs is such an exception if it
// changes by more than the tolerance when the interpreter errs by 1e-11 in every calculation, in one of a few attempts.
// Copies, comparisons and extremes do not round and do not err: x == max(x) has to hold whatever the errors of x.
#pragma once

#include <primal/interpret/interpret.hpp>

#include <support/random_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

namespace primal::test {

/// The elements of several arrays.
using arrays = std::vector<std::vector<double>>;

inline arrays elements_of(const std::vector<dense>& all) {
  arrays out;
  for (const auto& x : all) out.push_back(x.values);
  return out;
}

/// Of the calculation that is compared: in double, or another.
struct precision {
  double tolerance = 1e-9, noise = 1e-11;
};
constexpr double little = 1e-3;  // inputs are about 1: this is what may be left of them

inline bool errs(const op_info* op) {
  const bool sums = is<sum_op>(op) || is<prod_op>(op) || is<matmul_op>(op);
  return sums || (op->elementwise && !is<where_op>(op));
}

/// What the interpreter gives if it errs.
inline arrays inexact(const program& p, const std::vector<dense>& inputs, double noise,
                      std::uint64_t attempt) {
  random_numbers random(attempt);
  const interpretation::run_time_extents extents{p, inputs};
  std::vector<dense> values(p.values.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    values[static_cast<std::size_t>(p.inputs[i])] = inputs[i];
  for (const auto& s : p.statements) {
    if (is<input_op>(s.op)) continue;
    interpretation::call c{p, s, extents, {}};
    for (int v : p.operands_of(s))
      c.in.push_back(v < 0 ? nullptr : &values[static_cast<std::size_t>(v)]);
    auto results = interpretation::evaluate(c);
    for (int i = 0; i < s.result_count; ++i) {
      auto& result = results[static_cast<std::size_t>(i)];
      result.dtype = p.dtype_of(s.first_result + i);
      for (auto& x : result.values) {
        x = interpretation::as_element(x, result.dtype, false);
        if (is_floating(result.dtype) && errs(s.op))
          x += noise * (2 * random.unit() - 1) * (1 + std::abs(x));
      }
      values[static_cast<std::size_t>(s.first_result + i)] = std::move(result);
    }
  }
  arrays out;
  for (int v : p.outputs) out.push_back(values[static_cast<std::size_t>(v)].values);
  return out;
}

inline bool same(double a, double b, double allowed) {
  return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= allowed;
}

/// A program, and what came of it.
struct outcome {
  std::string wrong;     // nothing: all is well
  std::string text;      // of the program and its plan
  bool excused = false;  // an element differs, and is an exception
  double memory = 1;     // of the workspace, over what must be there at once
};

/// Compares the outputs of a program; `p` is what the interpreter can run of it.
inline void compare(const arrays& given, const arrays& expected, const program& p,
                    const std::vector<dense>& inputs, outcome& out, const precision& of = {}) {
  std::vector<arrays> attempts;
  for (std::size_t output = 0; output < expected.size(); ++output) {
    const auto &a = given[output], &b = expected[output];
    const auto name = "output " + std::to_string(output);
    if (a.size() != b.size()) {
      out.wrong = name + " has another size";
      return;
    }
    double largest = 0;
    for (double x : b)
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    const double allowed = of.tolerance * std::max(largest, little);
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (same(a[i], b[i], allowed)) continue;
      for (auto k = attempts.size(); k < 10; ++k)
        attempts.push_back(inexact(p, inputs, of.noise, k));
      out.excused = std::any_of(attempts.begin(), attempts.end(), [&](const arrays& all) {
        return !same(all[output][i], b[i], allowed);
      });
      if (out.excused) continue;
      std::ostringstream wrong;
      wrong << std::setprecision(12) << "element " << i << " of " << name << " is " << a[i]
            << " instead of " << b[i];
      out.wrong = wrong.str();
      return;
    }
  }
}

}  // namespace primal::test
