// products: matrix products as steps of a plan: what they read, and where they write.
#pragma once

#include <primal/op/matmul.hpp>
#include <primal/plan/kinds.hpp>

#include <utility>

namespace primal {

/// Can a matrix product read an operand as it lies? One of the last two axes must be dense.
constexpr bool matmul_takes(const location& v, const shape& dims) {
  const int rank = dims.size();
  if (rank < 2) return rank == 1 && v.strides[0] == 1;
  const auto rows = dims[rank - 2], columns = dims[rank - 1];
  const auto row = v.strides[rank - 2], column = v.strides[rank - 1];
  if (column == 1 || columns == 1) return row != 0 || rows == 1;
  return (row == 1 || rows == 1) && column != 0;
}

/// The product of a statement, of operands and into a result that lie there.
constexpr matmul_plan describe_matmul(program& p, const statement& s, const location& a,
                                      const location& b, const location& c) {
  matmul_plan m;
  const auto flags = attributes_in<matmul_op>(p.attributes_of(s));
  const auto& da = p.shape_of(p.operand(s, 0));
  const auto& db = p.shape_of(p.operand(s, 1));
  const auto& dc = p.shape_of(s.first_result);
  m.a = a.buffer;
  m.b = b.buffer;
  m.c = c.buffer;
  m.a_offset = a.offset;
  m.b_offset = b.offset;
  m.type = p.dtype_of(s.first_result);
  const core::matrix_operand left(da, flags.transpose_a, true), right(db, flags.transpose_b, false);
  m.rows = left.rows;
  m.inner = left.columns;
  m.columns = right.columns;
  const int ra = da.size(), rb = db.size();
  const bool ta = flags.transpose_a, tb = flags.transpose_b;
  m.a_row = ra > 1 ? a.strides[ra - (ta ? 1 : 2)] : 0;
  m.a_inner = a.strides[ra - (ta && ra > 1 ? 2 : 1)];
  m.b_inner = rb > 1 ? b.strides[rb - (tb ? 1 : 2)] : b.strides[0];
  m.b_column = rb > 1 ? b.strides[rb - (tb ? 2 : 1)] : 0;
  const int batch = dc.size() - (ra > 1) - (rb > 1);
  m.c_row = ra > 1 ? c.strides[batch] : m.columns;
  for (int i = 0; i < batch; ++i) {
    m.batch.push_back(dc[i]);
    const int ia = i - (batch - (ra - 2)), ib = i - (batch - (rb - 2));
    m.a_batch.push_back(ia >= 0 && da[ia] != 1 ? a.strides[ia] : 0);
    m.b_batch.push_back(ib >= 0 && db[ib] != 1 ? b.strides[ib] : 0);
    m.c_batch.push_back(c.strides[i]);
  }
  return m;
}

/// Batches that are rows of one matrix, which a single matrix is multiplied with, become one product.
constexpr void join_batches(matmul_plan& m, extent_space& e) {
  const auto follows = [&](std::int64_t step, std::int64_t row) {
    return step == e.multiply(m.rows, row);
  };
  while (!m.batch.empty()) {
    const bool single = m.batch.back() == 1;
    if (!single && (m.b_batch.back() != 0 || !follows(m.a_batch.back(), m.a_row) ||
                    !follows(m.c_batch.back(), m.c_row)))
      return;
    m.rows = e.multiply(m.rows, m.batch.back());
    for (shape* s : {&m.batch, &m.a_batch, &m.b_batch, &m.c_batch}) s->resize(s->size() - 1);
  }
}

/// Lets a product write where a copy of its result would go. `copied` is the copy's node, a load of the whole
/// result; `to` has strides for the same axes. False if rows and columns of the copy are not dense.
constexpr bool write_to_copy(matmul_plan& m, const node& copied, const location& to) {
  struct axis {
    std::int64_t extent, from, to;
  };
  list<axis, max_rank> axes;  // of the copy
  for (int i = 0; i < copied.type.dims.size(); ++i)
    if (const auto n = copied.type.dims[i]; n != 1) {
      if (copied.map[i] < 0) return false;
      axes.push_back({n, copied.from.strides[i], to.strides[i]});
    }
  int found = 0;
  const auto target = [&](std::int64_t extent, std::int64_t from, std::int64_t otherwise) {
    if (extent == 1) return otherwise;
    for (const axis& a : axes)
      if (a.extent == extent && a.from == from) {
        ++found;
        return a.to;
      }
    found = -max_rank;
    return otherwise;
  };
  auto row = target(m.rows, m.c_row, m.columns), column = target(m.columns, 1, 1);
  shape batch = m.c_batch;
  for (int i = 0; i < batch.size(); ++i) batch[i] = target(m.batch[i], m.c_batch[i], 0);
  if (found != axes.size() || (column != 1 && row != 1)) return false;
  if (column != 1) {  // the transposed product
    std::swap(row, column);
    std::swap(m.a, m.b);
    std::swap(m.a_offset, m.b_offset);
    std::swap(m.rows, m.columns);
    std::swap(m.a_row, m.b_column);
    std::swap(m.a_inner, m.b_inner);
    std::swap(m.a_batch, m.b_batch);
  }
  m.c = to.buffer;
  m.c_offset = to.offset;
  m.c_row = row;
  m.c_batch = batch;
  return true;
}

}  // namespace primal
