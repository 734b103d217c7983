// constant_text: text that is made while the program compiles.
#pragma once

#include <primal/core/text.hpp>

namespace primal {

namespace core {

/// Characters in a fixed array.
template <int Room> struct characters {
  int size = 0;
  char chars[Room + 1] = {};
};

template <int Room> constexpr characters<Room> characters_of(std::string_view t) {
  characters<Room> out;
  out.size = static_cast<int>(t.size());
  for (int i = 0; i < out.size && i < Room; ++i) out.chars[i] = t[static_cast<std::size_t>(i)];
  return out;
}

template <class Section, int Room> struct roomy_text {
  static constexpr characters<Room> value = characters_of<Room>(Section::make().view());
  static constexpr bool fits = value.size <= Room;
};
template <class From> struct exact_text {
  static constexpr characters<From::value.size> value = characters_of<From::value.size>(
      {From::value.chars, static_cast<std::size_t>(From::value.size)});
  static constexpr std::string_view view{value.chars, static_cast<std::size_t>(value.size)};
};

}  // namespace core

/// The text of `Section::make()` as a constant: `constant_text<Section>::view`.
template <class Section, bool Fits = core::roomy_text<Section, 1 << 15>::fits>
struct constant_text : core::exact_text<core::roomy_text<Section, 1 << 15>> {};
template <class Section>
struct constant_text<Section, false> : core::exact_text<core::roomy_text<Section, 1 << 20>> {};

}  // namespace primal
