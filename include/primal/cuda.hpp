// Primal on CUDA devices, for .cu files: no xtensor, no xsimd.
#pragma once

#include <primal/op/operators.hpp>

#include <primal/cuda/compile.hpp>
#include <primal/runtime/program_of.hpp>
#include <primal/transform/custom_vjp.hpp>
#include <primal/transform/vjp.hpp>
