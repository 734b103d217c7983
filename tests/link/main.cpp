// Two units that include every header link into one program, and agree although their vectors
// differ in width.
#include "model.hpp"

#include <cmath>
#include <cstdio>

int main() {
  const auto one = result_of_one();
  const auto two = result_of_two();
  bool same = one.model == two.model && one.value.size() == 37 && two.value.size() == 37;
  for (std::size_t i = 0; same && i < 37; ++i)
    same = std::abs(one.value(i) - two.value(i)) <= 1e-6f * std::abs(one.value(i));
  std::puts(same ? "the units agree" : "the units differ");
  return same ? 0 : 1;
}
