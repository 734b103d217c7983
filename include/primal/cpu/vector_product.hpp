// vector_product: a matrix times a vector, read once and in the order in which it lies.
#pragma once

#include <primal/cpu/matrix_product.hpp>
#include <primal/cpu/partial.hpp>
#include <primal/cpu/transpose.hpp>

#include <algorithm>
#include <concepts>
#include <cstring>

namespace primal::cpu {

/// y[i] = sum over k of x[k] * m[i, k], or += that sum.
template <class T> struct vector_product {
  const T* x;
  const T* m;
  T* y;
  std::int64_t results, inner;
  std::int64_t x_step, m_result, m_inner, y_step;
  bool accumulates;
};

namespace core {

/// Elements of a vector that are kept beside each other on the stack, where they are not in memory.
inline constexpr std::int64_t vector_part = 512;

/// The sum of the lanes of each register.
template <int Count, class V, class T = typename V::value_type>
PRIMAL_INLINE void sums_of_lanes(const V (&x)[Count], T* sums) {
  constexpr int lanes = static_cast<int>(V::size);
  alignas(64) T parts[lanes];
#if defined(PRIMAL_SHUFFLES)
  if constexpr (Count == 4 &&
                lanes % 4 ==
                    0) {  // four at once take the time of one: 1.5 times as fast for rows of 8
    using block = fours<T, lanes>;
    typename block::vector rows[4];
    std::memcpy(&rows, &x, sizeof rows);
    block::transpose(rows);
    rows[0] = (rows[0] + rows[1]) + (rows[2] + rows[3]);
    std::memcpy(parts, &rows[0], sizeof parts);
    for (int i = 0; i < 4; ++i) sums[i] = parts[i];
    for (int k = 4; k < lanes; k += 4)
      for (int i = 0; i < 4; ++i) sums[i] += parts[k + i];
    return;
  }
#endif
  for (int i = 0; i < Count; ++i) {
    x[i].store_aligned(parts);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    sums[i] = parts[0];
  }
}

/// Count results at once, each the sum of the products of two dense vectors.
template <int Count, class T>
PRIMAL_INLINE void dense_dots(const T* x, const T* m, std::int64_t m_result, std::int64_t inner,
                              T* y, std::int64_t y_step, bool accumulates) {
  using V = xsimd::batch<T>;
  constexpr std::int64_t lanes = static_cast<std::int64_t>(V::size);
  V sums[Count];
  for (V& sum : sums) sum = V(T(0));
  std::int64_t k = 0;
  for (; k + lanes <= inner; k += lanes) {
    const V left = V::load_unaligned(x + k);
    for (int i = 0; i < Count; ++i)
      sums[i] = math_of<V>::fma(left, V::load_unaligned(m + i * m_result + k), sums[i]);
  }
  if (const int rest = static_cast<int>(inner - k); rest > 0) {
    const V left = load_first<V>(x + k, rest);
    for (int i = 0; i < Count; ++i)
      sums[i] = math_of<V>::fma(left, load_first<V>(m + i * m_result + k, rest), sums[i]);
  }
  T results[Count];
  sums_of_lanes(sums, results);
  for (int i = 0; i < Count; ++i)
    y[i * y_step] = accumulates ? y[i * y_step] + results[i] : results[i];
}

template <class T> void put(const vector_product<T>& p, std::int64_t i, T sum) {
  T& y = p.y[i * p.y_step];
  y = p.accumulates ? y + sum : sum;
}

/// Rows that fit into a register, as the eight features of a regression: the vector stays in one.
template <class T> void multiply_short_rows(const vector_product<T>& p) {
  using V = xsimd::batch<T>;
  const int inner = static_cast<int>(p.inner);
  const V x = load_first<V>(p.x, inner);
  const auto multiply = [&](const auto& load) PRIMAL_LAMBDA_INLINE {
    V products[4];
    T sums[4];
    std::int64_t i = 0;
    for (const T* m = p.m; i + 4 <= p.results; i += 4, m += 4 * p.m_result) {
      for (int r = 0; r < 4; ++r) products[r] = x * load(m + r * p.m_result);
      sums_of_lanes(products, sums);
      for (int r = 0; r < 4; ++r) put(p, i + r, sums[r]);
    }
    for (; i < p.results; ++i) {
      const V last[] = {x * load(p.m + i * p.m_result)};
      sums_of_lanes(last, sums);
      put(p, i, sums[0]);
    }
  };
  if (inner == static_cast<int>(V::size))
    multiply([](const T* m) PRIMAL_LAMBDA_INLINE { return V::load_unaligned(m); });
  else multiply([inner](const T* m) PRIMAL_LAMBDA_INLINE { return load_first<V>(m, inner); });
}

/// The matrix is dense along the summands.
template <class T> void multiply_by_dots(const vector_product<T>& p) {
  if (p.inner <= static_cast<std::int64_t>(xsimd::batch<T>::size) && p.x_step == 1)
    return multiply_short_rows(p);
  T dense[vector_part];
  const std::int64_t part = p.x_step == 1 ? p.inner : vector_part;
  for (std::int64_t k = 0; k < p.inner; k += part) {
    const std::int64_t inner = std::min(part, p.inner - k);
    const T* x = p.x + k;
    if (p.x_step != 1) {
      for (std::int64_t i = 0; i < inner; ++i) dense[i] = p.x[(k + i) * p.x_step];
      x = dense;
    }
    std::int64_t i = 0;
    for (; i + 4 <= p.results; i += 4)
      dense_dots<4>(x, p.m + i * p.m_result + k, p.m_result, inner, p.y + i * p.y_step, p.y_step,
                    p.accumulates || k > 0);
    for (; i < p.results; ++i)
      dense_dots<1>(x, p.m + i * p.m_result + k, p.m_result, inner, p.y + i * p.y_step, p.y_step,
                    p.accumulates || k > 0);
  }
}

/// As many results as fit into a register, where their sums stay: four of them, which wait for different rows.
template <class T> void multiply_short_columns(const vector_product<T>& p) {
  using V = xsimd::batch<T>;
  const int results = static_cast<int>(p.results);
  const auto add_up = [&](const auto& load) PRIMAL_LAMBDA_INLINE {
    V sums[] = {V(T(0)), V(T(0)), V(T(0)), V(T(0))};
    const auto add = [&](int r, std::int64_t k) PRIMAL_LAMBDA_INLINE {
      sums[r] = math_of<V>::fma(V(p.x[k * p.x_step]), load(p.m + k * p.m_inner), sums[r]);
    };
    std::int64_t k = 0;
    for (; k + 4 <= p.inner; k += 4)
      for (int r = 0; r < 4; ++r) add(r, k + r);
    for (; k < p.inner; ++k) add(0, k);
    alignas(64) T parts[V::size];
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).store_aligned(parts);
    for (int i = 0; i < results; ++i) put(p, i, parts[i]);
  };
  if (results == static_cast<int>(V::size))
    add_up([](const T* m) PRIMAL_LAMBDA_INLINE { return V::load_unaligned(m); });
  else add_up([results](const T* m) PRIMAL_LAMBDA_INLINE { return load_first<V>(m, results); });
}

/// The matrix is dense along the results: sums of its rows, four at a time.
template <class T> void multiply_by_rows(const vector_product<T>& p) {
  using V = xsimd::batch<T>;
  if (p.results <= static_cast<std::int64_t>(V::size)) return multiply_short_columns(p);
  constexpr std::int64_t lanes = static_cast<std::int64_t>(V::size);
  for (std::int64_t first = 0; first < p.results; first += vector_part) {
    const std::int64_t results = std::min(vector_part, p.results - first);
    const std::int64_t whole = results - results % lanes;
    const int rest = static_cast<int>(results - whole);
    alignas(64) T sums[vector_part] = {};
    const auto add = [&]<int Rows>(std::integral_constant<int, Rows>, std::int64_t k) {
      V x[Rows];
      for (int r = 0; r < Rows; ++r) x[r] = V(p.x[(k + r) * p.x_step]);
      const T* m = p.m + first + k * p.m_inner;
      for (std::int64_t i = 0; i < whole; i += lanes) {
        V sum = V::load_aligned(sums + i);
        for (int r = 0; r < Rows; ++r)
          sum = math_of<V>::fma(x[r], V::load_unaligned(m + r * p.m_inner + i), sum);
        sum.store_aligned(sums + i);
      }
      if (rest > 0) {
        V sum = V::load_aligned(sums + whole);
        for (int r = 0; r < Rows; ++r)
          sum = math_of<V>::fma(x[r], load_first<V>(m + r * p.m_inner + whole, rest), sum);
        sum.store_aligned(sums + whole);
      }
    };
    std::int64_t k = 0;
    for (; k + 4 <= p.inner; k += 4) add(std::integral_constant<int, 4>{}, k);
    for (; k < p.inner; ++k) add(std::integral_constant<int, 1>{}, k);
    for (std::int64_t i = 0; i < results; ++i) put(p, first + i, sums[i]);
  }
}

}  // namespace core

/// c = a * b or c += a * b where a or b is a vector.
template <std::floating_point T> void multiply_vector(const matrix_product<T>& p) {
  const vector_product<T> v =
      p.rows == 1 ? vector_product<T>{p.a,       p.b,        p.c,       p.columns, p.inner,
                                      p.a_inner, p.b_column, p.b_inner, 1,         p.accumulates}
                  : vector_product<T>{p.b,       p.a,     p.c,       p.rows,  p.inner,
                                      p.b_inner, p.a_row, p.a_inner, p.c_row, p.accumulates};
  if (v.m_inner == 1 || v.inner == 1) return core::multiply_by_dots(v);
  if (v.m_result == 1 || v.results == 1) return core::multiply_by_rows(v);
  for (std::int64_t i = 0; i < v.results; ++i) {
    T sum(0);
    for (std::int64_t k = 0; k < v.inner; ++k)
      sum = math_of<T>::fma(v.x[k * v.x_step], v.m[i * v.m_result + k * v.m_inner], sum);
    core::put(v, i, sum);
  }
}

}  // namespace primal::cpu
