// digits: trains a classifier of handwritten digits
//
// Loss, gradient and optimiser are one model, `step`, and so one program: a few kernels and matrix
// products, compiled into this file. A call of it allocates nothing.

#include "digits.hpp"

#ifdef PRIMAL_EXAMPLE_CUDA
#include "cuda/digits.hpp"
#endif

#if __has_include(<xtensor/io/xnpy.hpp>)
#include <xtensor/io/xnpy.hpp>
#else
#include <xtensor/xnpy.hpp>
#endif

#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>

// ---- files ---------------------------------------------------------------------------------------

/// Reads one of NumPy's files.
template <class T, std::size_t Rank> xt::xtensor<T, Rank> read(const std::string& file) {
  const auto stored = xt::load_npy<T>(file);
  if (stored.dimension() != Rank)
    throw std::runtime_error(file + ": this array has another number of axes");
  std::array<std::size_t, Rank> extents{};
  std::copy(stored.shape().begin(), stored.shape().end(), extents.begin());
  auto values = xt::xtensor<T, Rank>::from_shape(extents);
  std::copy(stored.begin(), stored.end(), values.begin());
  return values;
}

// ---- parameters ----------------------------------------------------------------------------------

/// The same numbers on every machine, unlike those of std::uniform_real_distribution.
float uniform(std::mt19937& random) { return static_cast<float>(random() >> 8) * 0x1p-24f; }

/// Weights as Glorot and Bengio (2010) start them, biases of zero.
linear<f32> initial(std::size_t in, std::size_t out, std::mt19937& random) {
  linear<f32> layer{xt::zeros<float>({in, out}), xt::zeros<float>({out})};
  const float bound = std::sqrt(6.0f / static_cast<float>(in + out));
  for (float& w : layer.w) w = bound * (2 * uniform(random) - 1);
  return layer;
}

parameters initial(std::mt19937& random) {
  auto first = initial(pixels, hidden, random);
  return {first, initial(hidden, classes, random)};
}

parameters zeros_like(parameters p) {
  pm::for_each_leaf(p, [](auto& leaf) { leaf.fill(0); });
  return p;
}

void save(const parameters& p, const std::string& prefix) {
  pm::for_each_named_leaf(p, [&](const auto& leaf, const pm::text& name) {
    xt::dump_npy(prefix + name.str() + ".npy", leaf);
  });
}

void load(parameters& p, const std::string& prefix) {
  pm::for_each_named_leaf(p, [&]<std::size_t Rank>(f32<Rank>& leaf, const pm::text& name) {
    const std::string file = prefix + name.str() + ".npy";
    auto stored = read<float, Rank>(file);
    if (stored.shape() != leaf.shape())
      throw std::runtime_error(file + ": these are not the weights of this model");
    leaf = std::move(stored);
  });
}

// ---- data ----------------------------------------------------------------------------------------

struct dataset {
  xt::xtensor<float, 2> images;
  xt::xtensor<std::int32_t, 1> labels;

  std::size_t size() const { return labels.size(); }
  /// Copies image `i` of `from` to place `to`.
  void put(std::size_t to, const dataset& from, std::size_t i) {
    for (std::size_t k = 0; k < pixels; ++k) images(to, k) = from.images(i, k);
    labels(to) = from.labels(i);
  }
};

dataset empty_dataset(std::size_t n) {
  return {xt::zeros<float>({n, pixels}), xt::zeros<std::int32_t>({n})};
}

dataset read_digits(const std::string& folder) {
  const auto images = read<std::uint8_t, 2>(folder + "/digits_images.npy");
  const auto labels = read<std::uint8_t, 1>(folder + "/digits_labels.npy");
  return {xt::cast<float>(images) / 16.0f, xt::cast<std::int32_t>(labels)};
}

/// Every fifth image is left for the test.
std::pair<dataset, dataset> split(const dataset& all) {
  const std::size_t tested = (all.size() + 4) / 5;
  auto train = empty_dataset(all.size() - tested), test = empty_dataset(tested);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 5 == 0) test.put(i / 5, all, i);
    else train.put(i - i / 5 - 1, all, i);
  }
  return {train, test};
}

/// Fisher and Yates' shuffle.
void shuffle(std::vector<std::size_t>& order, std::mt19937& random) {
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
}

double accuracy(const parameters& p, const dataset& data) {
  const xt::xtensor<std::int64_t, 1> guesses = pm::compile(predict)(p, data.images);
  std::size_t right = 0;
  for (std::size_t i = 0; i < data.size(); ++i) right += guesses(i) == data.labels(i);
  return static_cast<double>(right) / static_cast<double>(data.size());
}

// ---- training ------------------------------------------------------------------------------------

struct settings {
  unsigned seed = 0;
  int epochs = 20;
  std::string save_to, load_from;
  bool help = false, cuda = false;
};

/// One line an epoch; on a terminal a bar that moves.
void show(int epoch, int epochs, double mean_loss, double right) {
  constexpr int width = 30;
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (terminal) {
    const int full = width * epoch / epochs;
    std::printf("\r[%.*s%*s] ", full, "##############################", width - full, "");
  }
  std::printf("epoch %d/%d  loss %.4f  test accuracy %.4f", epoch, epochs, mean_loss, right);
  if (!terminal || epoch == epochs) std::printf("\n");
  std::fflush(stdout);
}

/// Training on the CPU.
class host_training {
 public:
  explicit host_training(parameters& p) : p_(p), m_(zeros_like(p)), v_(m_) {}

  /// One step on a batch; returns its loss.
  float step(const dataset& current) {
    // Results go where the arguments are: a step replaces the parameters in place.
    train_step.with(room_).into(value_, p_, m_, v_)(p_, m_, v_, ++t_, current.images,
                                                    current.labels);
    return value_;
  }
  /// The parameters are where they should be.
  void fetch() {}

 private:
  parameters& p_;
  parameters m_, v_;
  int t_ = 0;
  float value_ = 0;
  pm::workspace room_;
};

#ifdef PRIMAL_EXAMPLE_CUDA
/// Training on a GPU, which holds the parameters until they are fetched.
class cuda_training {
 public:
  explicit cuda_training(parameters& p) : p_(p), device_(leaves()) {}

  float step(const dataset& current) {
    return device_.step(current.images.data(), current.labels.data());
  }
  void fetch() { device_.read(leaves()); }

 private:
  parameters& p_;
  device_training device_;

  std::vector<host_numbers> leaves() {
    std::vector<host_numbers> all;
    pm::for_each_leaf(p_, [&](auto& leaf) { all.push_back({leaf.data(), leaf.size()}); });
    return all;
  }
};
#else
struct cuda_training : host_training {
  explicit cuda_training(parameters& p) : host_training(p) {
    throw std::runtime_error(
        "this program runs on the CPU; examples/run digits --cuda makes the other");
  }
};
#endif

template <class Training>
void train(Training training, parameters& p, const dataset& images, const dataset& test,
           const settings& wanted, std::mt19937& random) {
  auto current = empty_dataset(batch);
  std::vector<std::size_t> order(images.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t batches = images.size() / batch;
  std::chrono::steady_clock::duration spent{};
  int t = 0;
  for (int epoch = 1; epoch <= wanted.epochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    shuffle(order, random);
    double total = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      for (std::size_t i = 0; i < batch; ++i) current.put(i, images, order[b * batch + i]);
      total += static_cast<double>(training.step(current));
      ++t;
    }
    training.fetch();
    spent += std::chrono::steady_clock::now() - start;
    show(epoch, wanted.epochs, total / static_cast<double>(batches), accuracy(p, test));
  }
  const double seconds = std::chrono::duration<double>(spent).count();
  if (t > 0)
    std::printf("%d steps of %zu images in %.2f s: %.0f images/s\n", t, batch, seconds,
                static_cast<double>(t) * static_cast<double>(batch) / seconds);
}

// ---- the program ---------------------------------------------------------------------------------

void describe_step() {
  constexpr auto plan = pm::plan_summary(train_step);
  std::printf(
      "one step: %d statements as recorded, %d primitives, %d kernels and %d matrix products\n",
      plan.recorded, plan.primitives, plan.kernels, plan.matmuls);
}

constexpr const char* help = R"(digits: trains a classifier of handwritten digits

  --epochs N      passes over the training images (20)
  --seed N        of the first weights and of the order of the images (0)
  --save PREFIX   writes the weights to PREFIXfirst.w.npy and so on
  --load PREFIX   starts from weights that were saved; with --epochs 0 it only tests them
  --cuda          trains on the GPU
)";

int number(const std::string& option, const std::string& value) {
  int n = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, n);
  if (error != std::errc{} || rest != end || n < 0)
    throw std::runtime_error(option + ": '" + value + "' is not a number");
  return n;
}

settings read_arguments(int count, char** words) {
  settings wanted;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const auto value = [&]() -> std::string {
      if (i + 1 == count) throw std::runtime_error(word + " needs a value");
      return words[++i];
    };
    if (word == "--epochs") wanted.epochs = number(word, value());
    else if (word == "--seed") wanted.seed = static_cast<unsigned>(number(word, value()));
    else if (word == "--save") wanted.save_to = value();
    else if (word == "--load") wanted.load_from = value();
    else if (word == "--help") wanted.help = true;
    else if (word == "--cuda") wanted.cuda = true;
    else throw std::runtime_error(word + " is not known; --help lists what is");
  }
  return wanted;
}

int main(int count, char** words) try {
  const settings wanted = read_arguments(count, words);
  if (wanted.help) {
    std::fputs(help, stdout);
    return 0;
  }
  std::mt19937 random(wanted.seed);
  const auto [images, test] = split(read_digits(PRIMAL_EXAMPLE_DATA));
  auto p = initial(random);
  if (!wanted.load_from.empty()) load(p, wanted.load_from);

  describe_step();
  if (wanted.cuda) train(cuda_training(p), p, images, test, wanted, random);
  else train(host_training(p), p, images, test, wanted, random);
  if (!wanted.save_to.empty()) save(p, wanted.save_to);
  std::printf("test accuracy %.4f\n", accuracy(p, test));
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "digits: %s\n", e.what());
  return 1;
}
