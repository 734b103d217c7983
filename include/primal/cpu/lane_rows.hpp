// Rows of a table in memory, one for each of the four doubles of an AVX2 register.
#pragma once

#include <primal/cpu/register.hpp>

namespace primal::cpu {

#if defined(__AVX2__)
/// Two columns at once cost six operations, few of which arithmetic waits for; a gather of one costs more.
template <std::size_t Columns> class lane_rows {
 public:
  /// The rows of a table whose length is a power of two, by the low bits of every lane.
  template <std::size_t N, class A>
  PRIMAL_INLINE lane_rows(const double (&table)[N][Columns], batch<std::uint64_t, A> lanes) {
    static_assert(width<A> == 32 && (N & (N - 1)) == 0);
    alignas(32) std::uint64_t index[4];
    (lanes & batch<std::uint64_t, A>(N - 1)).store_aligned(index);
    for (int lane = 0; lane < 4; ++lane) rows_[lane] = table[index[lane]];
  }

  template <class A> struct pair {
    batch<double, A> first;
    batch<double, A> second;
  };

  /// Columns Column and Column + 1 of every row.
  template <std::size_t Column, class A> PRIMAL_INLINE pair<A> columns() const {
    static_assert(Column + 1 < Columns);
    const auto two_rows = [&](int lane) PRIMAL_LAMBDA_INLINE {
      return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(rows_[lane] + Column)),
                                  _mm_load_pd(rows_[lane + 2] + Column), 1);
    };
    const __m256d even = two_rows(0), odd = two_rows(1);
    return {_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)};
  }

 private:
  const double* rows_[4];
};
#endif

}  // namespace primal::cpu
