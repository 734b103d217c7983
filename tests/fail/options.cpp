// Options of the compiler under which nothing would be right.
#include <primal/primal.hpp>

int main() {
#if CASE == 1
  // options(1): -ffast-math
  // lines(1): 12/14
  // expect(1): -ffast-math and its parts break NaN handling
#elif CASE == 2
  // options(2): -ffinite-math-only
  // lines(2): 12/14
  // expect(2): -ffast-math and its parts break NaN handling
#elif CASE == 3
  // options(3): -std=c++17
  // lines(3): 12/14
  // expect(3): needs C\+\+20
#elif CASE == 4
  // options(4): -D_GLIBCXX_DEBUG
  // when(4): _GLIBCXX_RELEASE < 13
  // lines(4): 12/14
  // expect(4): std::vector is not constexpr
#elif CASE == 5
  // options(5): -D__NVCC__
  // expect(5): nvcc does not compile models for the CPU
  primal::exp(xt::xtensor<float, 1>{1.0F});
#endif
}
