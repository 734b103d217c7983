// Training steps. x_matmul is the time over that of their matrix products alone, which cuBLAS calculates for both.
#include "device.hpp"

#include "../mlp.hpp"
#include "../transformer.hpp"

namespace bench::on_cuda {

namespace {

template <std::size_t Rank> using f32 = pm::device_array<float, Rank>;

f32<1> wave(std::int64_t n, double size, double offset = 0) {
  return filled<float, 1>({n}, size, offset);
}
f32<2> wave(std::int64_t n, std::int64_t m) {
  return filled<float, 2>({n, m}, 1 / std::sqrt(static_cast<double>(n)));
}

// ---- the classifier --------------------------------------------------------------------------------

/// The steps are counted on the device.
constexpr auto counted_step = [](auto p, auto m, auto v, auto t, auto x, auto labels) {
  return std::tuple(mlp::step(p, m, v, t + 1, x, labels), t + 1);
};

struct classifier {
  static constexpr std::int64_t hidden = 128, classes = 10;
  mlp::parameters<f32> p, m, v;
  f32<0> t{{}}, value{{}};
  f32<2> x, h, z, xw, hw, dw2, dh, dw1;  // those of the products are as large as what is multiplied
  pm::device_array<std::int32_t, 1> labels;
  pm::cuda_workspace workspace{stream()};

  classifier(std::int64_t batch, std::int64_t inputs)
      : p{{wave(inputs, hidden), wave(hidden, 0.1)}, {wave(hidden, classes), wave(classes, 0.1)}},
        m(zeros(inputs)),
        v(zeros(inputs)),
        x(wave(batch, inputs)),
        h(wave(batch, hidden)),
        z(wave(batch, classes)),
        xw(h),
        hw(z),
        dw2(p.second.w),
        dh(h),
        dw1(p.first.w),
        labels(filled<std::int32_t, 1>({batch}, 1, 0, classes)) {}

  static mlp::parameters<f32> zeros(std::int64_t inputs) {
    return {{f32<2>({inputs, hidden}), f32<1>({hidden})},
            {f32<2>({hidden, classes}), f32<1>({classes})}};
  }
};

contest adam(std::int64_t batch, std::int64_t inputs) {
  const auto t = std::make_shared<classifier>(batch, inputs);
  auto c = new_contest();
  c.ours = [t, call = pm::compile(counted_step, options())
                          .with(t->workspace)
                          .into(t->value, t->p, t->m, t->v, t->t)] {
    call(t->p, t->m, t->v, t->t, t->x, t->labels);
  };
  c.rivals.push_back({"x_matmul",
                      [t, call = pm::compile(mlp::products, options())
                                     .with(t->workspace)
                                     .into(t->xw, t->hw, t->dw2, t->dh, t->dw1)] {
                        call(t->x, t->p.first.w, t->h, t->p.second.w, t->z, t->h);
                      },
                      false});
  return c;
}

std::string adam_differs() {
  const classifier t(48, 64);
  return pm::testing::differs_on_device<decltype(t.p), decltype(t.m), decltype(t.v), decltype(t.t),
                                        decltype(t.x), decltype(t.labels)>(
      counted_step, stream(), 1e-4, t.p, t.m, t.v, t.t, t.x, t.labels);
}

// ---- the transformer -------------------------------------------------------------------------------

using parameters = std::array<transformer::block<f32>, 1>;
using tokens = pm::array<float, pm::dyn, pm::dyn, 256>;
constexpr auto gradient = pm::value_and_grad<0>(transformer::loss);

transformer::linear<f32> linear(std::int64_t n, std::int64_t m) {
  return {wave(n, m), wave(m, 0.1)};
}
parameters block(std::int64_t width) {
  const transformer::normalization<f32> norm{wave(width, 0.1, 1), wave(width, 0.1)};
  const auto square = linear(width, width);
  return {{{norm,
            {square, square, square, square},
            norm,
            linear(width, 4 * width),
            linear(4 * width, width)}}};
}

struct network {
  static constexpr std::int64_t width = 256;
  parameters p = block(width), gradient = p;
  f32<3> x, target;
  f32<0> value{{}};
  pm::cuda_workspace workspace{stream()};

  network(std::int64_t batch, std::int64_t length)
      : x(filled<float, 3>({batch, length, width})),
        target(filled<float, 3>({batch, length, width}, 0.5)) {}
};

/// A product and its two gradients, run on memory of its own.
template <std::size_t Rank>
runner product_of(const std::array<std::int64_t, Rank>& x,
                  const std::array<std::int64_t, Rank>& w) {
  auto y = x;
  y.back() = w.back();
  struct memory {
    f32<Rank> x, w, dy, y, dx, dw;
    pm::cuda_workspace workspace{stream()};
  };
  const auto m =
      std::make_shared<memory>(memory{filled<float>(x), filled<float>(w), filled<float>(y),
                                      f32<Rank>(y), f32<Rank>(x), f32<Rank>(w)});
  return [m, call = pm::compile(transformer::product, options())
                        .with(m->workspace)
                        .into(m->y, m->dw, m->dx)] { call(m->x, m->w, m->dy); };
}

contest transformer_step(std::int64_t batch, std::int64_t length) {
  constexpr auto width = network::width;
  const auto t = std::make_shared<network>(batch, length);
  auto c = new_contest();
  c.ours = [t, call = pm::compile<parameters, tokens, tokens>(gradient, options())
                          .with(t->workspace)
                          .into(t->value, t->gradient)] { call(t->p, t->x, t->target); };
  c.rivals.push_back(
      {"x_matmul",
       transformer::products_of_block(
           batch, length, width, [](const auto& x, const auto& w) { return product_of(x, w); }),
       false});
  const auto rows = batch * length;
  c.flops = 6. * static_cast<double>(rows * width) * static_cast<double>(12 * width + 2 * length);
  return c;
}

std::string transformer_differs() {
  const network t(2, 12);
  return pm::testing::differs_on_device<parameters, tokens, tokens>(gradient, stream(), 1e-3, t.p,
                                                                    t.x, t.target);
}

[[maybe_unused]] const bool registered =
    add_check("training step of a classifier", adam_differs) &&
    add_check("transformer block and its gradient", transformer_differs) &&
    bench::add("mlp/adam/f32/64x64", "", [] { return adam(64, 64); }) &&
    bench::add("mlp/adam/f32/16384x1024", "", [] { return adam(16384, 1024); }) &&
    bench::add("transformer/value_grad/f32/8x128x256", "",
               [] { return transformer_step(8, 128); }) &&
    bench::add("transformer/value_grad/f32/64x512x256", "",
               [] { return transformer_step(64, 512); });

}  // namespace

}  // namespace bench::on_cuda
