// Examples: uses of an operator on which its laws are tried.
#pragma once

#include <primal/op/info.hpp>
#include <primal/testing/example.hpp>

#include <string>
#include <vector>

namespace primal::testing {

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
      for (std::size_t i = 0; i < extents.size(); ++i) {
        if (i > 0) title += ",";  // g++ 12 warns of the memory of a sum
        title += std::to_string(extents[i]);
      }
      title += "]";
    }
    return title;
  }
};

}  // namespace primal::testing
