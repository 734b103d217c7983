// epilogues: kernels that only add one row to the rows of a product, or take its gelu, or both, become part of the
// product, for back ends whose products do so by themselves.
#pragma once

#include <primal/op/arithmetic.hpp>
#include <primal/op/gelu.hpp>
#include <primal/plan/plan.hpp>

#include <utility>

namespace primal {

/// What a kernel makes of the elements that it reads, if that is an epilogue.
class epilogue_reader {
 public:
  epilogue found = epilogue::empty;                               // `empty`: it does something else
  int product_access = -1, bias_access = -1, result_access = -1;  // of the kernel

  /// The product is in the workspace, the bias an input.
  constexpr epilogue_reader(const plan& own, const kernel_plan& kernel) : p(own), k(kernel) {
    for (const auto& phase : k.phases)
      for (const auto& s : phase.statements)
        if (!reads(s)) {
          found = epilogue::empty;
          return;
        }
  }

 private:
  /// What a register holds.
  enum class meaning : std::uint8_t { unknown, product, bias, biased, activated };

  const plan& p;
  const kernel_plan& k;
  sequence<std::pair<slot, meaning>> known;

  constexpr meaning at(slot s) const {
    for (const auto& [own, what] : known)
      if (own == s) return what;
    return meaning::unknown;
  }
  /// Takes the value of a register into account; false if it is none.
  constexpr bool set(slot s, meaning what) {
    known.push_back({s, what});
    return what != meaning::unknown;
  }
  constexpr bool reads(const kernel_statement& s) {
    const auto& f = s.fields;
    switch (f.what) {
      case action::load:    return set(f.dst, loaded(f.a.index));
      case action::convert: return is_floating(f.dst.type) && set(f.dst, at(f.a));
      case action::apply:   return set(f.dst, applied(s));
      case action::store:   return stores(at(f.a), f.b.index) && f.c.index == 0;
      default:              return false;
    }
  }
  constexpr meaning loaded(int access) {
    const bool calculated = p.buffers[k.accesses[access].buffer].where == storage::workspace;
    int& place = calculated ? product_access : bias_access;
    if (place >= 0) return meaning::unknown;
    place = access;
    return calculated ? meaning::product : meaning::bias;
  }
  constexpr meaning applied(const kernel_statement& s) const {
    const meaning a = at(s.fields.a), b = at(s.fields.b);
    const bool is_biased = (a == meaning::product && b == meaning::bias) ||
                           (a == meaning::bias && b == meaning::product);
    if (is<add_op>(s.op) && is_biased) return meaning::biased;
    if (is<tanh_gelu_op>(s.op) && a == argument()) return meaning::activated;
    return meaning::unknown;
  }
  /// What gelu is taken of.
  constexpr meaning argument() const {
    return bias_access < 0 ? meaning::product : meaning::biased;
  }
  constexpr bool stores(meaning what, int access) {
    const bool biased = bias_access >= 0;
    if (what == meaning::activated) found = biased ? epilogue::bias_and_gelu : epilogue::only_gelu;
    if (what == meaning::biased) found = epilogue::only_bias;
    const bool first = result_access < 0;
    result_access = access;
    return first && product_access >= 0 && (what == meaning::activated || what == meaning::biased);
  }
};

/// Folds such kernels into the products before them: they write where the kernels would. To be called before steps
/// have their order.
class epilogue_folding {
 public:
  constexpr explicit epilogue_folding(plan& own) : p(own) {
    if (p.matmuls.empty()) return;
    count_uses();
    for (int k = 0; k < p.kernels.size(); ++k) {
      const epilogue_reader own_kernel(p, p.kernels[k]);
      if (own_kernel.found == epilogue::empty) continue;
      for (auto& m : p.matmuls)
        if (fits(m, p.kernels[k], own_kernel)) fold(m, k, own_kernel);
    }
    remove_kernels();
  }

 private:
  plan& p;
  sequence<int> uses;    // of buffers, by steps
  sequence<int> folded;  // kernels

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

  constexpr bool fits(const matmul_plan& m, const kernel_plan& k, const epilogue_reader& r) const {
    const bool known = m.type == dtype::float32 || is_half(m.type);  // to cuBLASLt
    for (const auto& a : k.accesses)
      if (a.type != m.type || a.inner != 1) return false;
    const auto& product = k.accesses[r.product_access];
    return known && m.c == product.buffer && m.c_offset == product.offset && uses[m.c] == 2 &&
           m.after == epilogue::empty && !m.accumulates && m.batch.empty() &&
           (k.extents.empty() ? fits_as_one_row(m, k, r) : fits_by_rows(m, k, r));
  }
  constexpr bool fits_by_rows(const matmul_plan& m, const kernel_plan& k,
                              const epilogue_reader& r) const {
    const bool same = k.extents.size() == 1 && m.rows == k.extents[0] && m.columns == k.columns &&
                      m.c_row == k.accesses[r.product_access].strides[0] &&
                      k.accesses[r.result_access].strides[0] != 0;
    if (!same || r.bias_access < 0) return same;
    const auto& bias = k.accesses[r.bias_access];
    return bias.strides[0] == 0 && p.buffers[bias.buffer].where == storage::input;
  }
  constexpr bool fits_as_one_row(const matmul_plan& m, const kernel_plan& k,
                                 const epilogue_reader& r) const {
    auto extents = p.extents;  // may grow
    return r.bias_access < 0 && m.c_row == m.columns &&
           k.columns == extents.multiply(m.rows, m.columns);
  }

  constexpr void fold(matmul_plan& m, int k, const epilogue_reader& r) {
    const auto& accesses = p.kernels[k].accesses;
    const auto& result = accesses[r.result_access];
    m.after = r.found;
    if (r.bias_access >= 0) {
      m.bias = accesses[r.bias_access].buffer;
      m.bias_offset = accesses[r.bias_access].offset;
    }
    m.c = result.buffer;
    m.c_offset = result.offset;
    if (!result.strides.empty()) m.c_row = result.strides[0];
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
