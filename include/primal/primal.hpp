// Primal: everything on the host.
#pragma once

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
