// extent_values: the extents of a program as numbers, computed once per call.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/runtime/array_ref.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace primal {

/// The value of an extent's code, where those of the polynomials are known.
constexpr std::int64_t extent_value(std::int64_t code, const std::int64_t* values) {
  return is_number(code) ? code : values[extent_space::index(code)];
}

/// The polynomials in words that write_extents() left.
class extent_table {
 public:
  constexpr explicit extent_table(const std::int64_t* words)
      : atoms_(words + 1), polynomials_(atoms_ + atom_length * words[0]) {}

  constexpr int atoms() const { return static_cast<int>(atoms_[-1]); }
  constexpr int count() const { return static_cast<int>(*polynomials_); }
  /// Writes their values. `inputs`: the arrays of the call, in the order of the program's inputs. `known`: room for the
  /// values of the atoms, each of which is found once: divisions are slow.
  void evaluate(const array_ref* inputs, std::int64_t* values, std::int64_t* known) const {
    std::fill_n(known, atoms(), unknown);
    const std::int64_t* w = polynomials_ + 1;
    for (int i = 0; i < count(); ++i) {
      std::int64_t total = 0;
      for (auto monomials = *w++; monomials > 0; --monomials) {
        std::int64_t product = *w++;
        for (auto factors = *w++; factors > 0; --factors) {
          auto& factor = known[*w];
          if (factor == unknown) factor = value_of(atoms_ + atom_length * *w, inputs, values);
          product *= factor;
          ++w;
        }
        total += product;
      }
      values[i] = total;
    }
  }

 private:
  static constexpr int atom_length = 4;
  static constexpr auto unknown = std::numeric_limits<std::int64_t>::min();
  const std::int64_t *atoms_, *polynomials_;

  // A polynomial refers only to earlier ones, so that their values are there.
  static std::int64_t value_of(const std::int64_t* atom_words, const array_ref* inputs,
                               const std::int64_t* values) {
    if (atom_words[0] == atom::symbol) return inputs[atom_words[1]].extents[atom_words[2]];
    const auto a = extent_value(atom_words[1], values), b = extent_value(atom_words[2], values);
    if (b == 0) return atom_words[0] == atom::quotient ? 0 : a;
    const auto quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return atom_words[0] == atom::quotient ? quotient : a - b * quotient;
  }
};

/// The values of all polynomials of a staged program. Nothing is allocated.
template <class Stage> class extent_values {
  static constexpr core::frozen_sections sections = core::sections_of(Stage::value);
  static constexpr auto word_count =
      static_cast<std::size_t>(sections.requirements - sections.extents);

 public:
  static constexpr int count = static_cast<int>(Stage::value.words[sections.polynomials]);

  /// `inputs`: the arrays of the call, in the order of the program's inputs.
  explicit extent_values(const array_ref* inputs) {
    constexpr extent_table table(words.data());
    std::int64_t atoms[table.atoms() + 1];
    table.evaluate(inputs, values_, atoms);
  }

  /// The value of an extent's code.
  std::int64_t operator()(std::int64_t code) const { return extent_value(code, values_); }
  /// Writes the values of a shape.
  void write(const shape& dims, std::int64_t* out) const {
    for (int i = 0; i < dims.size(); ++i) out[i] = (*this)(dims[i]);
  }

 private:
  static constexpr std::array<std::int64_t, word_count> copy_words() {
    std::array<std::int64_t, word_count> own{};
    for (std::size_t i = 0; i < word_count; ++i)
      own[i] = Stage::value.words[static_cast<std::size_t>(sections.extents) + i];
    return own;
  }
  static constexpr std::array<std::int64_t, word_count> words = copy_words();

  std::int64_t values_[count > 0 ? count : 1] = {};
};

}  // namespace primal
