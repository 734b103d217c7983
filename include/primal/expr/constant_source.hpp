// constant_source: a number, or an array made from numbers alone.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/expr/op_info.hpp>

#include <bit>

namespace primal {

/// A number, or an array made from numbers alone, before it meets a recorded tensor. Held in one array
/// of words, because handles are copied all the time and an array is copied in one step.
class constant_source {
 public:
  enum kind_t : std::uint8_t { nothing, number, full, arange, eye, extent, expression };

  constexpr constant_source() = default;
  constexpr constant_source(kind_t kind, primal::dtype d, double value, double step = 0)
      : words_{static_cast<std::int64_t>(kind), static_cast<std::int64_t>(d),
               std::bit_cast<std::int64_t>(value), std::bit_cast<std::int64_t>(step)} {}

  constexpr kind_t kind() const { return static_cast<kind_t>(words_[0]); }
  constexpr primal::dtype dtype() const { return static_cast<primal::dtype>(words_[1]); }
  constexpr void set_dtype(primal::dtype d) { words_[1] = static_cast<std::int64_t>(d); }
  constexpr double value() const { return std::bit_cast<double>(words_[2]); }
  constexpr double step() const { return std::bit_cast<double>(words_[3]); }
  /// Was a whole number written whose digits are not all there?
  constexpr bool rounded() const { return words_[3] != 0; }
  constexpr void set_rounded(bool yes) { words_[3] = yes; }
  constexpr int rank() const { return static_cast<int>(words_[4]); }
  constexpr shape dims() const {
    shape s;
    for (int i = 0; i < rank(); ++i) s.push_back(words_[5 + i]);
    return s;
  }
  constexpr void set_dims(const shape& s) {
    words_[4] = s.size();
    for (int i = 0; i < s.size(); ++i) words_[5 + i] = s[i];
  }
  /// The same element everywhere?
  constexpr bool uniform() const { return kind() == number || kind() == full; }
  /// A number or an extent: it takes the dtype of the tensors beside it.
  constexpr bool weak() const { return kind() == number || kind() == extent; }

  /// Of an expression: its statements (see op/constant_expression.hpp).
  struct code {
    static constexpr int room = 96, most_statements = 24;
    std::int64_t words[room] = {};
    const op_info* operators[most_statements] = {};
    const char* file = "";
  };
  code statements;

  /// Do both have the same elements, for all that can be seen?
  constexpr bool same_as(const constant_source& other) const {
    for (int i = 0; i < 5 + max_rank; ++i)
      if (words_[i] != other.words_[i]) return false;
    for (int i = 0; i < code::room; ++i)
      if (statements.words[i] != other.statements.words[i]) return false;
    for (int i = 0; i < statements.words[0]; ++i)
      if (!same_operator(statements.operators[i], other.statements.operators[i])) return false;
    return true;
  }

 private:
  std::int64_t words_[5 + max_rank] = {};
};

}  // namespace primal
