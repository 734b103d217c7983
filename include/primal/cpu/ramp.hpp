// ramp: places in the lanes of a register.
#pragma once

#include <primal/cpu/lanes.hpp>

namespace primal {

/// 0, step, 2 * step and so on in the lanes of V.
template <class V, class Step> PRIMAL_INLINE V ramp() {
  using T = typename cpu::lane_access<V>::element;
  struct steps {
    alignas(64) T t[cpu::lane_access<V>::count];
    constexpr steps() : t{} {
      for (int i = 0; i < cpu::lane_access<V>::count; ++i)
        t[i] = static_cast<T>(static_cast<T>(i) * static_cast<T>(Step::value));
    }
  };
  static constexpr steps table;
  return cpu::lane_access<V>::load(table.t);
}

}  // namespace primal
