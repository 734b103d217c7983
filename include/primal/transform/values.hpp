// values: what the algebra asks about the values that it writes, and those that it makes of numbers and shapes.
#pragma once

#include <primal/op/shape.hpp>
#include <primal/op/source.hpp>
#include <primal/transform/value_numbering.hpp>

#include <bit>
#include <limits>
#include <utility>

namespace primal {

class numbered_values : public numbered_program {
 public:
  using numbered_program::numbered_program;
  sequence<int> uses;  // of values, as far as known
  place where;

  /// The axes, counted from the last one, along which a value varies.
  constexpr unsigned varies(int v) {
    const auto s = to.value_at(v).shape;
    while (masks_.size() <= s) masks_.push_back(mask_of(to.shapes[masks_.size()]));
    return masks_[s];
  }
  constexpr bool narrower(int a, int b) {
    const auto x = varies(a), y = varies(b);
    return x != y && (x & ~y) == 0;
  }
  constexpr bool is_number(int v) const { return made_by(v, &info_of<full_op>); }
  constexpr double value_of(int v) const {
    return full_op::value(attributes_in<full_op>(to.attributes_of(maker(v))));
  }
  constexpr bool is(int v, double x) const { return is_number(v) && value_of(v) == x; }
  constexpr bool used_once(int v) const { return v >= uses.size() || uses[v] <= 1; }
  constexpr bool known_to_be_used_once(int v) const { return v < uses.size() && uses[v] == 1; }
  constexpr bool floating(int v) const { return is_floating(to.dtype_of(v)); }

  constexpr int literal_like(double x, int v) {
    const auto d = to.dtype_of(v);
    sequence<std::int64_t> words;
    encode(
        full_op::attributes{
            is_floating(d) ? std::bit_cast<std::int64_t>(x) : static_cast<std::int64_t>(x), d, {}},
        words);
    return number(&info_of<full_op>, {}, words, where);
  }
  /// The number `v` in another shape.
  constexpr int number_like(int v, const shape& dims) {
    auto a = attributes_in<full_op>(to.attributes_of(maker(v)));
    a.dims = extents(dims, nullptr);
    sequence<std::int64_t> words;
    encode(a, words);
    return number(&info_of<full_op>, {}, words, where);
  }
  /// Op with attributes.
  template <class Op> constexpr int plain(sequence_view<int> operands, const attributes_of<Op>& a) {
    static_cast<void>(sizeof(reveal<Op>));
    sequence<std::int64_t> words;
    encode(a, words);
    return number(&info_of<Op>, operands, words, where);
  }
  template <class Op> constexpr int plain(int v, const attributes_of<Op>& a) {
    return plain<Op>(sequence_view<int>(&v, 1), a);
  }
  template <class Op> constexpr int plain(std::initializer_list<int> operands) {
    static_cast<void>(sizeof(reveal<Op>));
    return number(&info_of<Op>,
                  sequence_view<int>(operands.begin(), static_cast<int>(operands.size())), {},
                  where);
  }
  constexpr bool same_shape(int a, int b) const {
    return to.value_at(a).shape == to.value_at(b).shape;
  }
  /// Would a product or sum of both have the shape of `b`?
  constexpr bool covers(int b, int a) {
    return (varies(a) & ~varies(b)) == 0 && to.shape_of(a).size() <= to.shape_of(b).size();
  }

  /// Op of numbers, as a number.
  template <class Op> constexpr int folded(std::initializer_list<int> operands) {
    double x[3] = {};
    int i = 0, wide = -1;  // the one that is repeated
    for (int v : operands) {
      x[i++] = value_of(v);
      if (rank_zero(v)) continue;
      if (wide >= 0 && !same_shape(wide, v)) return plain<Op>(operands);
      wide = v;
    }
    const int v = *operands.begin(),
              value = literal_like(info_of<Op>.evaluate(x, to.dtype_of(v)), v);
    return wide < 0 ? value : number_like(value, to.shape_of(wide));
  }

  constexpr int reshaped(int v, const shape& dims) {
    if (to.shape_of(v) == dims) return v;
    if (is_number(v)) return number_like(v, dims);
    return plain<reshape_op>(v, extents(dims, nullptr));
  }
  /// A statement again with another first operand.
  constexpr int again(const statement& s, int v) {
    const sequence<std::int64_t> words(to.attributes_of(s).begin(), to.attributes_of(s).end());
    const int operands[] = {v};
    return number(s.op, operands, words, where);
  }

 protected:
  constexpr bool rank_zero(int v) const { return to.shape_of(v).empty(); }
  /// An infinite or undefined number, as 1 over the size of nothing: times 0 it is NaN, times no element nothing.
  constexpr bool is_unbounded(int v) const {
    constexpr double most = std::numeric_limits<double>::max();
    return is_number(v) && !(value_of(v) >= -most && value_of(v) <= most);
  }
  /// Is x neither infinite nor almost 0 where `v` is calculated?
  constexpr bool is_normal(double x, int v) const {
    const auto fits = [x]<class T>(T) {
      using limits = std::numeric_limits<T>;
      const double size = x < 0 ? -x : x;
      return size >= double(limits::min()) && size <= double(limits::max());
    };
    return to.dtype_of(v) == dtype::float64 ? fits(double()) : fits(float());
  }
  static constexpr bool is_power_of_two(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = bits >> 52 & 0x7ff;
    return (bits & 0xfffffffffffffull) == 0 && exponent > 900 && exponent < 1150;
  }
  /// Are sums of it as exact as what is added up in a kernel?
  constexpr bool adds_exactly(int v) const { return floating(v) && size_of(to.dtype_of(v)) >= 4; }
  /// A number of elements in the dtype of `v`.
  constexpr int count(std::int64_t n, int v) {
    if (primal::is_number(n)) return literal_like(static_cast<double>(n), v);
    sequence<std::int64_t> words;
    encode(extent_op::attributes{to.dtype_of(v), {shape{n}, nullptr}}, words);
    return number(&info_of<extent_op>, {}, words, where);
  }
  /// A row as a column, or a column as a row.
  constexpr int turned(int v) {
    auto dims = to.shape_of(v);
    std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    return reshaped(v, dims);
  }

 private:
  sequence<unsigned> masks_;

  constexpr unsigned mask_of(const shape& s) {
    unsigned mask = 0;
    for (int i = 0; i < s.size(); ++i)
      if (to.extents.resolve(s[i]) != 1) mask |= 1u << (s.size() - 1 - i);
    return mask;
  }
};

}  // namespace primal
