// Kernels over rows of 768 floats beside what a person would write: forward, and value and gradients
// in one kernel. 64 rows lie in the second-level cache, 8192 in memory. Names end in `fixed` where
// the length of a row is known at compile time, in `free` where every extent is known at the call.
//
// x_copy is the time over that of copying as many bytes as must be read and written at least,
// x_hand over that of the loops in hand/, which write the same arrays. All are least times of runs
// that take turns.
#include <primal/primal.hpp>

#include "hand/cross_entropy.hpp"
#include "hand/gelu.hpp"
#include "hand/layer_norm.hpp"
#include "hand/norm_gelu.hpp"
#include "hand/softmax.hpp"
#include "peers.hpp"
#include "race.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace pm = primal;

constexpr std::int64_t row_length = 768;
constexpr double race_seconds = 1;

constexpr auto layer_norm = [](auto x, auto scale, auto bias) {
  return pm::layer_norm(x, scale, bias);
};
constexpr auto softmax = [](auto x) { return pm::softmax(x); };
constexpr auto gelu = [](auto x) { return pm::gelu(x); };
constexpr auto cross_entropy = [](auto x, auto labels) { return pm::cross_entropy(x, labels); };
constexpr auto norm_gelu = [](auto x, auto bias) { return pm::layer_norm(pm::gelu(x + bias)); };

/// Declarations of the arrays, with rows of a known length or not.
struct fixed {
  using rows = pm::array<float, pm::dyn, row_length>;
  using row = pm::array<float, row_length>;
};
struct free {
  using rows = pm::array<float, pm::dyn, pm::dyn>;
  using row = pm::array<float, pm::dyn>;
};
using label_row = pm::array<std::int32_t, pm::dyn>;

using matrix = decltype(pm::view(static_cast<float*>(nullptr), row_length, row_length));
using vector = decltype(pm::view(static_cast<float*>(nullptr), row_length));

/// The arrays of one number of rows. They begin at different places of a page: at equal ones, loads
/// would wait for stores of other arrays that look the same.
class memory {
 public:
  explicit memory(std::int64_t row_count)
      : rows(row_count), labels(static_cast<std::size_t>(rows)) {
    for (matrix* a : {&x, &dy, &y, &dx}) *a = pm::view(take(rows * row_length), rows, row_length);
    for (vector* a : {&scale, &bias, &dscale, &dbias}) *a = pm::view(take(row_length), row_length);
    buffer = take(row_length);
    for (std::int64_t i = 0; i < rows * row_length; ++i) {
      x.data[i] = 2 * std::sin(0.37f * static_cast<float>(i));
      dy.data[i] = std::cos(0.11f * static_cast<float>(i));
    }
    for (std::int64_t i = 0; i < row_length; ++i) {
      scale.data[i] = 1.1f + 0.01f * static_cast<float>(i % 7);
      bias.data[i] = 0.5f - 0.02f * static_cast<float>(i % 5);
    }
    for (std::size_t i = 0; i < labels.size(); ++i)
      labels[i] = static_cast<std::int32_t>(i * 131 % row_length);
  }

  std::int64_t rows;
  matrix x, dy, y, dx;
  vector scale, bias, dscale, dbias;
  std::vector<std::int32_t> labels;
  float* buffer;
  float loss = 0;
  pm::workspace workspace;

 private:
  std::vector<std::unique_ptr<float[]>> blocks_;

  float* take(std::int64_t count) {
    constexpr std::size_t page = 4096, line = 64;
    const std::size_t turn = 7 * blocks_.size() % 32;
    std::size_t bytes = static_cast<std::size_t>(count) * sizeof(float) + 2 * page + turn * line;
    blocks_.push_back(std::make_unique<float[]>(bytes / sizeof(float)));
    void* first = blocks_.back().get();
    std::align(page, static_cast<std::size_t>(count) * sizeof(float), first, bytes);
    return static_cast<float*>(first) + turn * line / sizeof(float);
  }
};

/// A run of the hand-written loops and one of the derived kernel, which write the same arrays.
struct contest {
  std::string work, pass;
  int arrays;  // of all rows that must be read or written
  std::function<void()> hand, derived;
};

/// What the optimiser cannot know.
template <class T> T hidden(T value) {
  volatile T copy = value;
  return copy;
}

template <class D> std::vector<contest> contests(memory& m) {
  using rows = typename D::rows;
  using row = typename D::row;
  const hand::index n = hidden(m.rows), c = hidden(row_length);
  const auto into = [&](const auto& compiled, auto&... outputs) {
    return compiled.into(outputs...).with(m.workspace);
  };
  return {
      {"layer_norm", "forward", 2,
       [=, &m] { hand::layer_norm(m.x.data, m.scale.data, m.bias.data, m.y.data, n, c); },
       [&m, call = into(pm::compile<rows, row, row>(layer_norm), m.y)] {
         call(m.x, m.scale, m.bias);
       }},
      {"layer_norm", "value_grad", 4,
       [=, &m] {
         hand::layer_norm_gradient(m.x.data, m.scale.data, m.bias.data, m.dy.data, m.y.data,
                                   m.dx.data, m.dscale.data, m.dbias.data, n, c);
       },
       [&m, call = into(pm::compile<rows, row, row, rows>(pm::vjp<0, 1, 2>(layer_norm)), m.y, m.dx,
                        m.dscale, m.dbias)] { call(m.x, m.scale, m.bias, m.dy); }},
      {"softmax", "forward", 2, [=, &m] { hand::softmax(m.x.data, m.y.data, m.buffer, n, c); },
       [&m, call = into(pm::compile<rows>(softmax), m.y)] { call(m.x); }},
      {"softmax", "value_grad", 4,
       [=, &m] {
         hand::softmax_gradient(m.x.data, m.dy.data, m.y.data, m.dx.data, m.buffer, n, c);
       },
       [&m, call = into(pm::compile<rows, rows>(pm::vjp<0>(softmax)), m.y, m.dx)] {
         call(m.x, m.dy);
       }},
      {"gelu", "forward", 2, [=, &m] { hand::gelu(m.x.data, m.y.data, n * c); },
       [&m, call = into(pm::compile<rows>(gelu), m.y)] { call(m.x); }},
      {"gelu", "value_grad", 4,
       [=, &m] { hand::gelu_gradient(m.x.data, m.dy.data, m.y.data, m.dx.data, n * c); },
       [&m, call = into(pm::compile<rows, rows>(pm::vjp<0>(gelu)), m.y, m.dx)] {
         call(m.x, m.dy);
       }},
      {"cross_entropy", "forward", 1,
       [=, &m] { hand::cross_entropy(m.x.data, m.labels.data(), &m.loss, n, c); },
       [&m, call = into(pm::compile<rows, label_row>(cross_entropy), m.loss)] {
         call(m.x, m.labels);
       }},
      {"cross_entropy", "value_grad", 2,
       [=, &m] {
         hand::cross_entropy_gradient(m.x.data, m.labels.data(), &m.loss, m.dx.data, m.buffer, n,
                                      c);
       },
       [&m, call = into(pm::compile<rows, label_row>(pm::value_and_grad<0>(cross_entropy)), m.loss,
                        m.dx)] { call(m.x, m.labels); }},
      {"norm_gelu", "value_grad", 4,
       [=, &m] {
         hand::norm_gelu_gradient(m.x.data, m.bias.data, m.dy.data, m.y.data, m.dx.data,
                                  m.dbias.data, m.buffer, n, c);
       },
       [&m, call = into(pm::compile<rows, row, rows>(pm::vjp<0, 1>(norm_gelu)), m.y, m.dx,
                        m.dbias)] { call(m.x, m.bias, m.dy); }},
  };
}

/// What a contest may have written, in one piece.
std::vector<float> results_of(const memory& m) {
  std::vector<float> all{m.loss};
  const auto append = [&](const float* p, std::int64_t n) { all.insert(all.end(), p, p + n); };
  for (const matrix* a : {&m.y, &m.dx}) append(a->data, m.rows * row_length);
  for (const vector* a : {&m.dscale, &m.dbias}) append(a->data, row_length);
  return all;
}

/// Do both sides write the same, up to rounding?
bool agree(const contest& who, const memory& m) {
  who.hand();
  const auto wanted = results_of(m);
  who.derived();
  const auto given = results_of(m);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(std::abs(given[i] - wanted[i]) <= 1e-3f * std::max(1.f, std::abs(wanted[i]))))
      return false;
  return true;
}

void run(benchmark::State& state, const contest& who, memory& m) {
  if (!agree(who, m)) return state.SkipWithError("differs from the loops by hand");
  // As many bytes read and written as in `arrays` arrays, from one half of them to the other.
  const auto bytes = static_cast<std::size_t>(who.arrays * m.rows * row_length) * sizeof(float) / 2;
  const auto one = static_cast<std::size_t>(m.rows * row_length) * sizeof(float);
  const auto copy = [&] {
    std::memcpy(m.y.data, m.x.data, std::min(bytes, one));
    if (bytes > one) std::memcpy(m.dx.data, m.dy.data, bytes - one);
  };
  const auto [derived, hand, copied] = bench::race<3>({who.derived, who.hand, copy}, race_seconds);
  for (auto _ : state) state.SetIterationTime(derived);
  state.counters["x_copy"] = derived / copied;
  state.counters["x_hand"] = derived / hand;
  bench::compare_with_peers(state, who.work, who.pass, static_cast<int>(m.rows), derived);
}

template <class D> void add(const std::string& extents, memory& m) {
  for (const auto& c : contests<D>(m))
    benchmark::RegisterBenchmark(
        (c.work + "/" + c.pass + "/" + std::to_string(m.rows) + "/" + extents).c_str(),
        [c, &m](benchmark::State& state) { run(state, c, m); })
        ->UseManualTime()
        ->Iterations(1);
}

[[maybe_unused]] const bool registered = [] {
  static memory in_cache(64), in_memory(8192);
  for (memory* m : {&in_cache, &in_memory}) {
    add<fixed>("fixed", *m);
    add<free>("free", *m);
  }
  return true;
}();

}  // namespace
