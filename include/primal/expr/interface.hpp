// interface: what a call needs to know of a frozen program, read without thawing it.
#pragma once

#include <primal/expr/frozen_sections.hpp>

namespace primal {

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
