// simd_piece: neighbouring elements of a row in a register, and the arrays they come from.
#pragma once

#include <primal/cpu/fold.hpp>
#include <primal/cpu/partial.hpp>
#include <primal/cpu/ramp.hpp>
#include <primal/kernel/rows.hpp>

namespace primal {

/// One piece of a row: as many elements as a register holds, or, if `Partial`, the n that are left.
/// `places` has the places of its elements in the row, of each integer dtype that asks for them.
template <class Lanes, class Constants, class Arguments, class Places, bool Partial, bool Streams>
struct simd_piece {
  template <dtype D> using value = typename Lanes::template value<D>;
  static constexpr int lanes = Lanes::count;
  static constexpr bool partial = Partial;

  const Arguments& a;
  const row_state<Arguments>& row;
  const Places& places;
  std::int64_t c;
  int n;
  bool streamed;  // past the caches, in whole lines of memory

  template <int Mask> PRIMAL_INLINE bool writes() const { return row.template at_origin<Mask>(); }

  template <class M> PRIMAL_INLINE M* element(int access) const {
    return reinterpret_cast<M*>(row.at[access]) + c;
  }
  template <class M> PRIMAL_INLINE M* strided(int access, int lane) const {
    return reinterpret_cast<M*>(row.at[access]) + (c + lane) * a.inner_stride[access];
  }
  template <class I> PRIMAL_INLINE std::int64_t moved(int access, I index) const {
    return checked_index(a, access, static_cast<std::int64_t>(index)) * a.index_stride[access];
  }

  PRIMAL_INLINE int present() const { return Partial ? n : lanes; }

  template <dtype D, dtype Memory, bool Strided> PRIMAL_INLINE value<D> load(int access) const {
    using V = value<D>;
    using M = element_of<Memory>;
    if constexpr (Strided) {
      using T = typename cpu::lane_access<V>::element;
      if (a.inner_stride[access] == 0) return V(static_cast<T>(*strided<M>(access, 0)));
      if (a.inner_stride[access] == 1) return cpu::load_piece<Partial, V>(element<M>(access), n);
      alignas(64) T t[lanes] = {};
      for (int i = 0; i < present(); ++i) t[i] = static_cast<T>(*strided<M>(access, i));
      return cpu::lane_access<V>::load(t);
    } else {
      return cpu::load_piece<Partial, V>(element<M>(access), n);
    }
  }
  /// Does one index say where this whole piece of the row lies?
  template <bool Uniform> PRIMAL_INLINE bool moves_as_one(int access) const {
    return Uniform && a.inner_stride[access] == 1;
  }
  template <class I> PRIMAL_INLINE std::int64_t moved_by_first(int access, const I& index) const {
    typename cpu::lane_access<I>::element j[lanes];
    cpu::lane_access<I>::store(j, index);
    return moved(access, j[0]);
  }
  template <dtype D, dtype Memory, bool Uniform, class I>
  PRIMAL_INLINE value<D> gather(int access, const I& index) const {
    using V = value<D>;
    if (moves_as_one<Uniform>(access))
      return cpu::load_piece<Partial, V>(
          element<const element_of<Memory>>(access) + moved_by_first(access, index), n);
    using T = typename cpu::lane_access<V>::element;
    using J = typename cpu::lane_access<I>::element;
    alignas(64) J j[lanes];
    alignas(64) T t[lanes] = {};
    cpu::lane_access<I>::store(j, index);
    for (int i = 0; i < present(); ++i)
      t[i] = static_cast<T>(strided<const element_of<Memory>>(access, i)[moved(access, j[i])]);
    return cpu::lane_access<V>::load(t);
  }
  template <dtype Memory, bool Strided, class V>
  PRIMAL_INLINE void store(int access, const V& x) const {
    using M = element_of<Memory>;
    if constexpr (Strided) {
      using T = typename cpu::lane_access<V>::element;
      alignas(64) T t[lanes];
      cpu::lane_access<V>::store(t, x);
      for (int i = 0; i < present(); ++i) *strided<M>(access, i) = static_cast<M>(t[i]);
    } else if constexpr (Partial && Streams && std::is_same_v<V, xsimd::batch<M>>) {
      cpu::store_first_in_parts(element<M>(access), x, n);
    } else if constexpr (Partial) {
      cpu::store_first(element<M>(access), x, n);
    } else {
      cpu::store_whole(element<M>(access), x, streamed);
    }
  }
  template <dtype Memory, combiner C, class V>
  PRIMAL_INLINE void accumulate(int access, const V& x) const {
    auto* p = element<element_of<Memory>>(access);
    cpu::store_piece<Partial>(p, combine<C>(cpu::load_piece<Partial, V>(p, n), x), n);
  }
  template <dtype Memory, class V>
  PRIMAL_INLINE void accumulate_product(int access, const V& x, const V& y) const {
    auto* p = element<element_of<Memory>>(access);
    cpu::store_piece<Partial>(p, math_of<V>::fma(x, y, cpu::load_piece<Partial, V>(p, n)), n);
  }
  template <dtype Memory, bool Uniform, class V, class I>
  PRIMAL_INLINE void scatter(int access, const V& x, const I& index) const {
    if (moves_as_one<Uniform>(access)) {
      auto* p = element<element_of<Memory>>(access) + moved_by_first(access, index);
      return cpu::store_piece<Partial>(p, V(cpu::load_piece<Partial, V>(p, n) + x), n);
    }
    using T = typename cpu::lane_access<V>::element;
    using J = typename cpu::lane_access<I>::element;
    alignas(64) J j[lanes];
    alignas(64) T t[lanes];
    cpu::lane_access<I>::store(j, index);
    cpu::lane_access<V>::store(t, x);
    for (int i = 0; i < present(); ++i) {
      auto* p = strided<element_of<Memory>>(access, i) + moved(access, j[i]);
      *p = static_cast<element_of<Memory>>(static_cast<T>(*p) + t[i]);
    }
  }
  template <int Start, int Step, dtype D> PRIMAL_INLINE value<D> position() const {
    using V = value<D>;
    using T = typename cpu::lane_access<V>::element;
    using steps = constant_value<Constants, Step, T>;
    constexpr T start = constant_value<Constants, Start, T>::value, step = steps::value;
    if constexpr (!is_integer(D))
      return ramp<V, steps>() +
             V(static_cast<T>(start + step * static_cast<T>(row.first_column + c)));
    else if constexpr (start == T(0) && step == T(1)) return item<D>(places, 0);
    else return V(start) + V(step) * item<D>(places, 0);
  }
  template <class V> PRIMAL_INLINE void keep(int number, const V& x) const {
    cpu::store_piece<false>(buffer<V>(number), x, n);
  }
  template <dtype D> PRIMAL_INLINE value<D> recall(int number) const {
    return cpu::load_piece<false, value<D>>(buffer<value<D>>(number), n);
  }
  template <class V> PRIMAL_INLINE auto* buffer(int number) const {
    using T = typename cpu::lane_access<V>::element;
    return reinterpret_cast<T*>(static_cast<typename Lanes::base*>(a.buffers) +
                                number * a.buffer_length) +
           c;
  }
  /// x, with lanes that do not exist set to what changes nothing.
  template <combiner C, class V> PRIMAL_INLINE V fill(const V& x) const {
    if constexpr (Partial)
      return cpu::keep_first(x, identity_of<C, typename cpu::lane_access<V>::element>(), n);
    else return x;
  }
};

}  // namespace primal
