// stage: how far a model is compiled. -DSTAGE=0 includes the headers, 1 records it, 2 makes the plan of
// a call, 3 everything, with kernels.
#pragma once

#include <primal/primal.hpp>

#include <cstdio>

namespace pm = primal;

/// Prints how many statements the model has when recorded, simplified, and in kernels.
template <class... A, class F> void print_size(F) {
#if STAGE > 0
  using model = primal::recorded_model<F, A...>;
  std::printf("%d", primal::stage<model>::value.used.statements);
#endif
#if STAGE > 1
  using plan = primal::plan_of<model>;
  std::printf(" %d %d", primal::stage<primal::simplified_pass<model>>::value.used.statements,
              plan::value.used_statements);
#endif
}
