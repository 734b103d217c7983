// library: all of Primal, for the compiler at hand.
#pragma once

#if defined(__CUDACC__)
#include <primal/cuda.hpp>
#else
#include <primal/primal.hpp>
#endif
