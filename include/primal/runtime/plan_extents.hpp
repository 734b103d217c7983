// plan_extents: the extents of a plan as numbers, computed once per call.
#pragma once

#include <primal/plan/freeze.hpp>
#include <primal/runtime/array_ref.hpp>

namespace primal {

/// The values of all polynomials of a frozen plan. Nothing is allocated.
template <class Plan> class plan_extents {
  static constexpr const auto& data = Plan::table.data;
  static constexpr int atoms = static_cast<int>(data[plan_layout::extent_words]);
  static constexpr int polynomials = atoms + 1 + 4 * static_cast<int>(data[atoms]);

 public:
  static constexpr int count = static_cast<int>(data[polynomials]);

  /// Those of a plan without any.
  constexpr plan_extents() = default;
  explicit plan_extents(const array_ref* inputs) {
    const std::int64_t* w = data + polynomials + 1;
    for (int i = 0; i < count; ++i) {
      std::int64_t total = 0;
      for (auto monomials = *w++; monomials > 0; --monomials) {
        std::int64_t product = *w++;
        for (auto factors = *w++; factors > 0; --factors)
          product *= factor(data + atoms + 1 + 4 * *w++, inputs);
        total += product;
      }
      values_[i] = total;
    }
  }
  constexpr std::int64_t operator()(std::int64_t code) const {
    return is_number(code) ? code : values_[extent_space::index(code)];
  }
  const std::int64_t* values() const { return values_; }

 private:
  // A polynomial refers only to earlier ones, so that their values are there.
  std::int64_t factor(const std::int64_t* atom_words, const array_ref* inputs) const {
    if (atom_words[0] == atom::symbol) return inputs[atom_words[1]].extents[atom_words[2]];
    const auto a = (*this)(atom_words[1]), b = (*this)(atom_words[2]);
    if (b == 0) return atom_words[0] == atom::quotient ? 0 : a;
    const auto q = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return atom_words[0] == atom::quotient ? q : a - b * q;
  }
  std::int64_t values_[count > 0 ? count : 1] = {};
};

}  // namespace primal
