// execute: one statement of a kernel on values of any register type.
#pragma once

#include <primal/core/math.hpp>
#include <primal/kernel/registers.hpp>
#include <primal/op/facets.hpp>

#include <limits>

namespace primal {

/// The least and the greatest integer of a type. (Device code may use values, not functions of the host.)
template <class T> struct integer_bounds {
  static constexpr T lowest = std::numeric_limits<T>::lowest(),
                     greatest = std::numeric_limits<T>::max();
};

/// The value that a reduction starts from.
template <combiner C, class T> PRIMAL_INLINE constexpr T identity_of() {
  if constexpr (C == combiner::sum) return T(0);
  else if constexpr (C == combiner::product) return T(1);
  else if constexpr (std::is_floating_point_v<T>)
    return C == combiner::maximum ? -math_of<T>::infinity : math_of<T>::infinity;
  else return C == combiner::maximum ? integer_bounds<T>::lowest : integer_bounds<T>::greatest;
}

/// a and b combined.
template <combiner C, class V> PRIMAL_INLINE V combine(const V& a, const V& b) {
  if constexpr (C == combiner::sum) return a + b;
  else if constexpr (C == combiner::product) return a * b;
  else if constexpr (C == combiner::maximum) return math_of<V>::maximum(a, b);
  else return math_of<V>::minimum(a, b);
}

/// The operand `S` of a statement: from the piece's registers or from the row's values.
template <slot S, class Locals, class Uniforms>
PRIMAL_INLINE const auto& read(const Locals& r, const Uniforms& u) {
  if constexpr (S.uniform) return u.template of<S.type>()[S.index];
  else return r.template of<S.type>()[S.index];
}

/// Op applied to values: `Lanes` says how conditions of one register type become those of another.
template <class Lanes, class Op, dtype D, class... V> PRIMAL_INLINE auto apply(const V&... x) {
  if constexpr (Op::selects) {
    return [](const auto& condition, const auto& a, const auto& b) PRIMAL_LAMBDA_INLINE {
      return Op::apply(Lanes::condition_for(condition, a), a, b);
    }(x...);
  } else {
    return Lanes::template result<D>(Op::apply(x...));
  }
}

/// A statement whose result is a function of its operands alone.
template <class Lanes, class S, class Out, class Locals, class Uniforms>
PRIMAL_INLINE void calculate(Out& out, const Locals& r, const Uniforms& u) {
  constexpr auto s = S::fields;
  auto& dst = out.template of<s.dst.type>()[s.dst.index];
  if constexpr (s.what == action::convert) {
    dst = Lanes::template convert<s.dst.type, s.b.type>(read<s.a>(r, u));
  } else {
    using Op = typename S::op;
    constexpr int arity = op_signature::arity<Op>();
    if constexpr (arity == 1) dst = apply<Lanes, Op, s.dst.type>(read<s.a>(r, u));
    else if constexpr (arity == 2)
      dst = apply<Lanes, Op, s.dst.type>(read<s.a>(r, u), read<s.b>(r, u));
    else dst = apply<Lanes, Op, s.dst.type>(read<s.a>(r, u), read<s.b>(r, u), read<s.c>(r, u));
  }
}

/// One statement of a sweep, on the piece of the row that the cursor stands on.
template <class Lanes, class S, class Cursor, class Locals, class Uniforms, class Sums>
PRIMAL_INLINE void execute(const Cursor& at, Locals& r, const Uniforms& u, Sums& sums) {
  constexpr auto s = S::fields;
  if constexpr (s.what == action::apply || s.what == action::convert) {
    calculate<Lanes, S>(r, r, u);
  } else if constexpr (s.what == action::load) {
    r.template of<s.dst.type>()[s.dst.index] =
        at.template load<s.a.index, s.dst.type, s.c.type, s.flag>();
  } else if constexpr (s.what == action::gather) {
    r.template of<s.dst.type>()[s.dst.index] =
        at.template gather<s.a.index, s.dst.type, s.c.type>(read<s.b>(r, u));
  } else if constexpr (s.what == action::position) {
    r.template of<s.dst.type>()[s.dst.index] =
        at.template position<s.a.index, s.b.index, s.dst.type>();
  } else if constexpr (s.what == action::store) {
    if (at.template writes<s.c.index>())
      at.template store<s.b.index, s.c.type, s.flag>(read<s.a>(r, u));
  } else if constexpr (s.what == action::accumulate) {
    if constexpr (s.flag)
      at.template accumulate_product<s.b.index, s.c.type>(read<s.a>(r, u), read<s.dst>(r, u));
    else
      at.template accumulate<s.b.index, s.c.type, static_cast<combiner>(s.dst.index)>(
          read<s.a>(r, u));
  } else if constexpr (s.what == action::scatter) {
    at.template scatter<s.b.index, s.dst.type>(read<s.a>(r, u), read<s.c>(r, u));
  } else if constexpr (s.what == action::keep) {
    at.template keep<s.b.index>(read<s.a>(r, u));
  } else if constexpr (s.what == action::recall) {
    r.template of<s.dst.type>()[s.dst.index] = at.template recall<s.a.index, s.dst.type>();
  } else {
    static_assert(s.what == action::reduce);
    constexpr auto f = sum_field::from(s.c.index);
    auto& total = sums.template of<s.dst.type>()[f.sum];
    using V = std::remove_cvref_t<decltype(total)>;
    if constexpr (s.flag && !Cursor::partial)
      total = math_of<V>::fma(read<s.a>(r, u), read<s.b>(r, u), total);
    else if constexpr (s.flag)
      total = total + at.template fill<f.how>(V(read<s.a>(r, u) * read<s.b>(r, u)));
    else total = combine<f.how>(total, at.template fill<f.how>(read<s.a>(r, u)));
  }
}

}  // namespace primal
