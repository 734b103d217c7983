// Errors: the exceptions of a call, and the diagnostics of a model that is being recorded.
#pragma once

#include <primal/core/place.hpp>
#include <primal/core/text.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace primal {

/// What every exception of the library derives from.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Extents that do not fit a declaration or each other.
struct shape_error : error {
  using error::error;
};
/// An index outside its axis.
struct index_error : error {
  using error::error;
};
/// A value that an operation cannot take.
struct value_error : error {
  using error::error;
};

#if defined(__cpp_exceptions) && !defined(PRIMAL_NO_EXCEPTIONS)
/// Throws `Error(message)`.
template <class Error> [[noreturn]] void raise(const std::string& message) { throw Error(message); }
#else
/// Called instead of throwing; must not return. The default prints the message and aborts.
using error_handler = void (*)(const char* message);
[[noreturn]] inline void print_and_abort(const char* message) {
  std::fputs(message, stderr);
  std::fputc('\n', stderr);
  std::abort();
}
inline error_handler& current_error_handler() {
  static error_handler handler = [](const char* message) { print_and_abort(message); };
  return handler;
}
/// Sets what happens on an error when exceptions are disabled.
inline void set_error_handler(error_handler handler) { current_error_handler() = handler; }
template <class Error> [[noreturn]] void raise(const std::string& message) {
  current_error_handler()(message.c_str());
  print_and_abort(message.c_str());
}
#endif

namespace core {

/// Ends a constant evaluation: compilers show the call, and so what it says. (They reject `throw` there without
/// exceptions.) At run time it is an error like any other.
[[noreturn]] inline void refuse(const char* message) { raise<error>(message); }

}  // namespace core

/// The first error of a model. In constant evaluation it is kept, recording goes on with a dummy
/// shape, and the caller reports it once; at run time it is thrown.
struct diagnostics {
  text message;
  place where;    // of the statement that is being recorded
  int depth = 0;  // > 0 inside a rule: library code never replaces the user's place

  constexpr bool failed() const { return !message.empty(); }
  constexpr void fail(const text& what) {
    if (failed()) return;
    message = what;
    if (where.known()) message += join(" at ", to_text(where));
    if (!std::is_constant_evaluated()) raise<shape_error>(message.str());
  }
  constexpr void at(const place& p) {
    if (depth == 0 && p.known()) where = p;
  }
};

/// While alive, statements belong to the operator that is being expanded.
struct inside_rule {
  diagnostics& d;
  constexpr explicit inside_rule(diagnostics& own) : d(own) { ++d.depth; }
  inside_rule(const inside_rule&) = delete;
  constexpr ~inside_rule() { --d.depth; }
};

/// While alive, statements stand at their own lines again: a rule calls what a user has written.
struct outside_rule {
  diagnostics& d;
  int depth;
  constexpr explicit outside_rule(diagnostics& own) : d(own), depth(own.depth) { d.depth = 0; }
  outside_rule(const outside_rule&) = delete;
  constexpr ~outside_rule() { d.depth = depth; }
};

}  // namespace primal
