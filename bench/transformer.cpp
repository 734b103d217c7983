// Training a transformer block, batch 8, 128 tokens, width 256, 4 heads: value and gradient of all
// parameters. x_matmul is the time over that of its matrix products alone, by the same library: those of
// four layers 256 x 256, of two with 1024, and of the attention, each with both its gradients.
#include "transformer.hpp"

#include "work.hpp"

namespace {

namespace pm = primal;

constexpr std::size_t batch = 8, tokens = 128, width = 256, wide = 4 * width;
constexpr std::size_t all_heads = batch * transformer::heads, head = width / transformer::heads;

template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;
using parameters = std::array<transformer::block<f32>, 1>;

template <class Array> void fill(Array& a, float scale, float offset = 0) {
  for (std::size_t i = 0; i < a.size(); ++i)
    a.data()[i] = offset + scale * std::sin(0.37f * static_cast<float>(i % 100'003));
}
template <std::size_t Rank>
f32<Rank> filled(const std::array<std::size_t, Rank>& extents, float scale, float offset = 0) {
  f32<Rank> a(extents);
  fill(a, scale, offset);
  return a;
}

transformer::linear<f32> linear(std::size_t n, std::size_t m) {
  return {filled<2>({n, m}, 1 / std::sqrt(static_cast<float>(n))), filled<1>({m}, 0.1f)};
}
transformer::normalization<f32> normalization() {
  return {filled<1>({width}, 0.1f, 1), filled<1>({width}, 0.1f)};
}
parameters block() {
  return {
      {{normalization(),
        {linear(width, width), linear(width, width), linear(width, width), linear(width, width)},
        normalization(),
        linear(width, wide),
        linear(wide, width)}}};
}

/// A product and its two gradients, run on memory of its own.
template <std::size_t Rank>
bench::runner product_of(const std::array<std::size_t, Rank>& x,
                         const std::array<std::size_t, Rank>& w) {
  auto y = x;
  y.back() = w.back();
  struct memory {
    f32<Rank> x, w, dy, y, dx, dw;
    pm::workspace workspace;
  };
  const auto m = std::make_shared<memory>(memory{
      filled(x, 1), filled(w, 1), filled(y, 1), filled(y, 0), filled(x, 0), filled(w, 0), {}});
  return [m, call = pm::compile(transformer::product, bench::options())
                        .into(m->y, m->dw, m->dx)
                        .with(m->workspace)] { call(m->x, m->w, m->dy); };
}

bench::contest value_grad() {
  struct memory {
    parameters p = block(), gradient = block();
    f32<3> x = filled<3>({batch, tokens, width}, 1),
           target = filled<3>({batch, tokens, width}, 0.5f);
    float value = 0;
    pm::workspace workspace;
  };
  const auto m = std::make_shared<memory>();
  using input = pm::array<float, batch, tokens, width>;
  bench::contest c;
  c.ours = [m, call = pm::compile<parameters, input, input>(
                          pm::value_and_grad<0>(transformer::loss), bench::options())
                          .into(m->value, m->gradient)
                          .with(m->workspace)] { call(m->p, m->x, m->target); };
  c.rivals.push_back(
      {"x_matmul",
       transformer::products_of_block(
           batch, tokens, width, [](const auto& x, const auto& w) { return product_of(x, w); }),
       false});
  constexpr double layers = 2. * batch * tokens * (4 * width * width + 2 * width * wide),
                   attention = 2. * 2 * all_heads * tokens * tokens * head;
  c.flops = 3 * (layers + attention);
  return c;
}

[[maybe_unused]] const bool registered =
    bench::add("transformer/value_grad/f32/8x128x256", "", value_grad);

}  // namespace
