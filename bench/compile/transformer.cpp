// Two transformer blocks with the gradient of all their parameters, as a model to compile.
#include "../transformer.hpp"
#include "stage.hpp"

constexpr auto gradient = pm::value_and_grad<0>(transformer::loss);
using tokens = pm::array<float, pm::dyn, pm::dyn, 256>;
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;

using parameters = std::array<transformer::block<f32>, 2>;

#if STAGE == 3
auto run(const parameters& p, const f32<3>& x, const f32<3>& target) {
  return pm::compile<parameters, tokens, tokens>(gradient)(p, x, target);
}
#endif
int main() { print_size<parameters, tokens, tokens>(gradient); }
