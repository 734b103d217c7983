// frozen_sections: where the parts of a frozen program lie among its words, and the types that they
// hold.
#pragma once

#include <primal/expr/frozen.hpp>

namespace primal {

namespace core {

/// Where the parts of a frozen program begin among its words.
struct frozen_sections {
  int inputs = 0, outputs = 0, shapes = 0, extents = 0, polynomials = 0, requirements = 0,
      statements = 0;
};

template <class Frozen> constexpr frozen_sections sections_of(const Frozen& f) {
  frozen_sections s;
  const std::int64_t* w = f.words;
  auto at = [&] { return static_cast<int>(w - f.words); };
  w += 1 + *w;
  s.outputs = at();
  w += 1 + *w;
  s.shapes = at();
  for (auto n = *w++; n > 0; --n) w += 1 + *w;
  s.extents = at();
  w += 1 + 4 * *w;
  s.polynomials = at();
  for (auto n = *w++; n > 0; --n)
    for (auto monomials = *w++; monomials > 0; --monomials) w += 2 + w[1];
  s.requirements = at();
  w += 1 + 3 * *w;
  s.statements = at();
  return s;
}

/// The types of the values that the words from `list` on name.
template <int N, class Frozen>
constexpr std::array<tensor_type, N> types_in(const Frozen& f, int list) {
  const auto sections = sections_of(f);
  sequence<std::int64_t> values;
  const std::int64_t* w = f.words + sections.statements;
  for (int i = 0; i < f.used.statements; ++i) {
    const auto s = unpack(*w);
    w += 1 + (s.operand_count + 2) / 3 + s.attribute_count;
    for (int k = 0; k < s.result_count; ++k) values.push_back(*w++);
  }
  sequence<const std::int64_t*> shapes;
  w = f.words + sections.shapes;
  for (auto n = *w++; n > 0; --n, w += 1 + *w) shapes.push_back(w);

  std::array<tensor_type, N> types{};
  for (int i = 0; i < N; ++i) {
    const auto value = values[f.words[list + 1 + i]];
    auto& type = types[static_cast<std::size_t>(i)];
    type.dtype = static_cast<dtype>(value & 0xff);
    const std::int64_t* extents = shapes[value >> 8];
    for (int k = 0; k < *extents; ++k) type.dims.push_back(extents[1 + k]);
  }
  return types;
}

}  // namespace core

}  // namespace primal
