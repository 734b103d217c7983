// Examples: uses of an operator on which its laws are tried.
#pragma once

#include <primal/op/info.hpp>
#include <primal/testing/recording.hpp>

#include <functional>
#include <random>
#include <string>

namespace primal::testing {

/// One use of an operator: what its inputs look like, and how it is recorded on them.
struct example {
  /// An input: its extents and dtype, and for integers how many different values from 0 on.
  struct input {
    std::vector<std::int64_t> extents;
    primal::dtype dtype = dtype::float64;
    int values = 2;
  };
  std::string title;
  std::vector<input> inputs;
  std::function<tensors(const tensors&)> model;
};

/// Where smooth functions are tried: no multiple of 1/2 is drawn, so that most kinks are avoided, and no number twice.
struct domain {
  double low = -2.5, high = 2.5;
};
inline constexpr domain domains[] = {{-2.5, 2.5}, {0.1, 2.5}, {-0.9, 0.9}, {1.1, 4}};

/// Numbers for the inputs of an example; the same `seed` draws the same.
inline std::vector<dense> draw(const std::vector<example::input>& inputs, const domain& d,
                               unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> grid;
  for (int k = static_cast<int>(d.low * 64); k <= d.high * 64; ++k)
    if (k % 32 != 0 && k / 64. >= d.low) grid.push_back(k / 64. + 0.003);
  std::vector<dense> out;
  std::size_t next = grid.size();
  for (const auto& in : inputs) {
    dense x = interpretation::filled(in.extents, 0, in.dtype);
    for (auto& v : x.values) {
      if (!is_floating(in.dtype)) {
        v = static_cast<double>(random() % static_cast<unsigned>(in.values));
        continue;
      }
      if (next == grid.size()) {  // shuffled by hand: std::shuffle differs between libraries
        for (std::size_t i = grid.size(); i > 1; --i) std::swap(grid[i - 1], grid[random() % i]);
        next = 0;
      }
      v = grid[next++];
    }
    out.push_back(std::move(x));
  }
  return out;
}

/// Records an operator with all its results.
template <class Op> tensors apply(tensors in, const attributes_of<Op>& attributes = {}) {
  constexpr int total = signature_of<Op>::total;
  if constexpr (!takes_list<Op>) in.resize(static_cast<std::size_t>(total));
  recorder& r = *in[0].owner;
  tensors out;
  for (int v : primal::record<Op>(r, in.data(), static_cast<int>(in.size()), attributes))
    out.push_back({&r, v});
  return out;
}

namespace shapes {

using extents = std::vector<std::int64_t>;

/// Shapes that are tried on an operator of so many inputs: unequal extents, rank 0, nothing, broadcasting.
inline std::vector<std::vector<extents>> of(int count) {
  if (count == 1) return {{{2, 3, 4}}, {{}}, {{5}}, {{0, 3}}, {{3, 3}}};
  std::vector<std::vector<extents>> out;
  for (const extents& alike :
       {extents{2, 3, 4}, extents{}, extents{5}, extents{0, 3}, extents{3, 3}})
    out.emplace_back(static_cast<std::size_t>(count), alike);
  auto mixed = [&](extents first, extents second) {
    out.emplace_back(static_cast<std::size_t>(count), second);
    out.back().front() = first;
  };
  mixed({2, 1, 4}, {3, 1});
  mixed({}, {5});
  mixed({2, 3, 4}, {4});
  mixed({2, 1}, {1, 0});
  mixed({3, 4}, {4, 2});
  return out;
}

}  // namespace shapes

/// Examples of an operator with its attributes as they are by default. Specialise it for one that needs others.
template <class Op> struct examples_of {
  static std::vector<example> list() {
    std::vector<example> out;
    const int total = signature_of<Op>::total;
    const int least = takes_list<Op> ? 2 : signature_of<Op>::required;
    for (int count = least; count <= (takes_list<Op> ? 3 : total); ++count) {
      for (const auto& set : shapes::of(count > 0 ? count : 1)) {
        example e{title_of(set), {}, [](const tensors& x) { return apply<Op>(x); }};
        for (const auto& extents : set) e.inputs.push_back({extents, input_dtype(), 8});
        if (selects<Op>) e.inputs[0].dtype = dtype::bool_;
        out.push_back(std::move(e));
      }
    }
    return out;
  }

 private:
  static constexpr dtype input_dtype() {
    if constexpr (requires { Op::dtypes::accepts(dtype::float64); })
      return Op::dtypes::accepts(dtype::float64) ? dtype::float64 : dtype::int64;
    else return dtype::float64;
  }
  static std::string title_of(const std::vector<shapes::extents>& set) {
    std::string title;
    for (const auto& extents : set) {
      title += title.empty() ? "[" : " [";
      for (std::size_t i = 0; i < extents.size(); ++i)
        title += (i ? "," : "") + std::to_string(extents[i]);
      title += "]";
    }
    return title;
  }
};

}  // namespace primal::testing
