// Memory of a call: where the buffers of the workspace lie, and how much they take.
#include "support/catch.hpp"
#include "support/random_numbers.hpp"

#include <primal/primal.hpp>
#include <primal/runtime/packing.hpp>

#include <algorithm>
#include <vector>

namespace pm = primal;
using namespace pm;

namespace {

struct stay {
  std::size_t bytes;
  int first, last;
  bool meets(const stay& other) const { return first <= other.last && other.first <= last; }
};

std::size_t most_alive(const std::vector<stay>& all) {
  std::size_t most = 0;
  for (const auto& now : all) {  // most are there where one begins
    std::size_t alive = 0;
    for (const auto& other : all)
      if (other.first <= now.first && now.first <= other.last) alive += other.bytes;
    most = std::max(most, alive);
  }
  return most;
}

/// Packs them, and fails if two that meet share memory; returns the size.
std::size_t packed(const std::vector<stay>& all) {
  packing<64> room;
  for (std::size_t i = 0; i < all.size(); ++i)
    room.set(static_cast<int>(i), all[i].bytes, all[i].first, all[i].last);
  std::vector<std::size_t> begin(all.size(), ~std::size_t{});
  const auto size = room.place(begin.data(), static_cast<int>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(begin[i] + all[i].bytes <= size);
    for (std::size_t k = 0; k < i; ++k)
      if (all[i].meets(all[k]) && all[i].bytes > 0 && all[k].bytes > 0)
        CHECK((begin[i] + all[i].bytes <= begin[k] || begin[k] + all[k].bytes <= begin[i]));
  }
  return size;
}

/// The workspace of a model whose extents are known, over what must be there at once.
template <class... A, class F> double waste(F) {
  constexpr auto& frozen = stage<simplified_pass<recorded_model<F, A...>>>::value;
  const plan p = make_plan(thaw(frozen));
  std::vector<stay> all(static_cast<std::size_t>(p.temporaries));
  for (const auto& b : p.buffers)
    if (b.where == storage::workspace && b.port >= 0) {
      auto& own = all[static_cast<std::size_t>(b.port)];
      own.first = own.bytes > 0 ? std::min(own.first, b.first_step) : b.first_step;
      own.last = std::max(own.last, b.last_step);
      own.bytes = static_cast<std::size_t>(b.size * size_of(b.type));
    }
  REQUIRE(all.size() > 2);
  return static_cast<double>(packed(all)) / static_cast<double>(most_alive(all));
}

constexpr auto attention = [](auto x, auto q, auto k, auto v) {
  const auto weights = pm::softmax(pm::matmul(pm::matmul(x, q), pm::transpose(pm::matmul(x, k))));
  return x + pm::matmul(weights, pm::matmul(x, v));
};
constexpr auto block = [](auto x, auto q, auto k, auto v, auto up, auto down) {
  const auto h = attention(pm::layer_norm(x), q, k, v);
  return pm::mean(pm::square(h + pm::matmul(pm::gelu(pm::matmul(pm::layer_norm(h), up)), down)));
};
constexpr auto perceptron = [](auto x, auto a, auto b, auto c) {
  const auto h = pm::relu(pm::matmul(pm::tanh(pm::matmul(x, a)), b));
  return pm::sum(pm::log_softmax(pm::matmul(h, c)));
};
constexpr auto towers = [](auto x, auto a, auto b) {  // many values of many sizes
  auto sum = pm::sum(x);
  for (int i = 0; i < 4; ++i) {
    x = pm::softmax(pm::matmul(x, a), {.axis = 0});
    const auto side = pm::matmul(x, b);
    sum = sum + pm::mean(side * pm::max(side));
  }
  return sum;
};

}  // namespace

TEST_CASE("buffers that are in use at different times share memory") {
  CHECK(packed({}) == 0);
  CHECK(packed({{6400, 0, 3}}) == 6400);
  CHECK(packed({{6400, 0, 1}, {6400, 2, 3}}) == 6400);
  CHECK(packed({{6400, 0, 1}, {6400, 1, 2}}) == 12800);
  CHECK(packed({{6400, 0, 1}, {12800, 2, 3}, {6400, 2, 3}, {19200, 4, 4}}) == 19200);
  CHECK(packed({{0, 0, 5}, {6400, 0, 5}}) == 6400);
  CHECK(packed({{64, 0, 1}, {64, 2, 3}}) == 128);  // both fit on a page
}

TEST_CASE("packed buffers never overlap while both are in use") {
  std::size_t most = 0, all_sizes = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    test::random_numbers random(seed);
    std::vector<stay> all(1 + seed % 60);
    for (auto& s : all) {
      s.bytes = 64 * static_cast<std::size_t>(random.below(41));
      s.first = static_cast<int>(random.below(31));
      s.last = s.first + static_cast<int>(random.below(13));
    }
    const auto size = packed(all);
    CHECK(size >= most_alive(all));
    most += most_alive(all);
    all_sizes += size;
  }
  CHECK(static_cast<double>(all_sizes) <= 1.1 * static_cast<double>(most));
}

TEST_CASE("models take at most a tenth more than what must be there at once") {
  CHECK(waste<pm::array<float, 64, 128>, pm::array<float, 128, 128>, pm::array<float, 128, 128>,
              pm::array<float, 128, 128>, pm::array<float, 128, 512>, pm::array<float, 512, 128>>(
            block) <= 1.1);
  CHECK(waste<pm::array<float, 64, 128>, pm::array<float, 128, 128>, pm::array<float, 128, 128>,
              pm::array<float, 128, 128>, pm::array<float, 128, 512>, pm::array<float, 512, 128>>(
            pm::value_and_grad<0, 1, 2, 3, 4, 5>(block)) <= 1.1);
  CHECK(waste<pm::array<float, 64, 100>, pm::array<float, 100, 300>, pm::array<float, 300, 200>,
              pm::array<float, 200, 10>>(pm::value_and_grad<1, 2, 3>(perceptron)) <= 1.1);
  CHECK(waste<pm::array<float, 30, 30>, pm::array<float, 30, 30>, pm::array<float, 30, 70>>(
            pm::value_and_grad<0, 1, 2>(towers)) <= 1.1);
}

TEST_CASE("a workspace begins where no array begins within a page, and keeps what it has") {
  workspace room;
  CHECK(room.size() == 0);
  CHECK(room.reserve(0) == nullptr);
  for (std::size_t bytes : {64u, 1000u, 5'000'000u}) {
    std::byte* const begin = room.reserve(bytes);
    CHECK(room.size() == bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(begin) % 4096 == 512);
    std::fill_n(begin, bytes, std::byte{1});  // (watched by the address sanitizer)
    CHECK(room.reserve(bytes / 2) == begin);
    CHECK(room.size() == bytes);
  }
}
