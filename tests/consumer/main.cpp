// The smallest program that uses the library: a gradient, computed where the array lies.
#include <primal/primal.hpp>

#include <cstdio>

namespace pm = primal;

inline constexpr auto sum_of_squares = [](auto x) { return pm::sum(x * x); };

int main() {
  const xt::xtensor<double, 1> x{1, 2, 3};
  const xt::xtensor<double, 1> gradient = pm::grad<0>(sum_of_squares)(x);
  std::printf("gradient of x * x at 1, 2, 3: %g, %g, %g\n", gradient(0), gradient(1), gradient(2));
  return gradient(0) == 2 && gradient(1) == 4 && gradient(2) == 6 ? 0 : 1;
}
