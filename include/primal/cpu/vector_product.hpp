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

#if defined(PRIMAL_SHUFFLES)
/// Sums of the lanes of Count registers, a power of two: lane i of x[0] becomes that of register i. Neighbouring groups
/// of lanes are added in one order, however many registers there are.
template <class T, int W> struct lane_sums {
  using vector [[gnu::vector_size(W * sizeof(T))]] = T;

  template <int Count, int Group = 1> static PRIMAL_INLINE void add_up(vector* x) {
    if constexpr (Group < W) {
      if constexpr (Count == 1) add_groups<Group>(x[0], x[0], x[0], all);
      for (int i = 0; i < Count / 2; ++i) add_groups<Group>(x[i], x[2 * i], x[2 * i + 1], all);
      add_up<(Count + 1) / 2, 2 * Group>(x);
    }
  }

 private:
  static constexpr std::make_integer_sequence<int, W> all{};

  /// Groups of sums of x and of y by turns.
  template <int Group, int... I>
  static PRIMAL_INLINE void add_groups(vector& to, const vector& x, const vector& y,
                                       std::integer_sequence<int, I...>) {
    const vector first = __builtin_shufflevector(x, y, (I & Group ? W + I - Group : I)...);
    const vector second = __builtin_shufflevector(x, y, (I & Group ? W + I : I + Group)...);
    to = first + second;
  }
};
#endif

/// The sum of the lanes of each register.
template <int Count, class V, class T = typename V::value_type>
PRIMAL_INLINE void sums_of_lanes(const V (&x)[Count], T (&sums)[Count]) {
  constexpr int lanes = static_cast<int>(V::size);
#if defined(PRIMAL_SHUFFLES)
  typename lane_sums<T, lanes>::vector rows[Count];
  std::memcpy(&rows, &x, sizeof rows);
  lane_sums<T, lanes>::template add_up<Count>(rows);
  std::memcpy(sums, &rows[0], sizeof sums);
#else
  alignas(64) T parts[lanes];
  for (int i = 0; i < Count; ++i) {
    x[i].store_aligned(parts);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane) parts[lane] += parts[lane + half];
    sums[i] = parts[0];
  }
#endif
}

/// Writes the results from number i on.
template <int Count, class T>
PRIMAL_INLINE void put(const vector_product<T>& p, std::int64_t i, const T (&sums)[Count]) {
  T* y = p.y + i * p.y_step;
  if (p.accumulates)
    for (int r = 0; r < Count; ++r) y[r * p.y_step] += sums[r];
  else if (p.y_step == 1) std::memcpy(y, sums, sizeof sums);
  else
    for (int r = 0; r < Count; ++r) y[r * p.y_step] = sums[r];
}

template <class T> void put(const vector_product<T>& p, std::int64_t i, T sum) {
  put<1>(p, i, {sum});
}

/// Count results at once, each the sum of the products of two dense vectors.
template <int Count, class T>
PRIMAL_INLINE void dense_dots(const vector_product<T>& p, std::int64_t first) {
  using V = xsimd::batch<T>;
  constexpr std::int64_t lanes = static_cast<std::int64_t>(V::size);
  const T* m = p.m + first * p.m_result;
  V sums[Count];
  for (V& sum : sums) sum = V(T(0));
  std::int64_t k = 0;
  for (; k + lanes <= p.inner; k += lanes) {
    const V left = V::load_unaligned(p.x + k);
    for (int i = 0; i < Count; ++i)
      sums[i] = math_of<V>::fma(left, V::load_unaligned(m + i * p.m_result + k), sums[i]);
  }
  if (const int rest = static_cast<int>(p.inner - k); rest > 0) {
    const V left = load_first<V>(p.x + k, rest);
    for (int i = 0; i < Count; ++i)
      sums[i] = math_of<V>::fma(left, load_first<V>(m + i * p.m_result + k, rest), sums[i]);
  }
  T results[Count];
  sums_of_lanes(sums, results);
  put(p, first, results);
}

/// Rows that fit into a register, as the eight features of a regression: the vector stays in one, and the sums of as
/// many rows as a register has lanes become one.
template <class T> void multiply_short_rows(const vector_product<T>& p) {
  using V = xsimd::batch<T>;
  constexpr int lanes = static_cast<int>(V::size);
  const int inner = static_cast<int>(p.inner);
  const V x = load_first<V>(p.x, inner);
  const auto multiply = [&](const auto& load) PRIMAL_LAMBDA_INLINE {
    const auto add = [&]<int Count>(std::integral_constant<int, Count>, std::int64_t i)
                         PRIMAL_LAMBDA_INLINE {
                           V products[Count];
                           T sums[Count];
                           for (int r = 0; r < Count; ++r)
                             products[r] = x * load(p.m + (i + r) * p.m_result);
                           sums_of_lanes(products, sums);
                           put(p, i, sums);
                         };
    std::int64_t i = 0;
    for (; i + lanes <= p.results; i += lanes) add(std::integral_constant<int, lanes>{}, i);
    for (; i < p.results; ++i) add(std::integral_constant<int, 1>{}, i);
  };
  if (inner == lanes)
    multiply([](const T* m) PRIMAL_LAMBDA_INLINE { return V::load_unaligned(m); });
  else multiply([inner](const T* m) PRIMAL_LAMBDA_INLINE { return load_first<V>(m, inner); });
}

/// The matrix is dense along the summands.
template <class T> void multiply_by_dots(const vector_product<T>& p) {
  T dense[vector_part];
  const std::int64_t summands = p.x_step == 1 ? p.inner : vector_part;
  for (std::int64_t k = 0; k < p.inner; k += summands) {
    vector_product<T> part = p;
    part.x = p.x + k * p.x_step;
    part.m = p.m + k;
    part.inner = std::min(summands, p.inner - k);
    part.accumulates = p.accumulates || k > 0;
    if (p.x_step != 1) {
      for (std::int64_t i = 0; i < part.inner; ++i) dense[i] = part.x[i * p.x_step];
      part.x = dense;
    }
    if (part.inner <= static_cast<std::int64_t>(xsimd::batch<T>::size)) {
      multiply_short_rows(part);
      continue;
    }
    std::int64_t i = 0;
    for (; i + 4 <= p.results; i += 4) dense_dots<4>(part, i);
    for (; i < p.results; ++i) dense_dots<1>(part, i);
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
