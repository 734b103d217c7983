// program: a model as a list of statements in static single assignment form.
#pragma once

#include <primal/expr/statement.hpp>

namespace primal {

/// Statements in an order in which operands come first, and what they refer to.
struct program {
  sequence<statement> statements;
  sequence<value> values;
  sequence<int> operands;  // value indices; -1: an optional input that was left out
  sequence<std::int64_t> attributes;
  sequence<int> inputs, outputs;  // value indices
  sequence<primal::shape> shapes;
  extent_space extents;

  /// Makes room, so that the vectors do not move their elements while they grow: half the time of
  /// recording with g++.
  constexpr void reserve(int n) {
    statements.reserve(n);
    values.reserve(n);
    operands.reserve(2 * n);
    attributes.reserve(2 * n);
  }

  constexpr int size() const { return statements.size(); }
  constexpr const statement& at(int s) const { return statements[s]; }
  constexpr const value& value_at(int v) const { return values[v]; }
  constexpr const primal::shape& shape_of(int v) const { return shapes[values[v].shape]; }
  constexpr primal::dtype dtype_of(int v) const { return values[v].dtype; }
  constexpr tensor_type type(int v) const { return {shape_of(v), dtype_of(v)}; }
  constexpr const statement& maker(int v) const { return statements[values[v].statement]; }

  constexpr sequence_view<int> operands_of(const statement& s) const {
    return {operands.data() + s.first_operand, s.operand_count};
  }
  constexpr int operand(const statement& s, int i) const { return operands[s.first_operand + i]; }
  constexpr sequence_view<std::int64_t> attributes_of(const statement& s) const {
    return {attributes.data() + s.first_attribute, s.attribute_count};
  }

  /// Appends a statement without operands, attributes and results; add those next.
  constexpr int append(const op_info* op, const place& where) {
    statement s;
    s.op = op;
    s.where = where;
    s.first_operand = operands.size();
    s.first_attribute = attributes.size();
    s.first_result = values.size();
    statements.push_back(s);
    return statements.size() - 1;
  }
  constexpr void append_operand(int v) {
    operands.push_back(v);
    ++statements.back().operand_count;
  }
  /// Counts the words that were appended to `attributes` since the statement was.
  constexpr void close_attributes() {
    auto& s = statements.back();
    s.attribute_count = attributes.size() - s.first_attribute;
  }
  /// The index of a shape.
  constexpr int intern(const primal::shape& s) {
    while (shape_chains.size() < shapes.size())  // a frozen program brings its own
      shape_chains.add(hash_of(shapes[shape_chains.size()]));
    for (int i = shape_chains.last(hash_of(s)); i >= 0; i = shape_chains.before(i))
      if (shapes[i] == s) return i;
    shapes.push_back(s);
    return shapes.size() - 1;
  }
  /// Appends a result to the last statement; returns its value index.
  constexpr int append_result(int shape_index, primal::dtype d) {
    auto& s = statements.back();
    values.push_back({shape_index, d, size() - 1, s.result_count++});
    return values.size() - 1;
  }
  constexpr int append_result(const tensor_type& type) {
    return append_result(intern(type.dims), type.dtype);
  }
  /// Forgets every statement from `s` on, with its values. Extents stay.
  constexpr void truncate(int s) {
    const statement first = at(s);
    values.resize(first.first_result);
    operands.resize(first.first_operand);
    attributes.resize(first.first_attribute);
    statements.resize(s);
  }

 private:
  hash_chains shape_chains;
  static constexpr std::uint64_t hash_of(const primal::shape& s) {
    std::uint64_t hash = static_cast<std::uint64_t>(s.size());
    for (auto e : s) hash = hashed_with(hash, static_cast<std::uint64_t>(e));
    return hash;
  }
};

}  // namespace primal
