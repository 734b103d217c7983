// A program may use names of ours at namespace scope: templates that g++ instantiates behind them give no warnings.
#include <primal/primal.hpp>

inline constexpr auto f = [](auto x) { return primal::sum(primal::softmax(x)); };
inline constexpr int a = 1, b = 2, i = 3, n = 4, p = 5, s = 6, x = 7, loss = 8, model = 9,
                     outputs = 10;

int main() { return static_cast<int>(primal::grad(f)(xt::xtensor<float, 1>{1, 2})(0)); }
