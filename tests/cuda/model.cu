// A network with its gradient, and a normalisation, on a GPU: compiled and linked everywhere, run where there is one.
#include <primal/cuda.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace pm = primal;

namespace {

constexpr int rows = 64, inputs = 48, hidden = 100, classes = 10;

constexpr auto loss = [](auto x, auto w, auto b, auto v, auto c, auto target) {
  auto h = pm::gelu(pm::layer_norm(pm::matmul(x, w) + b));
  return pm::cross_entropy(pm::matmul(h, v) + c, target);
};
constexpr auto step = [](auto x, auto w, auto b, auto v, auto c, auto target) {
  return pm::value_and_grad<1, 2, 3, 4>(loss)(x, w, b, v, c, target);
};
constexpr auto normed = [](auto x) { return pm::layer_norm(x); };

/// An array on the device.
template <class T> class device_array {
 public:
  explicit device_array(const std::vector<T>& values) : size_(values.size()) {
    pm::on_cuda::check(cudaMalloc(&data_, size_ * sizeof(T)), "cudaMalloc");
    pm::on_cuda::check(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice),
                       "cudaMemcpy");
  }
  explicit device_array(std::size_t size) : device_array(std::vector<T>(size)) {}
  device_array(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> host(size_);
    pm::on_cuda::check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost),
                       "cudaMemcpy");
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

std::vector<float> sample(int size, unsigned seed) {
  std::vector<float> x(static_cast<std::size_t>(size));
  for (auto& e : x) {
    seed = seed * 1664525u + 1013904223u;
    e = static_cast<float>(seed >> 8) * 0x1p-23f - 1;
  }
  return x;
}

int failures = 0;

void check(const char* what, double got, double expected, double tolerance) {
  if (std::fabs(got - expected) <= tolerance * (1 + std::fabs(expected))) return;
  std::printf("%s: %.9g, and %.9g is right\n", what, got, expected);
  ++failures;
}

/// The gradient of the loss in the direction of itself is the square of its length.
void check_network(cudaStream_t stream) {
  auto w = sample(inputs * hidden, 2);
  const auto b = sample(hidden, 3), v = sample(hidden * classes, 4), c = sample(classes, 5);
  std::vector<int> labels(rows);
  for (int i = 0; i < rows; ++i) labels[static_cast<std::size_t>(i)] = i * 7 % classes;
  const device_array<float> x(sample(rows * inputs, 1)), bias(b), weights2(v), bias2(c);
  const device_array<int> target(labels);
  const device_array<float> value(1), dw(w.size()), db(b.size()), dv(v.size()), dc(c.size());

  const auto run = [&](const std::vector<float>& weights) {
    const device_array<float> first(weights);
    pm::cuda_workspace room(stream);
    pm::compile(step, pm::cuda{.stream = stream})
        .with(room)
        .into(pm::view(value.data()), pm::view(dw.data(), inputs, hidden),
              pm::view(db.data(), hidden), pm::view(dv.data(), hidden, classes),
              pm::view(dc.data(), classes))(
            pm::view(x.data(), rows, inputs), pm::view(first.data(), inputs, hidden),
            pm::view(bias.data(), hidden), pm::view(weights2.data(), hidden, classes),
            pm::view(bias2.data(), classes), pm::view(target.data(), rows));
    pm::on_cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return static_cast<double>(value.values()[0]);
  };
  run(w);
  const auto gradient = dw.values();
  double square = 0;
  for (float g : gradient) square += double{g} * g;
  const double size = 0.01 / std::sqrt(square);
  const auto moved = [&](double by) {
    auto there = w;
    for (std::size_t i = 0; i < there.size(); ++i) there[i] += static_cast<float>(by * gradient[i]);
    return run(there);
  };
  check("gradient of the weights", (moved(size) - moved(-size)) / (2 * size), square, 1e-2);
  run(w);
  double bias_sum = 0;
  for (float g : dc.values()) bias_sum += g;
  check("the gradients of a softmax add up to 0", bias_sum, 0, 1e-5);
}

void check_layer_norm(int count, int length, cudaStream_t stream) {
  const auto x = sample(count * length, 6);
  const device_array<float> in(x), out(x.size());
  pm::compile(normed, pm::cuda{.stream = stream})
      .into(pm::view(out.data(), count, length))(pm::view(in.data(), count, length));
  pm::on_cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const auto y = out.values();
  for (int r = 0; r < count; ++r) {
    double mean = 0, variance = 0;
    const auto* row = x.data() + static_cast<std::size_t>(r) * static_cast<std::size_t>(length);
    for (int i = 0; i < length; ++i) mean += row[i];
    mean /= length;
    for (int i = 0; i < length; ++i) variance += (row[i] - mean) * (row[i] - mean);
    variance /= length;
    for (int i = 0; i < length; ++i)
      check("layer_norm", y[static_cast<std::size_t>(r * length + i)],
            (row[i] - mean) / std::sqrt(variance + 1e-5), 1e-4);
  }
}

}  // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU: nothing was run");
    return 0;
  }
  cudaStream_t stream = nullptr;
  pm::on_cuda::check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check_network(stream);
  for (int length : {1, 3, 31, 64, 768, 1000, 5000}) check_layer_norm(9, length, stream);
  check_layer_norm(0, 768, stream);
  pm::on_cuda::check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  if (failures == 0) std::puts("all right");
  return failures != 0;
}
