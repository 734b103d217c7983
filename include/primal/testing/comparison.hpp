// Comparing arrays: an empty text if they agree, else what differs.
#pragma once

#include <primal/interpret/dense.hpp>

#include <cmath>
#include <sstream>
#include <string>

namespace primal::testing {

inline bool finite(const std::vector<dense>& all) {
  for (const auto& x : all)
    for (double v : x.values)
      if (!std::isfinite(v)) return false;
  return true;
}

/// Has one of them no elements? The mean of nothing is NaN, and right.
inline bool is_nothing(const std::vector<dense>& all) {
  for (const auto& x : all)
    if (x.size() == 0) return true;
  return false;
}

inline std::string describe(std::size_t array, std::size_t element, double got, double wanted) {
  std::ostringstream out;
  out.precision(12);
  out << "element " << element << " of array " << array << " is " << got << " instead of "
      << wanted;
  return out.str();
}

enum class types_are { equal, free };

/// Differences beyond `tolerance` times the greatest element of an array; NaN agrees with NaN only.
inline std::string differ(const std::vector<dense>& a, const std::vector<dense>& b,
                          double tolerance, types_are types = types_are::equal) {
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
    if (a[k].extents != b[k].extents)
      return "the extents of array " + std::to_string(k) + " differ";
    if (types == types_are::equal && a[k].dtype != b[k].dtype)
      return "the dtypes of array " + std::to_string(k) + " differ";
    double scale = 1e-3;
    for (double v : b[k].values) scale = std::fmax(scale, std::fabs(v));
    for (std::size_t i = 0; i < a[k].values.size(); ++i) {
      const double x = a[k].values[i], y = b[k].values[i];
      const bool same =
          x == y || (std::isnan(x) && std::isnan(y)) || std::fabs(x - y) <= tolerance * scale;
      if (!same) return describe(k, i, x, y);
    }
  }
  return a.size() == b.size() ? "" : "the numbers of arrays differ";
}

}  // namespace primal::testing
