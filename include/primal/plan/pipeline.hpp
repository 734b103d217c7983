// pipeline: from a recorded program to its plan. Each pass is a constant evaluation of its own.
#pragma once

#include <primal/plan/freeze.hpp>
#include <primal/plan/lower.hpp>
#include <primal/plan/prepare.hpp>
#include <primal/transform/decompose.hpp>
#include <primal/transform/simplify.hpp>

namespace primal {

/// All composites expanded; no statements at all if a rule is wrong.
template <class Source> struct decomposed_pass {
  static constexpr program run() {
    diagnostics report;
    program out = decompose(thaw(stage<Source>::value), {}, report);
    if (report.failed()) out = program{};
    return out;
  }
};
template <class Source>
inline constexpr bool rules_fit = stage<decomposed_pass<Source>>::value.used.statements > 0;

/// Rewritten by the algebra, and in the primitives that kernels have.
template <class Source> struct simplified_pass {
  static constexpr program run() {
    return simplify(prepared(thaw(stage<decomposed_pass<Source>>::value)));
  }
};

/// Kernels, products and fills. `HasEpilogues`: of a back end whose products have.
template <class Source, bool HasEpilogues = false> struct plan_pass {
  static constexpr plan make() {
    return make_plan(thaw(stage<simplified_pass<Source>>::value), HasEpilogues);
  }
};

/// The plan of a recorded program.
template <class Source, bool HasEpilogues = false>
using plan_of = plan_stage<plan_pass<Source, HasEpilogues>>;

}  // namespace primal
