// recorder: a program while statements are being added to it.
#pragma once

#include <primal/expr/program.hpp>

namespace primal {

struct tensor;

/// Which composites decompose() expands. Names that no rule knows are ignored.
struct policy {
  using names = list<op_name, 32>;
  names keep{};                    // these stay whole
  names only{};                    // if not empty: nothing else is expanded
  bool require_primitive = false;  // an error names the first composite that is left

  constexpr bool expands(op_name name) const {
    return !keep.contains(name) && (only.empty() || only.contains(name));
  }
};

/// What the handles of a model point to. Lives only while the model is being recorded.
struct recorder : program {
  diagnostics report;
  struct broadcast_result {
    int a = 0, b = 0, result = 0;
  };
  sequence<broadcast_result> broadcasts;  // shapes that met before
  const policy* expanding = nullptr;      // set while composites are expanded as they are recorded

  constexpr recorder() { reserve(2048); }
  constexpr explicit recorder(program p) : program(std::move(p)) {}
};

}  // namespace primal
