// rewriting: a program that is written anew, statement by statement. What every pass starts from.
#pragma once

#include <primal/op/record.hpp>

namespace primal {

/// The program `from` on its way to a new one, and which value of the new one stands for each of its
/// values. Extents and shapes keep their codes and indices, so that attributes can be copied as they are.
struct rewriting {
  static constexpr int dropped = -1;

  const program& from;
  recorder to;
  sequence<int> now;  // per value of `from`: the value of `to`, or `dropped`

  constexpr explicit rewriting(const program& p) : from(p), now(p.values.size(), dropped) {
    to.shapes = p.shapes;
    to.extents = p.extents;
  }

  /// What stands for an operand; an input that was left out stays so.
  constexpr int mapped(int v) const { return v < 0 ? v : now[v]; }
  constexpr void map(int v, int to_value) { now[v] = to_value; }
  constexpr void map_results(const statement& s, const result_ids& values) {
    for (int i = 0; i < s.result_count; ++i) map(s.first_result + i, values[i]);
  }

  /// Copies a statement: operator, attributes, place, annotation; the results keep their types.
  constexpr void copy(const statement& s) {
    append(s);
    for (int i = 0; i < s.result_count; ++i) {
      const int v = s.first_result + i;
      map(v, to.append_result(from.value_at(v).shape, from.dtype_of(v)));
    }
  }

  /// Writes what `rule(saved)` gives instead of a statement: the new values of its results.
  template <class Rule> constexpr void replace(const statement& s, const Rule& rule) {
    const int mark = to.size();
    append(s);
    to.report.where = s.where;
    inside_rule inside(to.report);
    map_results(s, rule(saved(&to, mark)));
    if (s.annotation != 0)
      for (int i = mark; i < to.size(); ++i) to.statements[i].annotation = s.annotation;
  }

  /// Names the inputs and outputs; the new program is then complete. Inputs must have been copied.
  constexpr program& finish() {
    for (int v : from.inputs) to.inputs.push_back(mapped(v));
    for (int v : from.outputs) to.outputs.push_back(mapped(v));
    return to;
  }

 private:
  constexpr void append(const statement& s) {
    to.append(s.op, s.where);
    to.statements.back().annotation = s.annotation;
    for (int v : from.operands_of(s)) to.append_operand(mapped(v));
    for (auto word : from.attributes_of(s)) to.attributes.push_back(word);
    to.close_attributes();
  }
};

}  // namespace primal
