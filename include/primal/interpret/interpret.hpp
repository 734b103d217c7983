// interpret: evaluates any program in double, slowly and plainly. For tests and for debugging.
#pragma once

#include <primal/interpret/primitives.hpp>
#include <primal/transform/decompose.hpp>

namespace primal {

/// How a program is interpreted.
struct interpretation_options {
  bool round = false;  // round every floating-point result to its dtype, not only integers and bool
};

namespace interpretation {

/// Do the arrays fit what the program declares?
inline void check_inputs(const program& p, const std::vector<dense>& inputs) {
  if (static_cast<int>(inputs.size()) != p.inputs.size())
    raise<shape_error>("interpret: the program takes " + std::to_string(p.inputs.size()) +
                       " arrays, not " + std::to_string(inputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto declared = p.type(p.inputs[static_cast<int>(i)]);
    const auto& extents = inputs[i].extents;
    bool fits = static_cast<std::size_t>(declared.rank()) == extents.size() &&
                count_of(extents) == inputs[i].size();
    for (int axis = 0; fits && axis < declared.rank(); ++axis) {
      const auto code = declared.dims[axis];
      fits = !is_number(code) || code == extents[static_cast<std::size_t>(axis)];
    }
    if (fits) continue;
    text given;
    for (auto e : extents) given += join(given.empty() ? "" : ",", e);
    raise<shape_error>(join("interpret: input ", static_cast<std::int64_t>(i), " is declared ",
                            to_text(declared, p.extents), " and has the extents [", given, "]")
                           .str());
  }
}

/// Do the extents fit each other?
inline void check_requirements(const program& p, const run_time_extents& extents) {
  for (const auto& r : p.extents.requirements) {
    const auto a = extents(r.a), b = extents(r.b);
    if (a == b) continue;
    raise<shape_error>(
        to_text(r, p.extents.left_of(r).view(), a, p.extents.right_of(r).view(), b).str());
  }
}

inline bool is_primitive(const program& p) {
  for (const auto& s : p.statements)
    if (s.op->composite) return false;
  return true;
}

}  // namespace interpretation

/// The outputs of `p` for these inputs. Composites are decomposed first.
inline std::vector<dense> interpret(const program& p, const std::vector<dense>& inputs,
                                    interpretation_options options = {}) {
  using namespace interpretation;
  if (!is_primitive(p)) return interpret(decompose(p), inputs, options);
  check_inputs(p, inputs);
  const run_time_extents extents{p, inputs};
  check_requirements(p, extents);

  std::vector<dense> values(static_cast<std::size_t>(p.values.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    values[static_cast<std::size_t>(p.inputs[static_cast<int>(i)])] = inputs[i];
  for (const auto& s : p.statements) {
    if (is<input_op>(s.op)) continue;
    call c{p, s, extents, {}};
    for (int v : p.operands_of(s))
      c.in.push_back(v < 0 ? nullptr : &values[static_cast<std::size_t>(v)]);
    auto results = evaluate(c);
    for (int i = 0; i < s.result_count; ++i) {
      auto& result = results[static_cast<std::size_t>(i)];
      result.dtype = p.dtype_of(s.first_result + i);
      for (auto& x : result.values) x = as_element(x, result.dtype, options.round);
      values[static_cast<std::size_t>(s.first_result + i)] = std::move(result);
    }
  }
  std::vector<dense> outputs;
  for (int v : p.outputs) outputs.push_back(values[static_cast<std::size_t>(v)]);
  return outputs;
}

}  // namespace primal
