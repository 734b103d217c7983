// Without exceptions and run-time types an error is a call of the handler, before anything is written.
#include <primal/primal.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pm = primal;

inline constexpr auto scaled = [](auto x, auto y) { return pm::softmax(x) * y; };

int main() {
  const xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  const auto gradient = pm::grad([](auto a) { return pm::sum(scaled(a, a)); })(x);
  pm::set_error_handler([](const char* message) {
    std::puts(message);
    const char* wanted =
        "multiply: the extents of argument 0 axis 1 = 3 and argument 1 axis 0 = 2 must be equal";
    std::exit(std::strncmp(message, wanted, std::strlen(wanted)) == 0 ? 0 : 1);
  });
  pm::compile(scaled)(x, std::vector<float>{1, 2});
  return gradient.size() == 6 ? 1 : 2;  // neither is right: the handler ends the program
}
