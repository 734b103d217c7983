// Other axes than the last, and arrays that are not read in order: softmax and normalization along
// the middle axis, batch_norm in training, gelu of a transposed and of a sliced input, sums over outer
// axes.
#include "models.hpp"
#include "work.hpp"

namespace {

namespace pm = primal;
namespace models = bench::models;

constexpr auto softmax_middle = [](auto x) { return pm::softmax(x, {.axis = 1}); };
constexpr auto norm_middle = [](auto x) {
  const auto centred = x - pm::mean(x, {.axes = 1, .keepdims = true});
  return centred * pm::rsqrt(pm::var(x, {.axes = 1, .keepdims = true}) + 1e-5);
};
constexpr auto batch_norm = [](auto x, auto scale, auto bias) {
  return pm::batch_norm(x, scale, bias, pm::none, pm::none, {.training = true});
};
constexpr auto gelu_transposed = [](auto x) { return pm::gelu(pm::transpose(x)); };
constexpr auto gelu_every_second = [](auto x) {
  return pm::gelu(x(pm::all, pm::range(pm::none, pm::none, 2)));
};
constexpr auto gelu_columns = [](auto x) { return pm::gelu(x(pm::all, pm::range(100, 1100))); };
constexpr auto sum_outer = [](auto x) { return pm::sum(x, {.axes = 0}); };
constexpr auto sum_middle = [](auto x) { return pm::sum(x, {.axes = 1}); };

template <std::int64_t Middle, std::int64_t Last> void add_middle(std::int64_t n) {
  using cube = pm::array<float, pm::dyn, Middle, Last>;
  const bench::shape whole{n, Middle, Last};
  bench::work<cube(cube)>{"softmax_middle", "", whole, {whole}}.add(softmax_middle);
  bench::work<cube(cube)>{"norm_middle", "", whole, {whole}}.add(norm_middle);
  bench::work<pm::array<float, pm::dyn, Last>(cube)>{"sum_middle", "", {n, Last}, {whole}}
      .add_forward(sum_middle);
}

[[maybe_unused]] const bool registered = [] {
  add_middle<33, 65>(17);
  add_middle<33, 65>(17 * 64);
  add_middle<128, 64>(64);

  using images = pm::array<float, pm::dyn, 64, 28, 28>;
  using channels = pm::array<float, 64>;
  bench::work<images(images, channels, channels)>{
      "batch_norm", "", {256, 64, 28, 28}, {{256, 64, 28, 28}, {64}, {64}}}
      .add(batch_norm);

  using matrix = pm::array<float, pm::dyn, pm::dyn>;
  bench::work<matrix(matrix)>{"gelu_transposed", "", {1024, 4096}, {{4096, 1024}}}.add(
      gelu_transposed);
  bench::work<matrix(matrix)>{"gelu_every_second", "", {4096, 1024}, {{4096, 2048}}}.add(
      gelu_every_second);
  bench::work<matrix(matrix)>{"gelu_columns", "", {4096, 1000}, {{4096, 2048}}}.add(gelu_columns);
  bench::work<pm::array<float, pm::dyn>(matrix)>{"sum_outer", "", {768}, {{8192, 768}}}.add_forward(
      sum_outer);
  return true;
}();

}  // namespace
