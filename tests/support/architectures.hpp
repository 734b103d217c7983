// The register types that one test program can try.
#pragma once

#include <xsimd/xsimd.hpp>

namespace primal::test {

/// Calls check.operator()<A>(name) for every register width that this build may use.
template <class Check> void for_each_architecture(Check check) {
#if defined(__SSE2__)
  check.template operator()<xsimd::sse2>("sse2");
#endif
#if defined(__AVX__)
  check.template operator()<xsimd::avx>("avx");
#endif
#if defined(__AVX2__) && defined(__FMA__)
  check.template operator()<xsimd::fma3<xsimd::avx2>>("avx2");
#endif
  check.template operator()<xsimd::default_arch>("default");
}

}  // namespace primal::test
