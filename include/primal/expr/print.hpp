// print: a program as text for people, and as a graph for Graphviz.
#pragma once

#include <primal/expr/frozen.hpp>

#include <algorithm>
#include <iosfwd>

namespace primal {

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const text& t) {
  return out << t.view();
}

namespace listing {

constexpr bool is_input(const program& p, const statement& s) {
  return s.operand_count == 0 && s.result_count == 1 &&
         std::find(p.inputs.begin(), p.inputs.end(), s.first_result) != p.inputs.end();
}

// g++ 12 destroys the result of ?: too early in constant evaluation when it is a text.
constexpr text name_of_value(int v) {
  if (v < 0) return "none";
  return join("%", v);
}

template <class Values, class F> constexpr text separated(const Values& values, const F& name) {
  text t;
  for (const auto& v : values) {
    if (!t.empty()) t += ", ";
    t += name(v);
  }
  return t;
}

constexpr sequence<int> results_of(const statement& s) {
  sequence<int> out;
  for (int i = 0; i < s.result_count; ++i) out.push_back(s.first_result + i);
  return out;
}

constexpr text attributes(const program& p, const statement& s) {
  const auto words = p.attributes_of(s);
  if (words.empty() || is_input(p, s)) return {};
  if (!s.op->has_attributes) return " {...}";
  return join(" {", s.op->print(words, p.extents), "}");
}

constexpr text types(const program& p, const statement& s) {
  return separated(results_of(s), [&](int v) { return to_text(p.type(v), p.extents); });
}

}  // namespace listing

/// One line: "%5 = softmax(%3) {axis=-1} : f32[32,10]   model.cpp:15".
constexpr text to_text(const program& p, const statement& s) {
  text line =
      join(listing::separated(listing::results_of(s), listing::name_of_value), " = ", s.op->name);
  if (listing::is_input(p, s)) {
    line += join(*s.where.file ? " " : "", s.where.file);
  } else {
    line += join("(", listing::separated(p.operands_of(s), listing::name_of_value), ")",
                 listing::attributes(p, s));
  }
  line += join(" : ", listing::types(p, s));
  if (s.where.known()) line += join("   ", to_text(s.where));
  return line;
}

/// The statements of a program, one a line, then what it returns.
constexpr text to_text(const program& p) {
  text t;
  for (const auto& s : p.statements) t += join(to_text(p, s), "\n");
  t += join("return ", listing::separated(p.outputs, listing::name_of_value), "\n");
  return t;
}

/// A graph of the program in Graphviz's language: `dot -Tsvg`.
constexpr text to_dot(const program& p) {
  text t = "digraph program {\n  node [shape=box, fontname=monospace];\n";
  for (int i = 0; i < p.size(); ++i) {
    const auto& s = p.at(i);
    const bool input = listing::is_input(p, s);
    t += join("  s", i, " [label=\"", s.op->name, listing::attributes(p, s), "\\n",
              listing::types(p, s), input ? "\", style=filled];\n" : "\"];\n");
    for (int v : p.operands_of(s))
      if (v >= 0) t += join("  s", p.value_at(v).statement, " -> s", i, ";\n");
  }
  for (int n = 0; n < p.outputs.size(); ++n) {
    t += join("  out", n, " [label=\"result ", n, "\", shape=plaintext];\n");
    t += join("  s", p.value_at(p.outputs[n]).statement, " -> out", n, ";\n");
  }
  t += "}\n";
  return t;
}

template <int Words, int Statements, int Names>
constexpr text to_text(const frozen_program<Words, Statements, Names>& p) {
  return to_text(thaw(p));
}
template <int Words, int Statements, int Names>
constexpr text to_dot(const frozen_program<Words, Statements, Names>& p) {
  return to_dot(thaw(p));
}

}  // namespace primal
