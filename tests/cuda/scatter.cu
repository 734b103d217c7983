// What is added at places that an index says, on a GPU: right, and the same bits every time. What is read at places
// that do not exist sets a flag.
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

/// Is the flag set by an index out of range, and by no other?
void check_flag(std::int64_t words, bool wanted, cudaStream_t stream) {
  const auto table = wave<float>(words, 8);
  const auto index = labels(100, 50);
  pm::device_array<float, 2> out({100, 8});
  pm::device_array<bool, 0> flag{{}};
  pm::compile<rows, indices>([](auto t, auto i) { return pm::embedding(i, t); },
                             pm::cuda{.stream = stream, .out_of_range = flag.data()})
      .into(out)(table, index);
  pm::on_cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  bool set = false;
  flag.copy_to(&set);
  if (set != wanted) check("indices below 50 into " + std::to_string(words) + " rows", "the flag");
}

}  // namespace

int main() {
  return pm::test::on_a_device([](cudaStream_t stream) {
    check_embedding(500, 64, stream);
    check_embedding(3, 777, stream);
    std::vector<std::int32_t> places(7 * 40);
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = static_cast<std::int32_t>(i * i % 100);
    check_flag(50, false, stream);
    check_flag(49, true, stream);
    check("gradient of take_along_axis",
          pm::testing::differs_on_device<rows, pm::array<std::int32_t, pm::dyn, pm::dyn>, rows>(
              take_gradient, stream, 1e-5, wave<float>(7, 100),
              pm::device_array<std::int32_t, 2>({7, 40}, places.data()), wave<float>(7, 40)));
    check("a histogram", pm::testing::differs_on_device<indices, indices>(
                             histogram, stream, 0, labels(50, 1), labels(100'000, 50)));
  });
}
