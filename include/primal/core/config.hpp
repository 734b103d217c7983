// Configuration: the few macros that the library needs, and what it refuses.
#pragma once

#include <version>

#if __cplusplus < 202002L
#define PRIMAL_REFUSES
#error "primal: needs C++20; compile with -std=c++20"
#elif defined(_GLIBCXX_DEBUG) && _GLIBCXX_RELEASE < 13
#define PRIMAL_REFUSES
#error "primal: std::vector is not constexpr under -D_GLIBCXX_DEBUG; -D_GLIBCXX_ASSERTIONS works"
// clang does not tell of -fassociative-math alone.
#elif defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0)
#define PRIMAL_REFUSES
#error "primal: -ffast-math and its parts break NaN handling and the vector functions"
#endif
#if defined(PRIMAL_REFUSES)
#include <primal/see_the_error_above>  // ends it: compilers go on after #error, for up to 7,780 lines
#endif

/// Where the host keeps floating-point numbers, as a constraint of an assembler statement.
#if defined(__AVX512F__)
#define PRIMAL_FLOAT_REGISTER "+v"
#elif defined(__SSE2__)
#define PRIMAL_FLOAT_REGISTER "+x"
#elif defined(__aarch64__)
#define PRIMAL_FLOAT_REGISTER "+w"
#else
#define PRIMAL_FLOAT_REGISTER "+m"
#endif

/// Marks a function that runs on the host and, under a CUDA compiler, on the device.
#if defined(__CUDACC__)
#define PRIMAL_HD __host__ __device__
#else
#define PRIMAL_HD
#endif

/// A function of a kernel's inner loop. It must be inlined: vector stores may alias anything, so an
/// outlined call reloads every pointer and scalar (2.3 times slower).
#if defined(__CUDACC__)
#define PRIMAL_INLINE PRIMAL_HD __forceinline__
#else
#define PRIMAL_INLINE inline __attribute__((always_inline))
#endif

/// The same for what only the host runs.
#define PRIMAL_HOST_INLINE inline __attribute__((always_inline))
/// The same for a lambda, after its parameter list.
#define PRIMAL_LAMBDA_INLINE __attribute__((always_inline))
