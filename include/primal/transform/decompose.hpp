// decompose: composite operators become the simpler ones that define them.
#pragma once

#include <primal/op/broadcast.hpp>
#include <primal/transform/dead_code.hpp>

namespace primal {

namespace decomposition {

/// A rule must give what the operator promises.
constexpr void check_results(rewriting& pass, const statement& s, int results_given) {
  recorder& r = pass.to;
  if (r.report.failed()) return;
  if (results_given != s.result_count)
    return r.report.fail(join(s.op->name, ": its decomposition gives ", results_given,
                              " results instead of ", s.result_count));
  for (int i = 0; i < s.result_count; ++i) {
    const auto promised = pass.from.type(s.first_result + i);
    const auto given = r.type(pass.mapped(s.first_result + i));
    bool same = promised.dtype == given.dtype && promised.rank() == given.rank();
    for (int axis = 0; same && axis < given.rank(); ++axis)
      same = same_extent(r, promised.dims[axis], given.dims[axis], s.op->name.data());
    if (!same)
      return r.report.fail(join(s.op->name, ": its decomposition gives ", to_text(given, r.extents),
                                " instead of ", to_text(promised, r.extents)));
  }
}

constexpr void require_primitives(const program& p, diagnostics& report) {
  for (const auto& s : p.statements)
    if (s.op->composite) {
      report.at(s.where);
      return report.fail(join("decompose: the composite ", s.op->name,
                              " is left, and the policy requires primitives"));
    }
}

}  // namespace decomposition

/// The program with its composites expanded as `rules` says, without what no output needs. Statements
/// that a rule records stand at the place of the composite. Errors go to `report`.
constexpr program decompose(const program& p, const policy& rules, diagnostics& report) {
  rewriting pass(p);
  const policy own = rules;  // g++ 12 takes the address of a temporary for no constant
  pass.to.expanding = &own;
  const auto live = live_statements(p);
  for (int i = 0; i < p.size(); ++i) {
    const statement& s = p.at(i);
    if (!live[i]) continue;
    if (!s.op->composite || !rules.expands(s.op->name)) {
      pass.copy(s);
      continue;
    }
    int results_given = 0;
    pass.replace(s, [&](saved composite) {
      const auto results = s.op->decompose(composite);
      results_given = results.size();
      return results;
    });
    decomposition::check_results(pass, s, results_given);
    if (pass.to.report.failed()) {
      report = pass.to.report;
      return p;
    }
  }
  program out = without_dead_code(pass.finish());
  if (rules.require_primitive) decomposition::require_primitives(out, report);
  return out;
}

namespace decomposition {

/// Stops a constant evaluation at the first composite, whose operator and line the compiler then names.
constexpr void stop_at_composite(const program& p) {
  for (const auto& s : p.statements)
    if (s.op->composite) s.op->decompose(saved(nullptr, static_cast<int>(s.where.line)));
}

}  // namespace decomposition

/// The same, where an error of a rule or of the policy stops the constant evaluation.
constexpr program decompose(const program& p, const policy& rules = {}) {
  diagnostics report;
  program out = decompose(p, rules, report);
  if (!report.failed()) return out;
  decomposition::stop_at_composite(out);
  core::refuse("primal: decompose: a rule does not give what its operator promises");
}

}  // namespace primal
