// Primal: everything on the host.
#pragma once

#include <primal/core/config.hpp>  // what it refuses comes first

// Where g++ instantiates a template, it says of parameters and locals there that they shadow what the program has
// of their name at namespace scope: a model that is called `f` gave 56 warnings.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

#include <primal/expr/print.hpp>
#include <primal/interpret/arrays.hpp>
#include <primal/op/operators.hpp>
#include <primal/op/questions.hpp>
#include <primal/runtime/compile.hpp>
#include <primal/runtime/cpu_backend.hpp>
#include <primal/runtime/explain.hpp>
#include <primal/runtime/program_of.hpp>
#include <primal/runtime/run_now.hpp>
#include <primal/runtime/view.hpp>
#include <primal/runtime/xtensor.hpp>
#include <primal/transform/custom_vjp.hpp>
#include <primal/transform/vjp.hpp>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
