// execute: one statement of a kernel on values of any register type.
#pragma once

#include <primal/core/math.hpp>
#include <primal/kernel/registers.hpp>
#include <primal/op/facets.hpp>

#include <limits>
#include <utility>

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

/// Where an operand is: among the piece's registers or the row's values.
template <bool Uniform, class Locals, class Uniforms>
PRIMAL_INLINE const auto& registers(const Locals& r, const Uniforms& u) {
  if constexpr (Uniform) return u;
  else return r;
}
/// The operand `S` of a statement.
template <slot S, class Locals, class Uniforms>
PRIMAL_INLINE const auto& read(const Locals& r, const Uniforms& u) {
  return item<S.type>(registers<S.uniform>(r, u), S.index);
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

/// A statement whose result is a function of its operands alone: an operator applied, or a conversion.
template <class S>
inline constexpr bool calculates =
    S::fields.what == action::apply || S::fields.what == action::convert;

namespace kernel_facts {
template <class S> consteval auto find_operands() {
  constexpr auto in = operands(S::fields, operands_of_operator<typename S::op>());
  if constexpr (!calculates<S>) return slot_list<>{};
  else if constexpr (in.size() == 1) return slot_list<in[0]>{};
  else if constexpr (in.size() == 2) return slot_list<in[0], in[1]>{};
  else return slot_list<in[0], in[1], in[2]>{};
}
}  // namespace kernel_facts
/// Its operands as a list.
template <class S> using operands_of = decltype(kernel_facts::find_operands<S>());

/// Such a statement, on values that are registers or scalars. It reads its operands itself: a function for each
/// would double what the compiler has to do.
template <class Lanes, class S, class Cursor, class Locals, class Uniforms, class Sums, slot... In>
  requires(sizeof...(In) > 0)
PRIMAL_INLINE void execute(const Cursor&, Locals& r, const Uniforms& u, Sums&, slot_list<In...>) {
  constexpr auto s = S::fields;
  auto& dst = item<s.dst.type>(r, s.dst.index);
  if constexpr (s.what == action::convert)
    dst = Lanes::template convert<s.dst.type, s.b.type>(
        item<In.type>(registers<In.uniform>(r, u), In.index)...);
  else
    dst = apply<Lanes, typename S::op, s.dst.type>(
        item<In.type>(registers<In.uniform>(r, u), In.index)...);
  if constexpr (s.what == action::apply && s.flag) dst = math::unfused(dst);
}

/// Any other statement of a sweep, on the piece of the row that the cursor stands on.
template <class Lanes, class S, class Cursor, class Locals, class Uniforms, class Sums>
PRIMAL_INLINE void execute(const Cursor& at, Locals& r, const Uniforms& u, Sums& sums,
                           slot_list<>) {
  constexpr auto s = S::fields;
  if constexpr (s.what == action::load) {
    auto& dst = item<s.dst.type>(r, s.dst.index);
    dst = at.template load<s.dst.type, s.c.type, s.flag>(s.a.index);
    if constexpr (s.b.index > 0) at.keep(s.b.index - 1, dst);
  } else if constexpr (s.what == action::gather) {
    item<s.dst.type>(r, s.dst.index) =
        at.template gather<s.dst.type, s.c.type, s.b.uniform>(s.a.index, read<s.b>(r, u));
  } else if constexpr (s.what == action::position) {
    item<s.dst.type>(r, s.dst.index) = at.template position<s.a.index, s.b.index, s.dst.type>();
  } else if constexpr (s.what == action::store) {
    if (at.template writes<s.c.index>())
      at.template store<s.c.type, s.flag>(s.b.index, read<s.a>(r, u));
  } else if constexpr (s.what == action::accumulate) {
    if constexpr (s.flag)
      at.template accumulate_product<s.c.type>(s.b.index, read<s.a>(r, u), read<s.dst>(r, u));
    else
      at.template accumulate<s.c.type, static_cast<combiner>(s.dst.index)>(s.b.index,
                                                                           read<s.a>(r, u));
  } else if constexpr (s.what == action::scatter) {
    at.template scatter<s.dst.type, s.c.uniform>(s.b.index, read<s.a>(r, u), read<s.c>(r, u));
  } else if constexpr (s.what == action::keep) {
    at.keep(s.b.index, read<s.a>(r, u));
  } else if constexpr (s.what == action::recall) {
    item<s.dst.type>(r, s.dst.index) = at.template recall<s.dst.type>(s.a.index);
  } else {
    static_assert(s.what == action::reduce);
    constexpr auto f = sum_field::from(s.c.index);
    auto& total = item<s.dst.type>(sums, f.sum);
    using V = std::remove_cvref_t<decltype(total)>;
    if constexpr (s.flag && !Cursor::partial)
      total = math_of<V>::fma(read<s.a>(r, u), read<s.b>(r, u), total);
    else if constexpr (s.flag)
      total = total + at.template fill<f.how>(V(read<s.a>(r, u) * read<s.b>(r, u)));
    else total = combine<f.how>(total, at.template fill<f.how>(read<s.a>(r, u)));
  }
}

/// A statement on several pieces, one after another. (No lambda in a sweep: the name of that has all statements in it,
/// and every statement would have one as long.)
template <class Lanes, class S, class Piece, class Locals, class Uniforms, class Sums, int... I>
PRIMAL_INLINE void execute_each(const Piece* at, Locals* r, const Uniforms& u, Sums* sums,
                                std::integer_sequence<int, I...>) {
  (execute<Lanes, S>(at[I], r[I], u, sums[I], operands_of<S>{}), ...);
}

}  // namespace primal
