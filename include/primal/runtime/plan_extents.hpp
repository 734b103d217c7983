// plan_extents: the extents of a plan as numbers, computed once per call.
#pragma once

#include <primal/plan/freeze.hpp>
#include <primal/runtime/extent_values.hpp>

namespace primal {

/// The values of all polynomials of a frozen plan. Nothing is allocated.
template <class Plan> class plan_extents {
  static constexpr const auto& data = Plan::table.data;
  static constexpr extent_table words{data + data[plan_layout::extent_words]};

 public:
  static constexpr int count = words.count();

  /// Those of a plan without any.
  constexpr plan_extents() = default;
  explicit plan_extents(const array_ref* inputs) {
    std::int64_t atoms[words.atoms() + 1];
    words.evaluate(inputs, values_, atoms);
  }

  constexpr std::int64_t operator()(std::int64_t code) const { return extent_value(code, values_); }
  const std::int64_t* values() const { return values_; }

 private:
  std::int64_t values_[count > 0 ? count : 1] = {};
};

}  // namespace primal
