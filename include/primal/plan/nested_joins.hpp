// nested_joins: a `concat` that is used for nothing but to be a part of another one is written where it goes.
#pragma once

#include <primal/plan/joining.hpp>

namespace primal {

class nested_joins : public joining_clusters {
 public:
  constexpr explicit nested_joins(const program& source) : joining_clusters(source) {
    for (int i = p.size() - 1; i >= 0; --i)
      if (is<concat_op>(p.at(i).op)) find_inner(p.at(i));
  }

 protected:
  /// Where the result of a `concat` is written.
  constexpr location place_of(int v) {
    for (auto& own : inner_)
      if (own.value == v) return part_of(own.outer, own.operand);
    for (auto& own : outer_)
      if (own.value == v) {
        if (own.where.buffer < 0) own.where = new_memory(v);
        return own.where;
      }
    return new_memory(v);
  }

 private:
  struct inner {
    int value = -1, outer = -1, operand = 0;
  };
  struct outer {
    int value = -1;
    location where;
  };
  sequence<inner> inner_;
  sequence<outer> outer_;

  constexpr void find_inner(const statement& s) {
    bool found = false;
    for (int i = 0; i < s.operand_count; ++i) {
      int u = p.operand(s, i);
      while (state(u).uses == 1 && is<reshape_op>(p.maker(u).op) && renames_axes(p, p.maker(u)))
        u = p.operand(p.maker(u), 0);
      if (state(u).uses != 1 || !is<concat_op>(p.maker(u).op)) continue;
      inner_.push_back({u, s.first_result, i});
      found = true;
    }
    if (found) outer_.push_back({s.first_result, {}});
  }
  /// Operand i of the `concat` that makes v, along the axes of the `concat` behind it.
  constexpr location part_of(int v, int i) {
    const auto& s = p.maker(v);
    const int axis = concat_axis(p, s);
    location w = place_of(v);
    for (int k = 0; k < i; ++k)
      w.offset = p.extents.add(w.offset,
                               p.extents.multiply(extent(p.operand(s, k), axis), w.strides[axis]));
    for (int u = p.operand(s, i); is<reshape_op>(p.maker(u).op); u = p.operand(p.maker(u), 0)) {
      const auto strides = w.strides;
      w.strides = {};
      w.strides.resize(p.shape_of(p.operand(p.maker(u), 0)).size());
      for (int k = 0; k < strides.size(); ++k)
        if (const int own = operand_axis(p, p.maker(u), 0, k); own >= 0)
          w.strides[own] = strides[k];
    }
    return w;
  }
};

}  // namespace primal
