// extent_values: the extents of a program as numbers, computed once per call.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/runtime/array_ref.hpp>

namespace primal {

/// The values of all polynomials of a staged program. Nothing is allocated.
template <class Stage> class extent_values {
  static constexpr core::frozen_sections sections = core::sections_of(Stage::value);
  static constexpr int first_word = sections.extents, last_word = sections.requirements;
  static constexpr int atom_words = 4;

 public:
  static constexpr int count = static_cast<int>(Stage::value.words[sections.polynomials]);

  /// `inputs`: the arrays of the call, in the order of the program's inputs.
  explicit extent_values(const array_ref* inputs) {
    const std::int64_t* w = words.data() + (sections.polynomials - first_word) + 1;
    for (int i = 0; i < count; ++i) {
      std::int64_t total = 0;
      for (auto monomials = *w++; monomials > 0; --monomials) {
        std::int64_t product = *w++;
        for (auto factors = *w++; factors > 0; --factors) product *= atom_value(*w++, inputs);
        total += product;
      }
      values_[static_cast<std::size_t>(i)] = total;
    }
  }

  /// The value of an extent's code.
  std::int64_t operator()(std::int64_t code) const {
    return is_number(code) ? code : values_[static_cast<std::size_t>(first_unknown - code)];
  }
  /// Writes the values of a shape.
  void write(const shape& dims, std::int64_t* out) const {
    for (int i = 0; i < dims.size(); ++i) out[i] = (*this)(dims[i]);
  }

 private:
  // A polynomial refers only to earlier ones, so that their values are there.
  std::int64_t atom_value(std::int64_t atom_index, const array_ref* inputs) const {
    const std::int64_t* w = words.data() + 1 + atom_words * atom_index;
    const auto kind = static_cast<atom::kind_t>(w[0]);
    if (kind == atom::symbol) return inputs[w[1]].extents[w[2]];
    const auto a = (*this)(w[1]), b = (*this)(w[2]);
    if (b == 0) return kind == atom::quotient ? 0 : a;
    const auto quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return kind == atom::quotient ? quotient : a - b * quotient;
  }

  static constexpr std::array<std::int64_t, static_cast<std::size_t>(last_word - first_word)>
  copy_words() {
    std::array<std::int64_t, static_cast<std::size_t>(last_word - first_word)> own{};
    for (int i = first_word; i < last_word; ++i)
      own[static_cast<std::size_t>(i - first_word)] = Stage::value.words[i];
    return own;
  }
  static constexpr std::array<std::int64_t, static_cast<std::size_t>(last_word - first_word)>
      words = copy_words();

  std::array<std::int64_t, static_cast<std::size_t>(count > 0 ? count : 1)> values_{};
};

}  // namespace primal
