// A model of a hundred statements and its gradient, for a compiler without any options.
#include <primal/primal.hpp>

#include <cmath>
#include <cstdio>

namespace pm = primal;

inline constexpr auto deep = [](auto x) {
  for (int i = 0; i < 50; ++i) x = pm::tanh(x) + x;
  return pm::sum(x);
};
using recorded = pm::recorded_model<decltype(deep), pm::array<double, 3>>;
static_assert(pm::stage<recorded>::value.size() > 100);

int main() {
  // With x = 0 every step doubles the slope.
  const xt::xtensor<double, 1> x{0, 0, 0};
  const xt::xtensor<double, 1> gradient = pm::grad<0>(deep)(x);
  std::printf("%g\n", gradient(2));
  return gradient(2) == std::ldexp(1., 50) ? 0 : 1;
}
