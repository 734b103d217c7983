// errors: what a call that must fail says.
#pragma once

#include <primal/core/error.hpp>

#include <string>

namespace primal::test {

/// The message of the `Error` that run() throws, or "no error".
template <class Error = error, class F> std::string message_of(const F& run) {
  try {
    run();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace primal::test
