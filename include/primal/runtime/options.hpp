// options: how a compiled model runs.
#pragma once

namespace primal {

/// `pm::compile(f, pm::options{.threads = 2})`.
struct options {
  int threads = 1;
};

}  // namespace primal
