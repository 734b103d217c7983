// used_extents: of the polynomials that led to a plan it keeps those that a call has to evaluate.
#pragma once

#include <primal/plan/plan.hpp>

namespace primal {

/// Renames the extents of a plan. (For the gradient of a product of free length 29 of 426 are left, and a call takes
/// 1.4 instead of 3.8 us.)
class used_extents {
  // First, because clang 19 instantiates it where it is called in this class.
  template <class F> constexpr void for_each_code(const F& f) {
    const auto each = [&](shape& s) {
      for (auto& code : s) f(code);
    };
    for (auto& b : p.buffers) f(b.size);
    for (auto& k : p.kernels) {
      f(k.columns);
      each(k.extents);
      for (auto& a : k.accesses) {
        for (auto* code : {&a.offset, &a.inner, &a.index_stride, &a.index_extent}) f(*code);
        each(a.strides);
      }
      for (auto& phase : k.phases)
        for (auto& s : phase.statements)
          if (int& i = s.fields.a.index; s.fields.what == action::extent) {
            std::int64_t code = first_unknown - i;
            f(code);
            i = extent_space::index(code);
          }
    }
    for (auto& m : p.matmuls) {
      for (auto* code : {&m.a_offset, &m.b_offset, &m.c_offset, &m.rows, &m.columns, &m.inner,
                         &m.a_row, &m.a_inner, &m.b_inner, &m.b_column, &m.c_row, &m.bias_offset})
        f(*code);
      for (auto* s : {&m.batch, &m.a_batch, &m.b_batch, &m.c_batch}) each(*s);
    }
  }

 public:
  constexpr explicit used_extents(plan& own) : p(own), place(own.extents.polynomials.size(), -1) {
    for_each_code([&](std::int64_t& code) { mark(code); });
    extent_space kept;
    kept.names = p.extents.names;
    kept.aliases = p.extents.aliases;
    for (int i = 0; i < place.size(); ++i) {
      if (place[i] < 0) continue;
      place[i] = kept.polynomials.size();
      kept.polynomials.push_back(p.extents.polynomials[i]);
    }
    for_each_code([&](std::int64_t& code) { rename(code); });
    for (atom a : p.extents.atoms) {
      if (a.kind != atom::symbol) rename(a.a), rename(a.b);
      kept.atoms.push_back(a);
    }
    p.extents = std::move(kept);
  }

 private:
  plan& p;
  sequence<int> place;  // of every polynomial among those that are left, or -1

  constexpr void mark(std::int64_t code) {
    if (is_number(code) || place[extent_space::index(code)] == 0) return;
    place[extent_space::index(code)] = 0;
    for (const auto& m : p.extents.polynomials[extent_space::index(code)])
      for (int x : m.atoms)
        if (const auto& a = p.extents.atoms[x]; a.kind != atom::symbol) mark(a.a), mark(a.b);
  }
  constexpr void rename(std::int64_t& code) const {
    if (is_number(code)) return;
    const int to = place[extent_space::index(code)];
    code = to < 0 ? 0 : first_unknown - to;
  }
};

}  // namespace primal
