// transformer: a transformer block and the gradient of its parameters on a GPU, compared with the interpreter

#include "transformer.hpp"

#include <primal/cuda/testing.hpp>

#include <cmath>
#include <cstdio>
#include <exception>

namespace pm = primal;

template <std::size_t Rank> using f32 = pm::device_array<float, Rank>;
using parameters = std::array<transformer::block<f32>, 1>;

constexpr auto gradient = pm::value_and_grad<0>(transformer::loss);
constexpr std::int64_t batch = 2, length = 16, width = 64;

/// Numbers around `centre`.
template <std::size_t Rank>
f32<Rank> wave(const std::array<std::int64_t, Rank>& extents, double size, double centre = 0) {
  f32<Rank> array(extents);
  std::vector<float> values(array.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(centre + size * std::sin(0.37 * static_cast<double>(i)));
  array.copy_from(values.data());
  return array;
}

transformer::linear<f32> linear(std::int64_t in, std::int64_t out) {
  return {wave<2>({in, out}, 1 / std::sqrt(static_cast<double>(in))), wave<1>({out}, 0.1)};
}
transformer::normalization<f32> normalization() {
  return {wave<1>({width}, 0.1, 1), wave<1>({width}, 0.1)};
}
parameters block() {
  const auto square = linear(width, width);
  return {{{normalization(),
            {square, square, square, square},
            normalization(),
            linear(width, 4 * width),
            linear(4 * width, width)}}};
}

/// Both descriptions of the call: the program of the model, and the kernels that it becomes.
constexpr auto program = pm::program_of<parameters, f32<3>, f32<3>>(gradient);
constexpr auto call = pm::compile<parameters, f32<3>, f32<3>>(gradient, pm::cuda{});

int main() try {
  if (!pm::testing::has_device()) {
    std::fputs("transformer: there is no GPU here\n", stderr);
    return 1;
  }
  const parameters p = block();
  const f32<3> x = wave<3>({batch, length, width}, 1),
               target = wave<3>({batch, length, width}, 0.5);

  parameters slopes = p;  // as large as the parameters
  f32<0> loss{{}};
  call.into(loss, slopes)(p, x, target);

  const auto given = pm::testing::dense_leaves(loss, slopes),  // waits for the device
      wanted = pm::interpret(thaw(program), pm::testing::dense_leaves(p, x, target));
  std::printf("loss %.7f, and %.7f by the interpreter\n", given[0][0], wanted[0][0]);
  const auto difference = pm::testing::differ(given, wanted, 1e-4);
  std::printf("%zu gradients: %s\n", given.size() - 1,
              difference.empty() ? "all agree" : difference.c_str());
  return difference.empty() ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "transformer: %s\n", e.what());
  return 1;
}
