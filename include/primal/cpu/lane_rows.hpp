// Rows of a table in memory, one for each lane of a register of doubles.
#pragma once

#include <primal/cpu/register.hpp>

namespace primal::cpu {

/// Two columns at once cost an AVX2 register six operations, few of which arithmetic waits for.
template <std::size_t Columns, class A> class lane_rows {
 public:
  using V = batch<double, A>;

  /// The rows of a table whose length is a power of two, by the low bits of every lane.
  template <std::size_t N>
  PRIMAL_INLINE lane_rows(const double (&table)[N][Columns], batch<std::uint64_t, A> lanes) {
    static_assert((N & (N - 1)) == 0);
    alignas(width<A>) std::uint64_t index[V::size];
    (lanes & batch<std::uint64_t, A>(N - 1)).store_aligned(index);
    for (std::size_t lane = 0; lane < V::size; ++lane) rows_[lane] = table[index[lane]];
  }

  struct pair {
    V first;
    V second;
  };

  /// Columns Column and Column + 1 of every row.
  template <std::size_t Column> PRIMAL_INLINE pair columns() const {
    static_assert(Column + 1 < Columns);
#if defined(__AVX__)
    if constexpr (width<A> == 32) {
      const auto two_rows = [&](std::size_t lane) PRIMAL_LAMBDA_INLINE {
        return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows_[lane] + Column)),
                                    _mm_loadu_pd(rows_[lane + 2] + Column), 1);
      };
      const __m256d even = two_rows(0), odd = two_rows(1);
      return {_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)};
    }
#endif
#if defined(__SSE2__)
    if constexpr (width<A> == 16) {
      const __m128d even = _mm_loadu_pd(rows_[0] + Column), odd = _mm_loadu_pd(rows_[1] + Column);
      return {_mm_unpacklo_pd(even, odd), _mm_unpackhi_pd(even, odd)};
    }
#endif
    alignas(width<A>) double values[2][V::size];
    for (std::size_t lane = 0; lane < V::size; ++lane)
      for (std::size_t i = 0; i < 2; ++i) values[i][lane] = rows_[lane][Column + i];
    return {V::load_aligned(values[0]), V::load_aligned(values[1])};
  }

 private:
  const double* rows_[V::size];
};

}  // namespace primal::cpu
