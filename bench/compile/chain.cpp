// A chain of statements of the length DEPTH, as a model to compile.
#include "stage.hpp"

constexpr auto chain = [](auto x, auto y) {
  auto z = x;
  for (int i = 0; i < DEPTH; i += 4) z = pm::tanh(z * y + x) - y;
  return z;
};

using array = pm::array<float, pm::dyn>;

#if STAGE == 3
auto run(const xt::xtensor<float, 1>& x, const xt::xtensor<float, 1>& y) {
  return pm::compile<array, array>(chain)(x, y);
}
#endif
int main() { print_size<array, array>(chain); }
