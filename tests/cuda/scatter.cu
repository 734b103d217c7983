// What is added at places that an index says, on a GPU: right, and the same bits every time.
#include <support/device.hpp>

namespace pm = primal;

namespace {

using pm::test::check, pm::test::wave, pm::test::labels;
using rows = pm::array<float, pm::dyn, pm::dyn>;
using indices = pm::array<std::int32_t, pm::dyn>;

constexpr auto embedding_gradient = [](auto table, auto index, auto ct) {
  return std::get<1>(pm::vjp<0>([index](auto t) { return pm::embedding(index, t); })(table, ct));
};
constexpr auto take_gradient = [](auto x, auto index, auto ct) {
  return std::get<1>(pm::vjp<0>([index](auto p) { return pm::take_along_axis(p, index); })(x, ct));
};
constexpr auto histogram = [](auto counts, auto index) {
  return pm::scatter_add(counts, index, pm::ones(index.shape(), {pm::dtype::int32}));
};

void check_embedding(std::int64_t words, std::int64_t width, cudaStream_t stream) {
  constexpr std::int64_t tokens = 3000;
  const auto table = wave<float>(words, width), ct = wave<float>(tokens, width);
  const auto index = labels(tokens, words);
  const auto what = "gradient of an embedding of width " + std::to_string(width);
  check(what, pm::testing::differs_on_device<rows, indices, rows>(embedding_gradient, stream, 1e-5,
                                                                  table, index, ct));
  pm::cuda_workspace room(stream);
  auto first = table, again = table;
  for (auto* out : {&first, &again})
    pm::compile<rows, indices, rows>(embedding_gradient, pm::cuda{.stream = stream})
        .with(room)
        .into (*out)(table, index, ct);
  pm::on_cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  check(what + ", twice",
        pm::testing::differ(pm::testing::dense_leaves(again), pm::testing::dense_leaves(first), 0));
}

}  // namespace

int main() {
  return pm::test::on_a_device([](cudaStream_t stream) {
    check_embedding(500, 64, stream);
    check_embedding(3, 777, stream);
    std::vector<std::int32_t> places(7 * 40);
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = static_cast<std::int32_t>(i * i % 100);
    check("gradient of take_along_axis",
          pm::testing::differs_on_device<rows, pm::array<std::int32_t, pm::dyn, pm::dyn>, rows>(
              take_gradient, stream, 1e-5, wave<float>(7, 100),
              pm::device_array<std::int32_t, 2>({7, 40}, places.data()), wave<float>(7, 40)));
    check("a histogram", pm::testing::differs_on_device<indices, indices>(
                             histogram, stream, 0, labels(50, 1), labels(100'000, 50)));
  });
}
