// A program that grows step by step, and the arrays for it: values with the extents that they have
// at the call, whether or not the program knows them.
#pragma once

#include <primal/op/operators.hpp>
#include <primal/testing/recording.hpp>

#include <support/random_numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace primal::test {

/// A floating-point value of the program.
struct grown {
  tensor value;
  positions extents;
  int uses = 0;

  std::size_t rank() const { return extents.size(); }
  std::int64_t size() const { return interpretation::count_of(extents); }
};

/// The extents that two arrays have together; false if they do not fit.
inline bool broadcast(const positions& a, const positions& b, positions& out) {
  out.assign(std::max(a.size(), b.size()), 1);
  for (const auto* x : {&a, &b})
    for (std::size_t i = 0; i < x->size(); ++i) {
      auto& e = out[i + out.size() - x->size()];
      if (e != 1 && (*x)[i] != 1 && e != (*x)[i]) return false;
      e = std::max(e, (*x)[i]);
    }
  return true;
}

/// The program so far; values are named by their number in `values`.
class growing_program {
 public:
  explicit growing_program(std::uint64_t seed) : random(seed) {
    const positions usual{2, 3, 5, 8, 16}, all{2, 3, 5, 8, 16, 17, 33, 64, 70};
    const auto& from = random.chance(.6) ? usual : all;
    for (int i = 0; i < 3; ++i) pool.push_back(random.one_of(from));
    if (random.chance(.3)) pool[1] = pool[0];
    unknown_extents_ = random.chance(.4);
    largest = random.chance(.5) ? 200 : 900;
    type = random.chance(.5) ? dtype::float32 : dtype::float64;
  }
  growing_program(const growing_program&) = delete;
  growing_program& operator=(const growing_program&) = delete;

  random_numbers random;
  recorder r;
  std::vector<dense> inputs;
  tensors floating_inputs;
  std::vector<grown> values;
  positions pool;        // most extents are one of these, so that values fit each other
  std::int64_t largest;  // elements of a value
  dtype type;            // of floating-point inputs

  std::size_t add(tensor t, const positions& extents) {
    if (!t.owner) t = attach(r, t.constant);
    if (static_cast<std::size_t>(t.rank()) != extents.size())
      throw std::logic_error("the generator is wrong about the rank of a value");
    values.push_back({t, extents});
    return values.size() - 1;
  }
  tensor use(std::size_t i) {
    ++values[i].uses;
    return values[i].value;
  }

  std::size_t add_input(const positions& extents, double magnitude = 2) {
    dense array{extents, {}, type};
    for (std::int64_t i = 0; i < interpretation::count_of(extents); ++i)
      array.values.push_back(static_cast<float>(magnitude * (2 * random.unit() - 1)));
    floating_inputs.push_back(add_array(array));
    return add(floating_inputs.back(), extents);
  }
  /// Indices along an axis of extent n, some of them counted from its end.
  tensor indices(const positions& extents, std::int64_t n) {
    dense array{extents, {}, random.chance(.5) ? dtype::int32 : dtype::int64};
    for (std::int64_t i = 0; i < interpretation::count_of(extents); ++i)
      array.values.push_back(static_cast<double>(random.below(2 * n) - n));
    return add_array(array);
  }
  positions random_extents() {
    for (;;) {
      positions out(static_cast<std::size_t>(random.one_of({0, 1, 1, 2, 2, 2, 3, 3, 3, 4})));
      for (auto& e : out) e = random.chance(.85) ? random.one_of(pool) : 1;
      if (interpretation::count_of(out) <= largest) return out;
    }
  }

  // Axes are subscripts here and attributes there.
  static std::size_t axis(std::int64_t i) { return static_cast<std::size_t>(i); }
  static int number(std::size_t i) { return static_cast<int>(i); }
  std::size_t random_axis(const grown& x) {
    return axis(random.below(static_cast<std::int64_t>(x.rank())));
  }
  bool too_large(const positions& e) const { return interpretation::count_of(e) > largest; }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  /// One of the values that `fits` accepts, rather a recent one that has no uses yet.
  template <class Fits> std::size_t pick(const Fits& fits) {
    std::vector<std::size_t> found;
    std::vector<double> weights;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!fits(values[i])) continue;
      found.push_back(i);
      const double age = static_cast<double>(i) / static_cast<double>(values.size());
      weights.push_back((values[i].uses > 0 ? 1 : 3) * (1 + 1.5 * age));
    }
    if (found.empty()) return none;
    const auto i = found[random.weighted(weights)];
    ++values[i].uses;
    return i;
  }
  std::size_t pick_of_rank(std::size_t least) {
    return pick([&](const grown& x) { return x.rank() >= least; });
  }
  /// One that differs from x along one axis at most.
  std::size_t pick_like(const grown& x, std::size_t axis) {
    return pick([&](const grown& y) {
      if (y.rank() != x.rank() || y.value.dtype() != x.value.dtype()) return false;
      for (std::size_t i = 0; i < x.rank(); ++i)
        if (i != axis && y.extents[i] != x.extents[i]) return false;
      return true;
    });
  }

 private:
  bool unknown_extents_;

  tensor add_array(const dense& array) {
    tensor_type declared{{}, array.dtype};
    for (auto e : array.extents) {
      const bool unknown = unknown_extents_ && e != 1 && random.chance(.75);
      declared.dims.push_back(
          unknown ? r.extents.symbol(static_cast<int>(r.inputs.size()), declared.rank()) : e);
    }
    inputs.push_back(array);
    return record_input(r, declared, "x");
  }
};

}  // namespace primal::test
