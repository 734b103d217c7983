// bundle_piece: a column of neighbouring rows, one row a lane, and the arrays it comes from.
#pragma once

#include <primal/cpu/fold.hpp>
#include <primal/cpu/partial.hpp>
#include <primal/kernel/rows.hpp>

#include <bit>

namespace primal {

/// Column c of as many neighbouring rows as a register has lanes, from number `skipped` on, or, if `Partial`, of the
/// first n. Rows are neighbours along the last outer axis.
template <class Shape, class Constants, class Arguments, bool Partial> struct bundle_piece {
  using lanes = simd_lanes<Shape::lane_bytes>;
  using bundle = typename Shape::rows;
  template <dtype D> using value = typename lanes::template value<D>;
  static constexpr int width = lanes::count;
  static constexpr int axis = Arguments::axis_room - 1;
  static constexpr bool partial = false;  // reductions stay in their lanes

  const Arguments& a;
  const row_state<Arguments>& row;
  std::int64_t c;
  int n, skipped = 0;

  template <int Mask> PRIMAL_INLINE bool writes() const { return row.template at_origin<Mask>(); }
  PRIMAL_INLINE int present() const { return Partial ? n : width; }

  template <class M> PRIMAL_INLINE M* element(int access) const {
    return reinterpret_cast<M*>(row.at[access]) + c * a.inner_stride[access];
  }
  template <class M> PRIMAL_INLINE static M* moved_to_lane(M* p, std::int64_t bytes) {
    using byte = std::conditional_t<std::is_const_v<M>, const char, char>;
    return reinterpret_cast<M*>(reinterpret_cast<byte*>(p) + bytes);
  }
  template <class M> PRIMAL_INLINE M* element(int access, int lane) const {
    return moved_to_lane(element<M>(access), (skipped + lane) * a.stride[access][axis]);
  }
  template <class I> PRIMAL_INLINE std::int64_t moved(int access, I index) const {
    return checked_index(a, access, static_cast<std::int64_t>(index)) * a.index_stride[access];
  }
  /// Elements of these rows that lie in scratch memory, a column after another.
  PRIMAL_INLINE typename lanes::base* staged(int access) const {
    constexpr auto moved_rows = bundle::staged_in | bundle::staged_out;
    const int before = std::popcount(moved_rows & ((std::uint64_t{1} << access) - 1));
    return static_cast<typename lanes::base*>(a.buffers) +
           (Shape::buffers + before) * a.columns * width + c * width;
  }
  static constexpr bool in(std::uint64_t mask, int access) { return (mask >> access & 1) != 0; }

  template <dtype D, dtype Memory, bool> PRIMAL_INLINE value<D> load(int access) const {
    using V = value<D>;
    using M = element_of<Memory>;
    using T = typename cpu::lane_access<V>::element;
    if constexpr (std::is_same_v<M, typename lanes::base>)
      if (in(bundle::staged_in, access)) return cpu::load_piece<false, V>(staged(access), n);
    const M* p = element<const M>(access);
    if (in(bundle::dense, access)) return cpu::load_piece<Partial, V>(p + skipped, n);
    if (in(bundle::repeated, access)) return V(static_cast<T>(*p));
    alignas(64) T t[width] = {};
    for (int i = 0; i < present(); ++i) t[i] = static_cast<T>(*element<const M>(access, i));
    return cpu::lane_access<V>::load(t);
  }
  template <dtype D, dtype Memory, bool, class I>
  PRIMAL_INLINE value<D> gather(int access, const I& index) const {
    using V = value<D>;
    using T = typename cpu::lane_access<V>::element;
    using J = typename cpu::lane_access<I>::element;
    alignas(64) J j[width];
    alignas(64) T t[width] = {};
    cpu::lane_access<I>::store(j, index);
    for (int i = 0; i < present(); ++i)
      t[i] = static_cast<T>(element<const element_of<Memory>>(access, i)[moved(access, j[i])]);
    return cpu::lane_access<V>::load(t);
  }
  template <dtype Memory, bool, class V> PRIMAL_INLINE void store(int access, const V& x) const {
    using M = element_of<Memory>;
    if constexpr (std::is_same_v<M, typename lanes::base>)
      if (in(bundle::staged_out, access)) return cpu::store_piece<false>(staged(access), x, n);
    if (in(bundle::dense, access)) return cpu::store_piece<Partial>(element<M>(access), x, n);
    using T = typename cpu::lane_access<V>::element;
    alignas(64) T t[width];
    cpu::lane_access<V>::store(t, x);
    const int count = in(bundle::repeated, access) ? 1 : present();
    for (int i = 0; i < count; ++i) *element<M>(access, i) = static_cast<M>(t[i]);
  }
  template <dtype Memory, combiner C, class V>
  PRIMAL_INLINE void accumulate(int access, const V& x) const {
    using M = element_of<Memory>;
    using T = typename cpu::lane_access<V>::element;
    M* const p = element<M>(access);
    const auto add_to = [](M* to, T y) PRIMAL_LAMBDA_INLINE {
      *to = static_cast<M>(combine<C>(static_cast<T>(*to), y));
    };
    const auto add_in_registers = [&]<bool Masked>(std::bool_constant<Masked>,
                                                   auto* to) PRIMAL_LAMBDA_INLINE {
      cpu::store_piece<Masked>(to, combine<C>(cpu::load_piece<Masked, V>(to, n), x), n);
    };
    if constexpr (std::is_same_v<M, typename lanes::base>)
      if (in(bundle::staged_in, access)) return add_in_registers(std::false_type{}, staged(access));
    if (in(bundle::dense, access)) return add_in_registers(std::bool_constant<Partial>{}, p);
    if (in(bundle::repeated, access)) {
      if constexpr (Partial)
        return add_to(p, cpu::fold<C>(cpu::keep_first(x, identity_of<C, T>(), n)));
      else return add_to(p, cpu::fold<C>(x));
    }
    alignas(64) T t[width];
    cpu::lane_access<V>::store(t, x);
    for (int i = 0; i < present(); ++i) add_to(element<M>(access, i), t[i]);
  }
  template <dtype Memory, class V>
  PRIMAL_INLINE void accumulate_product(int access, const V& x, const V& y) const {
    accumulate<Memory, combiner::sum>(access, V(x * y));
  }
  template <int Start, int Step, dtype D> PRIMAL_INLINE value<D> position() const {
    using T = typename cpu::lane_access<value<D>>::element;
    constexpr T start = constant_value<Constants, Start, T>::value,
                step = constant_value<Constants, Step, T>::value;
    return value<D>(static_cast<T>(start + step * static_cast<T>(c)));
  }
  template <class V> PRIMAL_INLINE void keep(int number, const V& x) const {
    cpu::store_piece<false>(buffer<V>(number), x, n);
  }
  template <dtype D> PRIMAL_INLINE value<D> recall(int number) const {
    return cpu::load_piece<false, value<D>>(buffer<value<D>>(number), n);
  }
  template <class V> PRIMAL_INLINE auto* buffer(int number) const {
    using T = typename cpu::lane_access<V>::element;
    return reinterpret_cast<T*>(static_cast<typename lanes::base*>(a.buffers) +
                                number * a.columns * width) +
           c * width;
  }
  template <combiner, class V> PRIMAL_INLINE const V& fill(const V& x) const { return x; }
};

}  // namespace primal
