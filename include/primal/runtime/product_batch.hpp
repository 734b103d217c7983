// product_batch: products of matrices along leading axes, as a plan asks for them.
#pragma once

#include <primal/core/config.hpp>
#include <primal/core/list.hpp>
#include <primal/cpu/matrix_product.hpp>

namespace primal {

/// The first product, and how far apart the matrices of the others lie.
template <class T> struct product_batch {
  cpu::matrix_product<T> first;
  const T* bias = nullptr;  // what is added to every row of all of them, or null
  int axes = 0;
  std::int64_t count = 1;
  std::int64_t extent[max_rank] = {}, a_step[max_rank] = {}, b_step[max_rank] = {},
               c_step[max_rank] = {};

  /// Product number i.
  PRIMAL_HD cpu::matrix_product<T> operator[](std::int64_t i) const {
    auto p = first;
    for (int x = axes - 1; x >= 0; --x) {
      p.a += i % extent[x] * a_step[x];
      p.b += i % extent[x] * b_step[x];
      p.c += i % extent[x] * c_step[x];
      i /= extent[x];
    }
    return p;
  }
};

}  // namespace primal
