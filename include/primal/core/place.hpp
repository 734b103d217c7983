// place: a line of the user's source.
#pragma once

#include <primal/core/text.hpp>

#include <source_location>

namespace primal {

/// Where a statement of a model stands. Kept instead of std::source_location because it can be
/// compared and stored in tables.
struct place {
  const char* file = "";
  unsigned line = 0;

  constexpr place() = default;
  constexpr place(const std::source_location& l) : file(l.file_name()), line(l.line()) {}
  constexpr bool known() const { return line != 0; }
};

/// "model.cpp:15": the file without its folders.
constexpr text to_text(const place& p) {
  std::string_view file = p.file;
  if (auto slash = file.rfind('/'); slash != file.npos) file.remove_prefix(slash + 1);
  return join(file, ":", static_cast<std::int64_t>(p.line));
}

}  // namespace primal
