// options: how a compiled model runs.
#pragma once

namespace primal {

/// `pm::compile(f, pm::options{.threads = 2})`.
struct options {
  int threads = 1;
};

/// `type`: what runs the steps of a model that was compiled with such options.
template <class Options> struct backend_of;

}  // namespace primal
