// lane_memory: the values that a lane works on, and how they meet memory.
#pragma once

#include <primal/kernel/execute.hpp>
#include <primal/kernel/row_buffers.hpp>
#include <primal/kernel/rows.hpp>

namespace primal {

#if defined(__CUDACC__)
#define PRIMAL_UNROLL _Pragma("unroll")
#define PRIMAL_UNROLL_TWICE _Pragma("unroll 2")
#else
#define PRIMAL_UNROLL
#define PRIMAL_UNROLL_TWICE
#endif

/// Values of `Width` elements. `LaneBytes` is the unit of row buffers.
template <int Width, int LaneBytes> struct wide_lanes {
  static constexpr int count = Width, lane_bytes = LaneBytes;
  template <dtype D> using value = wide<scalar_value<D>, Width>;
  using condition = value<dtype::bool_>;

  template <class V>
  PRIMAL_INLINE static const condition& condition_for(const condition& c, const V&) {
    return c;
  }
  template <dtype D, class R> PRIMAL_INLINE static value<D> result(const R& r) {
    if constexpr (std::is_same_v<R, value<D>>) return r;
    else return value<D>::map([](auto x) { return static_cast<scalar_value<D>>(x); }, r);
  }
  template <dtype D, dtype Exact, class V> PRIMAL_INLINE static value<D> convert(const V& x) {
    return value<D>::map([](auto e) { return scalar_lanes::convert<D, Exact>(e); }, x);
  }
};

/// All elements of a value combined, neighbours first.
template <combiner C, class T, int Width> PRIMAL_INLINE T fold(wide<T, Width> x) {
  PRIMAL_UNROLL
  for (int step = 1; step < Width; step *= 2) {
    PRIMAL_UNROLL
    for (int i = 0; i + step < Width; i += 2 * step)
      x.part[i] = combine<C>(x.part[i], x.part[i + step]);
  }
  return x.part[0];
}

/// The columns of a row that a block works on, and which of its lanes is meant.
struct lane_range {
  int first, last;  // columns
  int lane, lanes;
  int sharer = 0,
      sharers = 1;  // who adds to a place, where lanes share out places instead of columns

  PRIMAL_INLINE bool owns(std::int64_t place) const {
    return static_cast<int>(static_cast<std::uint32_t>(place) %
                            static_cast<std::uint32_t>(sharers)) == sharer;
  }
};

/// `Width` neighbouring elements of the row, from column `c` on; if `Partial`, only the first n exist.
/// `Memory` loads and stores elements that lie one after another, and adds to one that others may add to.
/// `Buffers` are row buffers, in which this is piece number `Piece` of the lane. `Shared`: lanes share out the places
/// that are scattered to.
template <class Lanes, class Memory, class Constants, class Arguments, class Buffers, int Piece,
          bool Partial, bool Shared>
struct lane_piece {
  template <dtype D> using value = typename Lanes::template value<D>;
  static constexpr int width = Lanes::count;
  static constexpr bool partial = Partial;

  const Arguments& a;
  const row_state<Arguments>& row;
  Buffers& buffers;
  const lane_range& own;
  int c;  // 64-bit index arithmetic costs registers, then spills
  int n;

  template <int Mask> PRIMAL_INLINE bool writes() const { return row.template at_origin<Mask>(); }
  PRIMAL_INLINE bool exists(int i) const { return !Partial || i < n; }

  template <class M> PRIMAL_INLINE M* element(int access) const {
    return reinterpret_cast<M*>(row.at[access]) + c;
  }
  template <class M> PRIMAL_INLINE M* strided(int access, int i) const {
    return reinterpret_cast<M*>(row.at[access]) + (c + i) * a.inner_stride[access];
  }
  template <class V, class M> PRIMAL_INLINE V load_from(const M* p) const {
    if constexpr (!Partial) {
      return Memory::template load<V>(p);
    } else {
      V x{};
      PRIMAL_UNROLL
      for (int i = 0; i < width; ++i)
        if (exists(i)) x.part[i] = static_cast<part_of<V>>(p[i]);
      return x;
    }
  }
  template <class V, class M> PRIMAL_INLINE void store_to(M* p, const V& x) const {
    if constexpr (!Partial) {
      Memory::store(p, x);
    } else {
      PRIMAL_UNROLL
      for (int i = 0; i < width; ++i)
        if (exists(i)) p[i] = static_cast<M>(x.part[i]);
    }
  }

  template <dtype D, dtype From, bool Strided> PRIMAL_INLINE value<D> load(int access) const {
    using M = const element_of<From>;
    if constexpr (!Strided) {
      return load_from<value<D>>(element<M>(access));
    } else {
      value<D> x{};
      PRIMAL_UNROLL
      for (int i = 0; i < width; ++i)
        if (exists(i)) x.part[i] = static_cast<scalar_value<D>>(*strided<M>(access, i));
      return x;
    }
  }
  template <dtype D, dtype From, bool Uniform, class I>
  PRIMAL_INLINE value<D> gather(int access, const I& index) const {
    value<D> x{};
    PRIMAL_UNROLL
    for (int i = 0; i < width; ++i)
      if (exists(i))
        x.part[i] = static_cast<scalar_value<D>>(strided<const element_of<From>>(
            access, i)[place(access, index.part[i]) * a.index_stride[access]]);
    return x;
  }
  template <dtype To, bool Strided, class V>
  PRIMAL_INLINE void store(int access, const V& x) const {
    using M = element_of<To>;
    if constexpr (!Strided) {
      store_to(element<M>(access), x);
    } else {
      PRIMAL_UNROLL
      for (int i = 0; i < width; ++i)
        if (exists(i)) *strided<M>(access, i) = static_cast<M>(x.part[i]);
    }
  }
  template <dtype To, combiner C, class V>
  PRIMAL_INLINE void accumulate(int access, const V& x) const {
    auto* p = element<element_of<To>>(access);
    store_to(p, combine<C>(load_from<V>(p), x));
  }
  template <dtype To, class V>
  PRIMAL_INLINE void accumulate_product(int access, const V& x, const V& y) const {
    auto* p = element<element_of<To>>(access);
    store_to(p, math_of<V>::fma(x, y, load_from<V>(p)));
  }
  template <dtype To, bool Uniform, class V, class I>
  PRIMAL_INLINE void scatter(int access, const V& x, const I& index) const {
    PRIMAL_UNROLL
    for (int i = 0; i < width; ++i) {
      if (!exists(i)) continue;
      const auto at = place(access, index.part[i]);
      auto* p = strided<element_of<To>>(access, i) + at * a.index_stride[access];
      if constexpr (!is_floating(To)) Memory::add(p, x.part[i]);
      else if (!Shared || own.owns(at)) unshared_memory::add(p, x.part[i]);
    }
  }
  template <int Start, int Step, dtype D> PRIMAL_INLINE value<D> position() const {
    using T = scalar_value<D>;
    value<D> x;
    PRIMAL_UNROLL
    for (int i = 0; i < width; ++i)
      x.part[i] = static_cast<T>(constant_value<Constants, Start, T>::value +
                                 constant_value<Constants, Step, T>::value *
                                     static_cast<T>(row.first_column + c + i));
    return x;
  }
  template <class V> PRIMAL_INLINE void keep(int number, const V& x) const {
    buffers.template keep<Piece, Partial>(number, c, x, n);
  }
  template <dtype D> PRIMAL_INLINE value<D> recall(int number) const {
    return buffers.template recall<Piece, value<D>>(number, c);
  }
  /// x, with elements that do not exist set to what changes nothing.
  template <combiner C, class T> PRIMAL_INLINE wide<T, width> fill(wide<T, width> x) const {
    PRIMAL_UNROLL
    for (int i = 0; i < width; ++i)
      if (!exists(i)) x.part[i] = identity_of<C, T>();
    return x;
  }

 private:
  template <class J> PRIMAL_INLINE std::int64_t place(int access, J index) const {
    return checked_index(a, access, static_cast<std::int64_t>(index));
  }
};

}  // namespace primal
