// lane_memory: the values that a lane works on, and how they meet memory.
#pragma once

#include <primal/kernel/execute.hpp>
#include <primal/kernel/rows.hpp>
#include <primal/kernel/wide.hpp>

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

/// The elements of a value.
template <class V> using part_of = std::remove_cvref_t<decltype(V::part[0])>;

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

/// `Width` neighbouring elements of the row, from column `c` on; if `Partial`, only the first n exist.
/// `Memory` loads and stores elements that lie one after another, and adds to one that others may add to.
template <class Lanes, class Memory, class Constants, class Arguments, bool Partial>
struct lane_piece {
  template <dtype D> using value = typename Lanes::template value<D>;
  static constexpr int width = Lanes::count;
  static constexpr bool partial = Partial;

  const Arguments& a;
  const row_state<Arguments>& row;
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
        x.part[i] = static_cast<scalar_value<D>>(
            strided<const element_of<From>>(access, i)[moved(access, index.part[i])]);
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
    for (int i = 0; i < width; ++i)
      if (exists(i))
        Memory::add(strided<element_of<To>>(access, i) + moved(access, index.part[i]), x.part[i]);
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
    store_to(buffer<part_of<V>>(number), x);
  }
  template <dtype D> PRIMAL_INLINE value<D> recall(int number) const {
    return load_from<value<D>>(buffer<scalar_value<D>>(number));
  }
  /// x, with elements that do not exist set to what changes nothing.
  template <combiner C, class T> PRIMAL_INLINE wide<T, width> fill(wide<T, width> x) const {
    PRIMAL_UNROLL
    for (int i = 0; i < width; ++i)
      if (!exists(i)) x.part[i] = identity_of<C, T>();
    return x;
  }

 private:
  template <class J> PRIMAL_INLINE std::int64_t moved(int access, J index) const {
    return checked_index(a, access, static_cast<std::int64_t>(index)) * a.index_stride[access];
  }
  template <class T> PRIMAL_INLINE T* buffer(int number) const {
    return reinterpret_cast<T*>(static_cast<char*>(a.buffers) +
                                number * a.buffer_length * Lanes::lane_bytes) +
           c;
  }
};

}  // namespace primal
