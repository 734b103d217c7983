// blas: matrix products by a CBLAS library, on one thread.
#pragma once

#include <primal/cpu/matrix_product.hpp>

#include <algorithm>
#include <concepts>
#include <limits>
#include <type_traits>

#if defined(PRIMAL_USE_CBLAS)
#include <cblas.h>

// Only OpenBLAS has these; with another library they are null.
extern "C" {
[[gnu::weak]] void openblas_set_num_threads(int);
[[gnu::weak]] int openblas_get_num_threads(void);
}
#endif

namespace primal::cpu {

#if defined(PRIMAL_USE_CBLAS)

/// Whether the library calculates on the thread that calls it, so that results do not depend on the
/// number of cores. OpenBLAS has one setting for the whole process, and to change it while other
/// threads are in the library is not safe: it is set to one thread once, before the first product,
/// and when the program sets it to more afterwards, primal's own loops take over.
inline bool blas_is_single_threaded() {
  if (&openblas_set_num_threads == nullptr || &openblas_get_num_threads == nullptr) return true;
  static const bool set = (openblas_set_num_threads(1), true);
  return set && openblas_get_num_threads() == 1;
}

namespace core {

/// A matrix as CBLAS wants it: dense along one axis, with the distance along the other.
struct blas_operand {
  bool transposed;
  std::int64_t distance;
  bool fits;

  constexpr blas_operand(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column)
      : transposed(column != 1), distance(transposed ? column : row) {
    fits = (transposed ? row == 1 : true) && distance >= std::max<std::int64_t>(1, transposed ? rows : columns) &&
           std::max({rows, columns, distance}) <= std::numeric_limits<int>::max();
  }
};

}  // namespace core

/// c = a * b, unless the library cannot take the operands as they lie.
template <std::floating_point T> bool multiply_by_blas(const matrix_product<T>& p) {
  const core::blas_operand a(p.rows, p.inner, p.a_row, p.a_inner);
  const core::blas_operand b(p.inner, p.columns, p.b_inner, p.b_column);
  const core::blas_operand c(p.rows, p.columns, p.c_row, 1);
  if (!a.fits || !b.fits || !c.fits || !blas_is_single_threaded()) return false;
  const auto gemm = [&](auto function) {
    function(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
             b.transposed ? CblasTrans : CblasNoTrans, static_cast<int>(p.rows),
             static_cast<int>(p.columns), static_cast<int>(p.inner), T(1), p.a,
             static_cast<int>(a.distance), p.b, static_cast<int>(b.distance), T(0), p.c,
             static_cast<int>(c.distance));
  };
  if constexpr (std::is_same_v<T, float>) gemm(cblas_sgemm);
  else gemm(cblas_dgemm);
  return true;
}

/// Whether a CBLAS call is expected to be faster than our own loops.
template <std::floating_point T> constexpr bool prefers_blas(const matrix_product<T>& p) {
  return p.rows * p.columns * p.inner >= std::int64_t{1} << 28;
}

#endif

}  // namespace primal::cpu
