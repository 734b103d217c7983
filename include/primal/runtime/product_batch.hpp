// product_batch: products of matrices along leading axes, as a plan asks for them.
#pragma once

#include <primal/core/config.hpp>
#include <primal/core/list.hpp>
#include <primal/core/math.hpp>
#include <primal/cpu/matrix_product.hpp>
#include <primal/plan/plan.hpp>

namespace primal {

/// The first product, and how far apart the matrices of the others lie.
template <class T> struct product_batch {
  cpu::matrix_product<T> first;
  epilogue after = epilogue::empty;
  const T* bias = nullptr;  // what that adds to every row
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

  using scalar = element_of<compute_dtype(dtype_of<T>)>;
  /// What becomes of an element of column j.
  PRIMAL_HD T finished(scalar x, std::int64_t j) const {
    if constexpr (std::is_floating_point_v<scalar>) {
      if (adds_bias(after)) x += static_cast<scalar>(bias[j]);
      if (takes_gelu(after)) x = math::tanh_gelu(x);
    }
    return static_cast<T>(x);
  }
};

}  // namespace primal
