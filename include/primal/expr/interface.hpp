// interface: what a call needs to know of a frozen program, read without thawing it.
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

/// The types of the inputs of a staged program.
template <class Stage> struct inputs_of {
  static constexpr int count =
      static_cast<int>(Stage::value.words[core::sections_of(Stage::value).inputs]);
  static constexpr std::array<tensor_type, count> types =
      core::types_in<count>(Stage::value, core::sections_of(Stage::value).inputs);
};

/// The types of its outputs.
template <class Stage> struct outputs_of {
  static constexpr int count =
      static_cast<int>(Stage::value.words[core::sections_of(Stage::value).outputs]);
  static constexpr std::array<tensor_type, count> types =
      core::types_in<count>(Stage::value, core::sections_of(Stage::value).outputs);
};

/// The conditions that a call must check.
template <class Stage> struct requirements_of {
  static constexpr int first = core::sections_of(Stage::value).requirements;
  static constexpr int count = static_cast<int>(Stage::value.words[first]);

  static constexpr std::array<requirement, count> make() {
    std::array<requirement, count> conditions{};
    const std::int64_t* w = Stage::value.words + first + 1;
    const char* const* names = Stage::value.names + Stage::value.used.names - 2 * count;
    for (auto& r : conditions) {
      r.a = *w++;
      r.b = *w++;
      r.where.line = static_cast<unsigned>(*w++);
      r.what = *names++;
      r.where.file = *names++;
    }
    return conditions;
  }
  static constexpr std::array<requirement, count> value = make();
};

/// The names of the inputs.
template <class Stage> struct input_names_of {
  static constexpr int count = inputs_of<Stage>::count;
  static constexpr std::array<const char*, count> make() {
    std::array<const char*, count> names{};
    for (int i = 0; i < count; ++i) names[static_cast<std::size_t>(i)] = Stage::value.files[i];
    return names;
  }
  static constexpr std::array<const char*, count> value = make();
};

/// Both sides of each requirement in words, a line each. Extents are named after the argument and the
/// axis where the call states them.
template <class Stage, class Named> struct requirement_sides {
  static constexpr text make() {
    extent_space e;
    core::word_reader r{Stage::value.words + core::sections_of(Stage::value).extents};
    const char* const* names = Stage::value.names;
    core::read_extents(e, r, names);
    sequence<text> own;
    own.reserve(e.atoms.size());
    for (int i = 0; i < e.atoms.size(); ++i) {
      if (e.atoms[i].kind != atom::symbol) continue;
      const auto place = join(input_names_of<Named>::value[static_cast<std::size_t>(e.atoms[i].a)],
                              " axis ", e.atoms[i].b);
      if (*e.names[i] != 0) own.push_back(join(e.names[i], " (", place, ")"));
      else own.push_back(join("(", place, ")"));
      own.back() += std::string_view("", 1);
      e.names[i] = own.back().view().data();
    }
    text lines;
    for (const auto& q : e.requirements) lines += join(e.left_of(q), "\n", e.right_of(q), "\n");
    return lines;
  }
};

}  // namespace primal
