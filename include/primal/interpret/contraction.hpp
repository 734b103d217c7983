// The matrix product as a plain loop.
#pragma once

#include <primal/interpret/reductions.hpp>

#include <utility>

namespace primal::interpretation {

/// A stack of matrices, read with strides.
struct matrices {
  const dense& x;
  positions batch;  // strides of the axes of the result that are not the matrix
  std::int64_t row = 0, column = 0, rows = 0, columns = 0;

  matrices(const dense& array, bool transposed, const positions& result_extents) : x(array) {
    const auto own = strides_of(x.extents);
    const auto n = x.extents.size();
    row = own[n - 2], column = own[n - 1];
    rows = x.extents[n - 2], columns = x.extents[n - 1];
    if (transposed) std::swap(row, column), std::swap(rows, columns);
    batch.assign(result_extents.size() - 2, 0);
    const auto shift = result_extents.size() - n;
    for (std::size_t i = 0; i + 2 < n; ++i)
      if (x.extents[i] != 1) batch[i + shift] = own[i];
  }
  double at(std::int64_t origin, std::int64_t i, std::int64_t k) const {
    return x[origin + i * row + k * column];
  }
};

/// out[..., i, j] = sum over k of a[..., i, k] * b[..., k, j]; the axes before the last two broadcast.
inline dense contracted(const dense& a, bool transpose_a, const dense& b, bool transpose_b,
                        const positions& extents, dtype d) {
  const matrices left(a, transpose_a, extents), right(b, transpose_b, extents);
  return generated(extents, d, [&](const positions& at) {
    const positions batch(at.begin(), at.end() - 2);
    const auto p = offset_at(batch, left.batch), q = offset_at(batch, right.batch);
    const auto i = at[at.size() - 2], j = at[at.size() - 1];
    sum_of sum;
    for (std::int64_t k = 0; k < left.columns; ++k) sum.add(left.at(p, i, k) * right.at(q, k, j));
    return sum.value();
  });
}

}  // namespace primal::interpretation
