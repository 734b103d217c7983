// A network with its gradient, and a normalisation, on a GPU: compiled and linked everywhere, run where there is one.
#include <primal/cuda/testing.hpp>
#include <support/device.hpp>

namespace pm = primal;

namespace {

using pm::test::check, pm::test::wave;
using rows = pm::array<float, pm::dyn, pm::dyn>;
using row = pm::array<float, pm::dyn>;
using labels = pm::array<std::int32_t, pm::dyn>;

constexpr auto loss = [](auto x, auto w, auto b, auto v, auto c, auto target) {
  auto h = pm::gelu(pm::layer_norm(pm::matmul(x, w) + b));
  return pm::cross_entropy(pm::matmul(h, v) + c, target);
};
// Factors are rounded only when asked for, and only those of float32.
using pm::on_cuda::compute_type;
static_assert(!pm::cuda{}.tf32 && compute_type<float>(false) == CUBLAS_COMPUTE_32F);
static_assert(compute_type<float>(true) == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(compute_type<double>(true) == CUBLAS_COMPUTE_64F);
static_assert(compute_type<pm::bfloat16>(true) == CUBLAS_COMPUTE_32F);

constexpr auto layer = [](auto x, auto w, auto b) { return pm::matmul(x, w) + b; };
constexpr auto activated = [](auto x, auto w, auto b) {
  return pm::gelu(layer(x, w, b), {.approximate = pm::approximation::tanh});
};
constexpr auto greatest = [](auto x, auto w) {
  const auto product = x * w, v = product + pm::square(w);
  return std::tuple(pm::cast<float>(v == pm::max(v, {.axes = 1, .keepdims = true})), product);
};
constexpr auto normed = [](auto x) { return pm::layer_norm(x); };

void check_network(cudaStream_t stream) {
  constexpr std::int64_t n = 64, inputs = 48, hidden = 100, classes = 10;
  check("a network and its gradient",
        pm::testing::differs_on_device<rows, rows, row, rows, row, labels>(
            pm::value_and_grad<1, 2, 3, 4>(loss), stream, 1e-4, wave<float>(n, inputs),
            wave<float>(inputs, hidden), wave<float>(hidden), wave<float>(hidden, classes),
            wave<float>(classes), pm::test::labels(n, classes)));
}

/// The product adds the bias by itself, and takes gelu.
void check_layer(std::int64_t n, std::int64_t inputs, std::int64_t outputs, cudaStream_t stream) {
  const auto differs = [&](auto model, double bound) {
    return pm::testing::differs_on_device<rows, rows, row>(
        model, stream, bound, wave<float>(n, inputs), wave<float>(inputs, outputs),
        wave<float>(outputs));
  };
  check("a layer of " + std::to_string(outputs), differs(layer, 1e-5));
  check("a layer with gelu of " + std::to_string(outputs), differs(activated, 1e-4));
}

/// Rows shorter than a warp, as long as a block's lanes, and longer; with packs and without.
void check_layer_norm(std::int64_t count, std::int64_t length, cudaStream_t stream) {
  check("layer_norm of rows of " + std::to_string(length),
        pm::testing::differs_on_device<rows>(normed, stream, 1e-5, wave<float>(count, length)));
}

}  // namespace

int main() {
  return pm::test::on_a_device([](cudaStream_t stream) {
    check_network(stream);
    check("greatest elements",
          pm::testing::differs_on_device<rows, rows>(greatest, stream, 1e-5, wave<float>(50, 300),
                                                     wave<float>(50, 300)));
    check_layer(64, 48, 100, stream);
    check_layer(5, 7, 3, stream);
    check_layer(3, 0, 5, stream);
    for (int length : {1, 3, 31, 64, 768, 1000, 5000}) check_layer_norm(9, length, stream);
    check_layer_norm(0, 768, stream);
    check_layer_norm(2, 40'000, stream);  // several blocks share each
  });
}
