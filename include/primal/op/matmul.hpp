// The matrix product.
#pragma once

#include <primal/op/shape.hpp>

namespace primal {

/// The sum over k of a[..., i, k] * b[..., k, j], with NumPy's rules: the axes before the last two
/// broadcast, a vector is a row on the left and a column on the right, and its axis disappears. The
/// flags transpose the last two axes of an operand first; vectors ignore them. 16-bit floats are
/// added in float32.
/// Gradients: dy * b^T and a^T * dy, with the flags of a product instead of transposes.
struct matmul_op : primitive<matmul_op> {
  static constexpr op_name name{"matmul"};
  using dtypes = arithmetic_dtype;
  struct attributes {
    bool transpose_a = false, transpose_b = false;
  };

  static constexpr tensor_type infer(tensor a, tensor b, attributes flags);
  static constexpr tensors vjp(saved s, tensor dy, attributes flags);
};
inline constexpr op<matmul_op> matmul{};

namespace core {

/// An operand of a product as a stack of matrices.
struct matrix_operand {
  shape batch;
  std::int64_t rows = 1, columns = 1;

  /// `row`: a vector is one row, else one column.
  constexpr matrix_operand(const shape& dims, bool transposed, bool row) {
    const int rank = dims.size();
    for (int i = 0; i + 2 < rank; ++i) batch.push_back(dims[i]);
    if (rank == 1) (row ? columns : rows) = dims[0];
    if (rank < 2) return;
    rows = dims[rank - (transposed ? 1 : 2)];
    columns = dims[rank - (transposed ? 2 : 1)];
  }
};

/// A vector as a matrix of one row or one column.
constexpr tensor as_matrix(const tensor& x, bool row) {
  if (x.rank() != 1) return x;
  return row ? reshape(x, {1, x.extent(0)}) : reshape(x, {x.extent(0), 1});
}

/// All axes but the last as one.
constexpr tensor as_rows(const tensor& x) {
  extent rows = 1;
  for (int i = 0; i + 1 < x.rank(); ++i) rows = rows * x.extent(i);
  return reshape(x, {rows, x.extent(-1)});
}

}  // namespace core

constexpr tensor_type matmul_op::infer(tensor a, tensor b, attributes flags) {
  auto& r = *a.owner;
  const auto fail = [&](std::string_view problem) {
    r.report.fail(join("matmul: ", problem, ": ", describe(r, a.type()),
                       flags.transpose_a ? "^T" : "", " x ", describe(r, b.type()),
                       flags.transpose_b ? "^T" : ""));
  };
  if (a.rank() == 0 || b.rank() == 0) fail("an operand has no axes; multiply by a number with *");
  const core::matrix_operand left(a.type().dims, flags.transpose_a, true),
      right(b.type().dims, flags.transpose_b, false);
  if (!same_extent(r, left.columns, right.rows, "matmul")) fail("inner dimensions differ");
  auto dims = left.batch;
  if (!broadcast_into(r, dims, right.batch, "matmul")) fail("leading axes do not broadcast");
  if (a.rank() > 1) dims.push_back(left.rows);
  if (b.rank() > 1) dims.push_back(right.columns);
  return {dims, a.dtype()};
}

constexpr tensors matmul_op::vjp(saved s, tensor dy, attributes flags) {
  auto a = s.input(0), b = s.input(1);
  const bool ta = flags.transpose_a && a.rank() > 1, tb = flags.transpose_b && b.rank() > 1;
  const bool vector_a = a.rank() == 1, vector_b = b.rank() == 1;
  if (vector_a || vector_b) {  // dy again has the axes that disappeared
    auto dims = dy.shape();
    if (vector_a) dims.insert(dims.size() - (vector_b ? 0 : 1), 1);
    if (vector_b) dims.push_back(1);
    dy = reshape(dy, dims);
    a = core::as_matrix(a, true), b = core::as_matrix(b, false);
  }
  auto da = ta ? matmul(b, dy, {tb, true}) : matmul(dy, b, {false, !tb});
  // One matrix on the right of a stack: the stack is one tall matrix.
  const bool tall = b.rank() == 2 && a.rank() > 2 && !ta;
  const auto rows = tall ? core::as_rows(a) : a, ct = tall ? core::as_rows(dy) : dy;
  auto db = tb ? matmul(ct, rows, {true, ta}) : matmul(rows, ct, {!ta, false});
  const auto vector = [](const tensor& x, bool row) {  // the stack stays for the engine to add up
    auto dims = x.shape();
    extents out;
    for (int i = 0; i < dims.size(); ++i)
      if (i != dims.size() - (row ? 2 : 1)) out.push_back(dims[i]);
    return reshape(x, out);
  };
  return {vector_a ? vector(da, true) : da, vector_b ? vector(db, false) : db};
}

}  // namespace primal
