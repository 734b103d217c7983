// biases: products that add one row to all of theirs, for back ends whose matrix products do so by themselves.
#pragma once

#include <primal/op/arithmetic.hpp>
#include <primal/plan/plan.hpp>

namespace primal {

/// Folds kernels that do nothing but add a row, which is an input, to the rows of a product: the product writes where
/// they would. To be called before steps have their order.
class bias_folding {
 public:
  constexpr explicit bias_folding(plan& own) : p(own) {
    count_uses();
    for (int k = 0; k < p.kernels.size(); ++k)
      if (const auto added = sum_of(p.kernels[k]); added.product >= 0)
        for (auto& m : p.matmuls)
          if (fits(m, p.kernels[k], added)) fold(m, k, added);
    remove_kernels();
  }

 private:
  plan& p;
  sequence<int> uses;    // of buffers, by steps
  sequence<int> folded;  // kernels

  /// The arrays of a kernel that adds a row to all rows; `product` is -1 if it is another one.
  struct addition {
    int product = -1, row = -1, result = -1;
  };

  constexpr void use(int buffer) {
    if (buffer >= 0) ++uses[buffer];
  }
  constexpr void count_uses() {
    uses.assign(p.buffers.size(), 0);
    for (const auto& m : p.matmuls)
      for (int b : {m.a, m.b, m.c}) use(b);
    for (const auto& f : p.fills) use(f.buffer);
    for (const auto& k : p.kernels)
      for (const auto& a : k.accesses) use(a.buffer);
  }

  constexpr addition sum_of(const kernel_plan& k) const {
    addition other, found;
    if (k.extents.size() != 1 || k.flat || k.accesses.size() != 3) return other;
    slot first, second, total;
    int loads = 0;
    bool adds = false;
    for (const auto& phase : k.phases)
      for (const auto& s : phase.statements) {
        const auto& f = s.fields;
        if (!phase.sweep) return other;
        if (f.what == action::load) {
          (loads++ == 0 ? first : second) = f.dst;
          auto& place = p.buffers[k.accesses[f.a.index].buffer].where == storage::workspace
                            ? found.product
                            : found.row;
          place = f.a.index;
        } else if (f.what == action::apply && s.op == &info_of<add_op>) {
          adds = (f.a == first && f.b == second) || (f.a == second && f.b == first);
          total = f.dst;
        } else if (f.what == action::store && f.a == total && f.c.index == 0) {
          found.result = f.b.index;
        } else {
          return other;
        }
      }
    const bool whole = adds && loads == 2 && found.row >= 0 && found.result >= 0;
    return whole ? found : other;
  }

  constexpr bool fits(const matmul_plan& m, const kernel_plan& k, const addition& added) const {
    const auto &product = k.accesses[added.product], &row = k.accesses[added.row],
               &result = k.accesses[added.result];
    const bool known = m.type == dtype::float32 || is_half(m.type);  // to cuBLASLt
    const bool alike = product.type == m.type && row.type == m.type && result.type == m.type;
    const bool dense = product.inner == 1 && row.inner == 1 && result.inner == 1;
    return known && alike && dense && m.c == product.buffer && m.c_offset == product.offset &&
           m.bias < 0 && !m.accumulates && m.batch.empty() && m.rows == k.extents[0] &&
           m.columns == k.columns && m.c_row == product.strides[0] && row.strides[0] == 0 &&
           result.strides[0] != 0 && p.buffers[row.buffer].where == storage::input &&
           uses[m.c] == 2;
  }

  constexpr void fold(matmul_plan& m, int k, const addition& added) {
    const auto &row = p.kernels[k].accesses[added.row],
               &result = p.kernels[k].accesses[added.result];
    m.bias = row.buffer;
    m.bias_offset = row.offset;
    m.c = result.buffer;
    m.c_offset = result.offset;
    m.c_row = result.strides[0];
    folded.push_back(k);
  }

  constexpr void remove_kernels() {
    if (folded.empty()) return;
    sequence<int> number(p.kernels.size(), 0);
    for (int k : folded) number[k] = -1;
    sequence<kernel_plan> kernels;
    for (int k = 0; k < p.kernels.size(); ++k) {
      if (number[k] < 0) continue;
      number[k] = kernels.size();
      kernels.push_back(std::move(p.kernels[k]));
    }
    p.kernels = std::move(kernels);
    sequence<step> steps;
    for (auto s : p.steps) {
      if (s.kind == step_kind::kernel) s.index = number[s.index];
      if (s.index >= 0) steps.push_back(s);
    }
    p.steps = std::move(steps);
  }
};

}  // namespace primal
