// Algebra: constructors of statements that apply the rules of arithmetic as they write.
//
// A value is narrower than another if it varies along fewer axes. Most rules move narrow factors
// together and out of sums, so that less is calculated per element: sum(v * r) = r * sum(v). Rules that
// change an order of operations never cross that line in the other direction, or they would undo each
// other.
#pragma once

#include <primal/op/cast.hpp>
#include <primal/op/division.hpp>
#include <primal/op/matmul.hpp>
#include <primal/op/power.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/selection.hpp>
#include <primal/transform/values.hpp>

namespace primal {

class algebra : public numbered_values {
 public:
  using numbered_values::numbered_values;

  constexpr int negate(int a) {
    if (is_number(a)) return folded<negative_op>({a});
    if (made_by(a, &info_of<negative_op>)) return operand(a, 0);
    if (made_by(a, &info_of<multiply_op>) && is_number(operand(a, 0)))
      return multiply(literal_like(-value_of(operand(a, 0)), operand(a, 0)), operand(a, 1));
    if (made_by(a, &info_of<subtract_op>) && used_once(a) && floating(a))
      return subtract(operand(a, 1), operand(a, 0));
    return plain<negative_op>({a});
  }

  /// For a result that nothing can subtract any more: the sign goes to a narrow factor.
  constexpr int with_narrow_sign(int v) {
    if (!made_by(v, &info_of<negative_op>) || !used_once(v)) return v;
    const int a = operand(v, 0);
    if (!made_by(a, &info_of<multiply_op>) || !used_once(a) || !narrower(operand(a, 0), a))
      return v;
    return plain<multiply_op>({negate(operand(a, 0)), operand(a, 1)});
  }

  constexpr int multiply(int a, int b) {
    if (narrower(b, a) || (varies(a) == varies(b) && (is_number(b) || (!is_number(a) && b < a))))
      std::swap(a, b);
    if (is_number(a)) {
      if (is_number(b)) return folded<multiply_op>({a, b});
      if (is(a, 1) && covers(b, a)) return b;
      if (is(a, -1) && covers(b, a)) return negate(b);
      if (made_by(b, &info_of<negative_op>))
        return multiply(literal_like(-value_of(a), a), operand(b, 0));
      if (made_by(b, &info_of<multiply_op>) && is_number(operand(b, 0)) && floating(a) &&
          rank_zero(a) && rank_zero(operand(b, 0))) {
        const double both = value_of(a) * value_of(operand(b, 0));
        if (!is_normal(both, a)) return plain<multiply_op>({a, b});
        return multiply(literal_like(both, a), operand(b, 1));
      }
    }
    if (made_by(a, &info_of<negative_op>)) return negate(multiply(operand(a, 0), b));
    if (made_by(b, &info_of<negative_op>)) return negate(multiply(a, operand(b, 0)));
    if (!floating(a)) return plain<multiply_op>({a, b});
    for (auto [sum, factor] :
         {std::pair(a, b), std::pair(b, a)})  // numbers into sums that end a kernel
      if (rank_zero(factor) && used_once(sum) && !is_unbounded(factor)) {
        if (is_sum_over_rows(sum)) return again(maker(sum), multiply(factor, operand(sum, 0)));
        if (made_by(sum, &info_of<reshape_op>) && is_sum_over_rows(operand(sum, 0)) &&
            used_once(operand(sum, 0)))
          return again(maker(sum), multiply(factor, operand(sum, 0)));
      }
    if (narrower(a, b) && made_by(b, &info_of<multiply_op>) && narrower(operand(b, 0), b) &&
        (varies(a) | varies(operand(b, 0))) != varies(b))
      return multiply(multiply(a, operand(b, 0)), operand(b, 1));
    for (auto [x, y] : {std::pair(a, b), std::pair(b, a)})  // numbers move outwards
      if (made_by(x, &info_of<multiply_op>) && is_number(operand(x, 0)) && !is_number(y) &&
          varies(x) == varies(y) && used_once(x))
        return multiply(operand(x, 0), multiply(operand(x, 1), y));
    if (const int c = times_condition(a, b); c >= 0) return c;
    if (made_by(b, &info_of<reciprocal_op>) && known_to_be_used_once(b))
      return plain<divide_op>({a, operand(b, 0)});
    return plain<multiply_op>({a, b});
  }

  constexpr int divide(int a, int b) {
    if (is_number(a) && is_number(b)) return folded<divide_op>({a, b});
    if (is_number(b) && is_power_of_two(value_of(b)))
      return multiply(literal_like(1 / value_of(b), b), a);
    if (narrower(b, a) && !is_number(b)) return multiply(reciprocal_of(b), a);
    if (floating(a) &&
        !is_number(b)) {  // the slope of a logarithm, and what else is divided by the same
      if (is_number(a) && covers(b, a))
        return multiply(literal_like(value_of(a), a), reciprocal_of(b));
      const int divisor[] = {b};
      if (const int r = existing(&info_of<reciprocal_op>, divisor); r >= 0) return multiply(a, r);
    }
    return plain<divide_op>({a, b});
  }
  constexpr int reciprocal_of(int b) { return plain<reciprocal_op>({b}); }

  constexpr int add(int a, int b) {
    if (is(a, 0) && covers(b, a)) return b;
    if (is(b, 0) && covers(a, b)) return a;
    if (is_number(a) && is_number(b)) return folded<add_op>({a, b});
    if (made_by(b, &info_of<negative_op>)) return subtract(a, operand(b, 0));
    if (made_by(a, &info_of<negative_op>)) return subtract(b, operand(a, 0));
    if (floating(a)) {
      if (a == b) return multiply(literal_like(2, a), a);
      if (const int c = common(true, a, b); c >= 0) return c;
    }
    return b < a ? plain<add_op>({b, a}) : plain<add_op>({a, b});
  }
  constexpr int subtract(int a, int b) {
    if (is_number(a) && is_number(b)) return folded<subtract_op>({a, b});
    if (is(b, 0) && covers(a, b)) return a;
    if (is(a, 0) && covers(b, a)) return negate(b);
    if (made_by(b, &info_of<negative_op>)) return add(a, operand(b, 0));
    if (floating(a))
      if (const int c = common(false, a, b); c >= 0) return c;
    return plain<subtract_op>({a, b});
  }

  /// sum(v) with the reduced axes kept.
  constexpr int sum(const statement& s, int v) {
    const auto axes = attributes_in<sum_op>(to.attributes_of(s)).axes;
    return sum_along(v, axes);
  }
  constexpr int sum_along(int v, const axes& over) {
    unsigned mask = 0;
    const int rank = to.shape_of(v).size();
    for (int a : over) mask |= 1u << (rank - 1 - a);
    if (floating(v)) {
      if ((varies(v) & mask) == 0) return v;  // the axes have extent 1
      if (const int y = sum_of_product(v, over); y >= 0) return y;
      if (const int y = sum_of_repeated(v, over, mask); y >= 0) return y;
      if (const auto [u, w] = strip(v, mask); u >= 0 && to.shape_of(w).size() == rank)
        return multiply(u, sum_along(w, over));
      const bool plus = made_by(v, &info_of<add_op>);
      if (plus || made_by(v, &info_of<subtract_op>)) {  // sum(a*r + b*s) = r*sum(a) + s*sum(b)
        const int x = operand(v, 0), y = operand(v, 1);
        const int p = strip(x, mask).factor, q = strip(y, mask).factor;
        const bool whole = to.shape_of(x) == to.shape_of(v) && to.shape_of(y) == to.shape_of(v);
        if (whole && ((p >= 0 && !is_number(p)) || (q >= 0 && !is_number(q)))) {
          const int left = sum_along(x, over), right = sum_along(y, over);
          return plus ? add(left, right) : subtract(left, right);
        }
      }
    }
    sequence<std::int64_t> words;
    encode(reduction_attributes{over, true}, words);
    const int operands[] = {v};
    return number(&info_of<sum_op>, operands, words, where);
  }

  /// A product with a matrix whose rows, on the left, or columns, on the right, are one number each adds up the other
  /// operand: p_i * sum over k of b_kj. A column times a row is elementwise. -1 if it is none.
  constexpr int matmul(const matmul_op::attributes& flags, int a, int b) {
    if (!adds_exactly(a)) return -1;
    if (to.shape_of(a).size() < 2 || to.shape_of(b).size() < 2) return -1;
    if (to.extents.resolve(to.shape_of(a)[inner_axis(a, true, flags.transpose_a)]) == 1)
      return multiply(flags.transpose_a ? turned(a) : a, flags.transpose_b ? turned(b) : b);
    for (const bool left : {true, false}) {
      const int p = left ? a : b, other = left ? b : a;
      const bool p_turned = left ? flags.transpose_a : flags.transpose_b,
                 other_turned = left ? flags.transpose_b : flags.transpose_a;
      const int axis = inner_axis(p, left, p_turned),
                along = inner_axis(other, !left, other_turned);
      const int small = without_repetition(p, axis);
      if (small < 0) continue;
      const int sum = sum_along(other, {along});
      return multiply(is_number(small) ? number_like(small, {})
                      : p_turned       ? turned(small)
                                       : small,
                      other_turned ? turned(sum) : sum);
    }
    return -1;
  }

 private:
  struct split {
    int factor = -1, rest = -1;  // v = factor * rest, the factor constant along the axes; -1: none
  };
  sequence<split> splits_;  // remembered, because a shared operand would cost 2^depth
  sequence<unsigned> split_axes_;

  /// A sum whose result leaves its kernel anyway: of everything, or not along the last axis alone.
  constexpr bool is_sum_over_rows(int v) {
    if (!made_by(v, &info_of<sum_op>)) return false;
    const int from = operand(v, 0);
    return varies(v) == 0 || (varies(from) & 1u) == 0 || (varies(v) & 1u) != 0;
  }

  /// The axis that a product adds up along.
  constexpr int inner_axis(int v, bool left, bool is_turned) const {
    return to.shape_of(v).size() - (left != is_turned ? 1 : 2);
  }
  /// A value that is the same along an axis, with extent 1 there; -1 if it may differ.
  constexpr int without_repetition(int v, int axis) {
    auto dims = to.shape_of(v);
    if (to.extents.resolve(dims[axis]) == 1) return -1;
    dims[axis] = 1;
    if (is_number(v)) return is_unbounded(v) ? -1 : number_like(v, dims);
    if (!made_by(v, &info_of<broadcast_to_op>)) return -1;
    const int small = operand(v, 0), from_last = dims.size() - axis;
    const auto own = to.shape_of(small);
    const int rank = own.size();
    return rank == dims.size() && to.extents.resolve(own[rank - from_last]) == 1 ? small : -1;
  }
  /// The sum over rows or columns of a product is a product of the sums of what it multiplies; -1 if `v` is none that
  /// is needed for nothing else.
  constexpr int sum_of_product(int v, const axes& over) {
    if (!made_by(v, &info_of<matmul_op>) || !used_once(v) || !adds_exactly(v)) return -1;
    const statement s = maker(v);
    int a = operand(v, 0), b = operand(v, 1);
    const int rank = to.shape_of(v).size();
    if (to.shape_of(a).size() < 2 || to.shape_of(b).size() < 2) return -1;
    const auto flags = attributes_in<matmul_op>(to.attributes_of(s));
    for (int axis : over) {
      if (axis < rank - 2) return -1;
      if (axis == rank - 2) a = sum_along(a, {inner_axis(a, false, flags.transpose_a)});
      else b = sum_along(b, {inner_axis(b, true, flags.transpose_b)});
    }
    sequence<std::int64_t> words;
    encode(flags, words);
    const int operands[] = {a, b};
    return number(s.op, operands, words, where);
  }

  /// The sum of a value that only repeats along the axes: n times the value; -1 if it is none.
  constexpr int sum_of_repeated(int v, const axes& over, unsigned mask) {
    auto dims = to.shape_of(v);
    std::int64_t n = 1;
    for (int a : over) n = to.extents.multiply(n, to.extents.resolve(dims[a])), dims[a] = 1;
    if (is_number(v)) {
      if (is_unbounded(v) || !adds_exactly(v)) return -1;
      return multiply(count(n, v), number_like(v, dims));
    }
    if (!made_by(v, &info_of<broadcast_to_op>) || !primal::is_number(n)) return -1;
    const int small = operand(v, 0);
    if ((varies(small) & mask) != 0 || to.shape_of(small).size() != dims.size()) return -1;
    if ((varies(v) & ~mask) != varies(small)) return -1;  // other axes repeat too
    return multiply(count(n, small), small);
  }
  constexpr bool is_lone_condition(int v) const {
    return made_by(v, &info_of<cast_op>) && to.dtype_of(operand(v, 0)) == dtype::bool_ &&
           used_once(v);
  }
  /// A narrow factor of conditions as numbers, or of their sums with something else, is selected instead:
  /// s * (x - cast(c)) = s * x - where(c, s, 0); -1 if `b` is neither.
  constexpr int times_condition(int a, int b) {
    if (!narrower(a, b) || !used_once(b)) return -1;
    if (is_lone_condition(b)) return plain<where_op>({operand(b, 0), a, literal_like(0, a)});
    const bool plus = made_by(b, &info_of<add_op>);
    if (!plus && !made_by(b, &info_of<subtract_op>)) return -1;
    const int x = operand(b, 0), y = operand(b, 1);
    const auto is_selected = [&](int v) { return is_lone_condition(v) && narrower(a, v); };
    if (!is_selected(x) && !is_selected(y)) return -1;  // a would only be a common factor again
    return plus ? add(multiply(a, x), multiply(a, y)) : subtract(multiply(a, x), multiply(a, y));
  }

  constexpr int times(int a, int b) { return a < 0 ? b : b < 0 ? a : multiply(a, b); }
  constexpr split strip(int v, unsigned mask) {
    if ((varies(v) & mask) == 0) return {-1, v};
    if (v < splits_.size() && split_axes_[v] == mask) return splits_[v];
    split r{-1, v};
    if (made_by(v, &info_of<multiply_op>)) {
      const int a = operand(v, 0), b = operand(v, 1);
      if ((varies(a) & mask) == 0) {
        const auto q = strip(b, mask);
        r = {times(a, q.factor), q.rest};
      } else if ((varies(b) & mask) == 0) {
        const auto q = strip(a, mask);
        r = {times(b, q.factor), q.rest};
      } else {
        const auto x = strip(a, mask), y = strip(b, mask);
        if (x.factor >= 0 || y.factor >= 0)
          r = {times(x.factor, y.factor), multiply(x.rest, y.rest)};
      }
    } else if (made_by(v, &info_of<negative_op>)) {
      const auto q = strip(operand(v, 0), mask);
      r = {times(literal_like(-1, v), q.factor), q.rest};
    } else if (made_by(v, &info_of<divide_op>)) {
      const auto q = strip(operand(v, 0), mask);
      if (q.factor >= 0) r = {q.factor, divide(q.rest, operand(v, 1))};
    } else if (made_by(v, &info_of<add_op>) || made_by(v, &info_of<subtract_op>)) {
      const auto x = strip(operand(v, 0), mask), y = strip(operand(v, 1), mask);
      if (x.factor >= 0 && x.factor == y.factor)
        r = {x.factor,
             made_by(v, &info_of<add_op>) ? add(x.rest, y.rest) : subtract(x.rest, y.rest)};
    }
    if (r.factor >= 0 && to.shape_of(r.rest).size() != to.shape_of(v).size()) r = {-1, v};
    if (splits_.size() <= v) {
      splits_.resize(to.values.size() + 64);
      split_axes_.resize(to.values.size() + 64, 0);
    }
    splits_[v] = r;
    split_axes_[v] = mask;
    return r;
  }

  // ---- common factors: p*q + p*r = p*(q + r) ----------------------------------------------------
  constexpr bool is_product(int v) const {
    return made_by(v, &info_of<multiply_op>) && used_once(v);
  }
  constexpr int common(bool plus, int a, int b) {
    if (!made_by(a, &info_of<multiply_op>) || !made_by(b, &info_of<multiply_op>) || !used_once(a) ||
        !used_once(b))
      return -1;
    for (int i : {0, 1})
      for (int k : {0, 1}) {
        const int p = operand(a, i);
        if (p != operand(b, k) || is_number(p)) continue;
        const int x = operand(a, 1 - i), y = operand(b, 1 - k);
        return multiply(p, plus ? add(x, y) : subtract(x, y));
      }
    return -1;
  }
};

}  // namespace primal
