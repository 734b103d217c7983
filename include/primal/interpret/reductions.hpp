// Reductions as plain loops: what is accumulated, and over which elements.
#pragma once

#include <primal/interpret/dense.hpp>

#include <limits>

namespace primal::interpretation {

/// Which axes are reduced.
using axis_mask = std::vector<bool>;

/// Accumulates the elements along some axes, in row-major order; one copy of `start` for each place of
/// the other axes. `extents` are those of the result, with or without the reduced axes.
template <class Accumulator>
dense reduced(const dense& x, const axis_mask& along, const positions& extents, dtype d,
              const Accumulator& start = {}) {
  positions kept, strides(x.extents.size(), 0);
  for (std::size_t i = 0; i < along.size(); ++i)
    if (!along[i]) kept.push_back(x.extents[i]);
  const auto own = strides_of(kept);
  for (std::size_t i = 0, k = 0; i < along.size(); ++i)
    if (!along[i]) strides[i] = own[k++];
  std::vector<Accumulator> all(static_cast<std::size_t>(count_of(kept)), start);
  std::int64_t i = 0;
  for_each_position(x.extents, [&](const positions& at) {
    all[static_cast<std::size_t>(offset_at(at, strides))].add(x[i++]);
  });
  dense out{extents, {}, d};
  for (const auto& a : all) out.values.push_back(a.value());
  return out;
}

/// Neumaier's sum, which keeps what rounding loses: what checks others should be more exact than they.
struct sum_of {
  double sum = 0, lost = 0;
  void add(double x) {
    const double next = sum + x;
    if (std::isfinite(next))
      lost += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  double value() const { return std::isfinite(sum) ? sum + lost : sum; }
};

struct product_of {
  double product = 1;
  void add(double x) { product *= x; }
  double value() const { return product; }
};

/// The greatest element (sign 1) or the least (sign -1); NaN if there is one.
struct extreme_of {
  double sign = 1, best = -std::numeric_limits<double>::infinity();
  void add(double x) {
    if (std::isnan(x) || sign * x > best) best = std::isnan(best) ? best : sign * x;
  }
  double value() const { return sign * best; }
};

/// The number of the first NaN, else of the first of the greatest (sign 1) or least (sign -1).
struct place_of_extreme {
  double sign = 1, best = 0;
  std::int64_t count = 0, place = 0;
  void add(double x) {
    const bool better = count == 0 || (!std::isnan(best) && (std::isnan(x) || sign * x > best));
    if (better) best = sign * x, place = count;
    ++count;
  }
  double value() const { return static_cast<double>(place); }
};

}  // namespace primal::interpretation
