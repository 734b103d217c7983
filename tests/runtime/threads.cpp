// Threads: the same bits on any number of them, and calls from many at once. Without OpenMP every call runs on
// one thread, and the first half says little.
#include "support/catch.hpp"

#include <primal/primal.hpp>

#include <cstring>
#include <thread>

namespace pm = primal;

namespace {

template <class T, std::size_t Rank>
xt::xtensor<T, Rank> sample(std::array<std::size_t, Rank> shape, unsigned seed) {
  auto x = xt::xtensor<T, Rank>::from_shape(shape);
  for (auto& e : x.storage()) {
    seed = seed * 1664525u + 1013904223u;
    e = static_cast<T>(static_cast<float>(seed >> 8) / 8388608.f - 1.f);
  }
  return x;
}

template <class T> bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  } else if constexpr (requires { a.storage(); }) {
    return a.shape() == b.shape() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0;
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same_bits(std::get<I>(a), std::get<I>(b)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  }
}

/// Runs on 1 to 5 threads.
template <class F, class... X> void check(F f, const X&... x) {
  const auto one = pm::compile(f)(x...);
  for (int threads : {2, 3, 5}) {
    CAPTURE(threads);
    CHECK(same_bits(pm::compile(f, pm::options{.threads = threads})(x...), one));
  }
}

inline constexpr auto normalised_loss = [](auto x, auto w) {
  return pm::sum(pm::square(pm::layer_norm(x) * w));
};

}  // namespace

TEST_CASE("elementwise work has the same bits on any number of threads") {
  for (std::size_t n : {1u, 5000u, 300'001u}) {
    const auto x = sample<float, 1>({n}, 1), y = sample<float, 1>({n}, 2);
    check([](auto a, auto b) { return std::tuple(pm::exp(a) * b, a - b); }, x, y);
  }
  const auto x = sample<double, 3>({7, 129, 257}, 3);
  check([](auto a) { return pm::sin(pm::transpose(a, {2, 0, 1})); }, x);
}

TEST_CASE("work on rows has the same bits on any number of threads") {
  for (std::size_t rows : {1u, 2u, 3u, 513u}) {
    const auto x = sample<float, 2>({rows, 700}, 4);
    check([](auto a) { return pm::softmax(a); }, x);
    check([](auto a) { return std::tuple(pm::layer_norm.outputs(a)[1], pm::max(a, {.axes = 1})); },
          x);
  }
}

TEST_CASE("sums of columns have the same bits on any number of threads") {
  for (std::size_t rows : {127u, 128u, 1000u, 6001u}) {
    const auto x = sample<float, 2>({rows, 301}, 5);
    check([](auto a) { return std::tuple(pm::sum(a, {.axes = 0}), pm::max(a * a, {.axes = 0})); },
          x);
  }
}

TEST_CASE("sums of everything have the same bits on any number of threads") {
  for (std::size_t n : {4096u, 65'537u, 1'000'003u}) {
    const auto x = sample<float, 1>({n}, 6);
    check([](auto a) { return std::tuple(pm::sum(a), pm::mean(pm::exp(a)), pm::min(a)); }, x);
  }
  check([](auto a) { return pm::sum(pm::square(a)); }, sample<double, 3>({31, 65, 200}, 7));
}

TEST_CASE("a gradient with sums of every kind has the same bits on any number of threads") {
  const auto x = sample<float, 2>({1500, 260}, 8);
  const auto w = sample<float, 1>({260}, 9);
  check(pm::value_and_grad<0, 1>(normalised_loss), x, w);
}

TEST_CASE("products of matrices have the same bits on any number of threads") {
  const auto a = sample<float, 2>({403, 120}, 10), b = sample<float, 2>({120, 250}, 11);
  check([](auto x, auto y) { return pm::matmul(x, y); }, a, b);
  const auto many = sample<double, 3>({9, 60, 64}, 12), more = sample<double, 3>({9, 64, 70}, 13);
  check([](auto x, auto y) { return pm::matmul(x, y); }, many, more);
  const auto whole = sample<pm::float16, 2>({300, 120}, 14),
             half = sample<pm::float16, 2>({120, 100}, 15);
  check([](auto x, auto y) { return pm::matmul(x, y); }, whole, half);
}

TEST_CASE("a matrix times a vector has the same bits on any number of threads") {
  const auto times = [](auto x, auto y) { return pm::matmul(x, y); };
  for (std::size_t inner : {3u, 8u, 301u}) {
    check(times, sample<float, 2>({20'011, inner}, 16), sample<float, 1>({inner}, 17));
    check(times, sample<double, 2>({20'011, inner}, 18), sample<double, 1>({inner}, 19));
    check([](auto x, auto y) { return pm::matmul(pm::transpose(x), y); },
          sample<float, 2>({inner, 20'011}, 20), sample<float, 1>({inner}, 21));
  }
}

TEST_CASE("what is added by index has the same bits on any number of threads") {
  auto index = xt::xtensor<std::int32_t, 1>::from_shape({3000});
  for (std::size_t i = 0; i < 3000; ++i) index(i) = static_cast<std::int32_t>(i * i % 50);
  const auto lookup = [](auto table, auto i) {
    return pm::sum(pm::square(pm::embedding(i, table)));
  };
  check(pm::grad<0>(lookup), sample<float, 2>({50, 64}, 16), index);
}

TEST_CASE("a workspace is large enough for the threads") {
  const auto x = sample<float, 2>({2000, 300}, 17);
  const auto f = pm::compile([](auto a) { return pm::sum(pm::softmax(a), {.axes = 0}); },
                             pm::options{.threads = 3});
  pm::workspace room(f.workspace_bytes(x));
  const auto size = room.size();
  const auto y = f.with(room)(x);
  CHECK(room.size() == size);
  CHECK(same_bits(y, f(x)));
}

TEST_CASE("an index out of range is an error on any number of threads") {
  auto index = xt::xtensor<std::int32_t, 1>::from_shape({200'000});
  for (auto& i : index.storage()) i = 7;
  const auto chosen = [](auto table, auto i) { return pm::take(table, i * 2); };
  CHECK_THROWS_AS(pm::compile(chosen, pm::options{.threads = 3})(sample<float, 1>({9}, 18), index),
                  pm::index_error);
}

TEST_CASE("one compiled model is called from many threads at once") {
  static constexpr auto f = pm::compile(pm::value_and_grad<0, 1>(normalised_loss));
  const auto x = sample<float, 2>({150, 60}, 19);
  const auto w = sample<float, 1>({60}, 20);
  const auto expected = f(x, w);
  std::array<bool, 4> right{};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      right[t] = true;
      for (int i = 0; i < 20; ++i) right[t] = right[t] && same_bits(f(x, w), expected);
    });
  for (auto& t : threads) t.join();
  for (bool r : right) CHECK(r);
}
