// blas: matrix products by a CBLAS library, on one thread.
#pragma once

#include <primal/cpu/matrix_product.hpp>
#include <primal/cpu/product_tile.hpp>

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
  [[maybe_unused]] static const bool set = [] {
    if (&openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return true;
  }();
  return &openblas_get_num_threads == nullptr || openblas_get_num_threads() == 1;
}

namespace core {

/// A matrix as CBLAS wants it: dense along one axis, with the distance along the other, which is to
/// be at least the extent of the first even where there is nothing at that distance.
struct blas_operand {
  std::int64_t distance = 0;
  bool transposed = false;
  bool fits = false;

  constexpr blas_operand(std::int64_t rows, std::int64_t columns, std::int64_t row,
                         std::int64_t column) {
    if (!lies(rows, columns, row, column)) {
      transposed = true;
      lies(columns, rows, column, row);
    }
    fits = fits && std::max({rows, columns, distance}) <= std::numeric_limits<int>::max();
  }

 private:
  constexpr bool lies(std::int64_t count, std::int64_t dense, std::int64_t step,
                      std::int64_t dense_step) {
    distance = count == 1 ? dense : step;
    fits = (dense_step == 1 || dense == 1) && distance >= dense;
    return fits;
  }
};

}  // namespace core

/// c = a * b or c += a * b, unless the library cannot take the operands as they lie.
template <std::floating_point T> bool multiply_by_blas(const matrix_product<T>& p) {
  const core::blas_operand a(p.rows, p.inner, p.a_row, p.a_inner);
  const core::blas_operand b(p.inner, p.columns, p.b_inner, p.b_column);
  const core::blas_operand c(p.rows, p.columns, p.c_row, 1);
  if (!a.fits || !b.fits || !c.fits || !blas_is_single_threaded()) return false;
  const auto gemm = [&](auto function) {
    function(CblasRowMajor, a.transposed ? CblasTrans : CblasNoTrans,
             b.transposed ? CblasTrans : CblasNoTrans, static_cast<int>(p.rows),
             static_cast<int>(p.columns), static_cast<int>(p.inner), T(1), p.a,
             static_cast<int>(a.distance), p.b, static_cast<int>(b.distance), T(p.accumulates), p.c,
             static_cast<int>(c.distance));
  };
  if constexpr (std::is_same_v<T, float>) gemm(cblas_sgemm);
  else gemm(cblas_dgemm);
  return true;
}

/// Products of at least so many multiplications go to the library. Measured on Zen 4 with OpenBLAS 0.3.21: with
/// registers of 64 bytes our loops are up to 1.2 times as fast below 256 cubed, and 0.96 to 1.1 times from there to
/// 2048 cubed, those of double 0.9 times from 1024 cubed on; and threads share them. A library that chooses its code
/// when it runs is 2.6 times as fast as loops compiled for SSE2, and may be twice as fast as those compiled for AVX2.
template <class T>
inline constexpr std::int64_t blas_volume =
    sizeof(lanes<float>) == 64   ? std::int64_t{1} << (sizeof(T) == 4 ? 32 : 28)
    : sizeof(lanes<float>) == 32 ? std::int64_t{1} << 24
                                 : 512;

/// Whether our loops leave half a register or more idle, often enough to matter. OpenBLAS fills it
/// with other tiles: 64 x 100 with 64 summands takes us 1.14 times as long, 64 x 4 twice as long.
template <class T> constexpr bool wastes_lanes(const matrix_product<T>& p) {
  const std::int64_t rest = p.columns % lane_count<T>;
  if (rest == 0 || 2 * rest > lane_count<T> || p.columns > 128) return false;
  return p.columns < lane_count<T> ? p.a_row != 1 : p.b_column == 1;
}

/// Whether a call of the library is expected to be faster than our own loops. Not where a vector is multiplied: that
/// reads the matrix once, as fast as the memory gives it. (100,000 x 8 doubles by a vector: 0.08 ms, dgemm 0.13.)
template <class T> constexpr bool prefers_blas(const matrix_product<T>& p) {
  if (p.rows == 1 || p.columns == 1) return false;
  const std::int64_t volume = p.rows * p.columns * p.inner;
  return volume >= blas_volume<T> || (volume >= 1 << 13 && wastes_lanes(p));
}

#endif

}  // namespace primal::cpu
