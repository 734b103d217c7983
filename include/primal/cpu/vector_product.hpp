// vector_product: a matrix times a vector, read once and in the order in which it lies.
#pragma once

#include <primal/cpu/matrix_product.hpp>
#include <primal/cpu/partial.hpp>

#include <algorithm>
#include <concepts>

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
  for (int i = 0; i < Count; ++i) {
    alignas(64) T parts[lanes];
    sums[i].store_aligned(parts);
    for (std::int64_t half = lanes / 2; half > 0; half /= 2)
      for (std::int64_t lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    const T sum = parts[0];
    y[i * y_step] = accumulates ? y[i * y_step] + sum : sum;
  }
}

template <class T> void put(const vector_product<T>& p, std::int64_t i, T sum) {
  T& y = p.y[i * p.y_step];
  y = p.accumulates ? y + sum : sum;
}

/// The matrix is dense along the summands.
template <class T> void multiply_by_dots(const vector_product<T>& p) {
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

/// The matrix is dense along the results: sums of its rows, four at a time.
template <class T> void multiply_by_rows(const vector_product<T>& p) {
  using V = xsimd::batch<T>;
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
