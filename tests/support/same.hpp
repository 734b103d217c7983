// same: are two arrays equal? Catch's CHECK(a == b) and xtensor's operators do not get along.
#pragma once

#include <primal/runtime/xtensor.hpp>

#include <algorithm>
#include <cmath>

namespace primal::test {

/// Equal shapes and elements.
template <class A, class B> bool same(const A& a, const B& b) {
  return a.dimension() == b.dimension() &&
         std::equal(a.shape().begin(), a.shape().end(), b.shape().begin()) &&
         std::equal(a.begin(), a.end(), b.begin());
}

/// Equal shapes, and elements that differ by at most `tolerance` of 1 + |b|.
template <class A, class B> bool close(const A& a, const B& b, double tolerance = 1e-6) {
  return a.dimension() == b.dimension() &&
         std::equal(a.shape().begin(), a.shape().end(), b.shape().begin()) &&
         std::equal(a.begin(), a.end(), b.begin(), [&](auto x, auto y) {
           return std::abs(static_cast<double>(x) - static_cast<double>(y)) <=
                  tolerance * (1 + std::abs(static_cast<double>(y)));
         });
}

}  // namespace primal::test
