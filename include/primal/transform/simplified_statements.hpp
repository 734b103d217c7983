// simplified_statements: a statement of one program, written anew through the algebra of another one.
#pragma once

#include <primal/op/gather.hpp>
#include <primal/op/input.hpp>
#include <primal/op/transpose.hpp>
#include <primal/transform/algebra.hpp>
#include <primal/transform/dead_code.hpp>

namespace primal {

class simplified_statements {
 public:
  constexpr explicit simplified_statements(const program& own)
      : from(own), out(own), live(live_statements(own)), now(own.values.size(), -1) {
    count_uses();
  }
  constexpr program take() { return std::move(static_cast<program&>(out.to)); }

 protected:
  const program& from;
  algebra out;
  sequence<char> live;
  sequence<int> now;  // per old value: the new one
  sequence<int> old_uses;

  constexpr void rewrite(const statement& s) {
    if (s.result_count == 0) return;
    out.where = s.where;
    list<int, 16> in;
    sequence<int> many;
    for (int v : from.operands_of(s)) {
      if (s.operand_count <= 16) in.push_back(mapped(v));
      else many.push_back(mapped(v));
    }
    const int v = s.operand_count > 16 ? out.number(from, s, many) : build(s, in);
    for (int i = 0; i < s.result_count; ++i) now[s.first_result + i] = v + i;
    add_uses(v, old_uses[s.first_result]);
  }
  constexpr void add_uses(int v, int n) {
    if (out.uses.size() <= v) out.uses.resize(out.to.values.size() + 64, 0);
    out.uses[v] += n;
  }
  constexpr void finish() {
    for (int v : from.inputs) out.to.inputs.push_back(mapped(v));
    for (int v : from.outputs) out.to.outputs.push_back(out.with_narrow_sign(mapped(v)));
  }

  /// The statement with operands `in`.
  constexpr int build(const statement& s, list<int, 16>& in) {
    const auto& wanted = from.shape_of(s.first_result);
    if (s.op->elementwise) drop_broadcasts(wanted, in);
    const int v = simplified(s, in);
    if (v < 0) return out.number(from, s, sequence_view<int>(in.begin(), in.size()));
    return fitted(v, wanted);
  }
  /// The same for operands of other extents, which give a result of the extents `wanted`. The statement is elementwise.
  constexpr int build(const statement& s, list<int, 16>& in, const shape& wanted) {
    drop_broadcasts(wanted, in);
    int v = simplified(s, in);
    if (v < 0)
      v = out.number(s.op, sequence_view<int>(in.begin(), in.size()), from.attributes_of(s),
                     s.where);
    return fitted(v, wanted);
  }
  constexpr int simplified(const statement& s, const list<int, 16>& in) {
    const auto* op = s.op;
    if (is<add_op>(op)) return out.add(in[0], in[1]);
    if (is<subtract_op>(op)) return out.subtract(in[0], in[1]);
    if (is<multiply_op>(op)) return out.multiply(in[0], in[1]);
    if (is<divide_op>(op)) return out.divide(in[0], in[1]);
    if (is<negative_op>(op)) return out.negate(in[0]);
    if (is<square_op>(op)) return out.multiply(in[0], in[0]);
    if (is<reciprocal_op>(op) && out.is_number(in[0]))
      return out.divide(out.literal_like(1, in[0]), in[0]);
    if (is<cast_op>(op)) return simplified_cast(s, in[0]);
    if (is<matmul_op>(op))
      return out.matmul(attributes_in<matmul_op>(from.attributes_of(s)), in[0], in[1]);
    if (is<sum_op>(op)) return simplified_sum(s, in[0]);
    if (is<reshape_op>(op)) return simplified_reshape(s, in[0]);
    if (is<broadcast_to_op>(op) &&
        out.to.value_at(in[0]).shape == from.value_at(s.first_result).shape)
      return in[0];
    if (is<broadcast_to_op>(op) && out.is_number(in[0])) return reshaped_to(s, in[0]);
    if (is<transpose_op>(op)) return simplified_transpose(s, in[0]);
    if (is<take_along_axis_op>(op)) {
      const int axis = attributes_in<take_along_axis_op>(from.attributes_of(s)).axis;
      const auto places = out.to.shape_of(in[1]);
      if (out.to.extents.resolve(places[axis]) == 1 && out.maker(in[0]).op->elementwise)
        return taken(s, in[0], in[1], places.size() - axis, 6);
    }
    return -1;
  }

  constexpr int repeated(int v, const shape& wanted) {
    return out.plain<broadcast_to_op>(v, extents(wanted, nullptr));
  }
  constexpr int renamed(int v, const shape& dims) {
    while (out.made_by(v, &info_of<reshape_op>)) v = out.operand(v, 0);
    return out.reshaped(v, dims);
  }

 private:
  constexpr int mapped(int v) const { return v < 0 ? v : now[v]; }
  constexpr void count_uses() {
    old_uses.assign(from.values.size(), 0);
    for (int i = 0; i < from.size(); ++i)
      if (live[i])
        for (int v : from.operands_of(from.at(i)))
          if (v >= 0) ++old_uses[v];
    for (int v : from.outputs) ++old_uses[v];
  }

  /// A condition that was a number for a while is itself again.
  constexpr int simplified_cast(const statement& s, int v) {
    const auto wanted = from.dtype_of(s.first_result);
    if (out.to.dtype_of(v) == wanted) return v;
    if (wanted == dtype::bool_ && out.made_by(v, &info_of<cast_op>))
      if (const int condition = out.operand(v, 0); out.to.dtype_of(condition) == wanted)
        return condition;
    return -1;
  }

  /// One element per row of something elementwise: the elements of its operands are taken, so that the whole
  /// need not be in memory. The axis counts from the last one, which is 1. -1: take it as it is.
  constexpr int taken(const statement& s, int v, int index, int axis, int depth) {
    const auto dims = out.to.shape_of(v);
    const int place = dims.size() - axis;
    if (place < 0 || out.to.extents.resolve(dims[place]) == 1) return v;  // the same everywhere
    const auto m = out.maker(v);
    if (!m.op->elementwise || depth == 0) {
      if (m.operand_count == 0 && !is<input_op>(m.op)) return -1;  // never in memory
      auto whole = out.to.shape_of(index);
      whole[whole.size() - axis] = dims[place];
      const int pair[] = {dims == whole ? v : repeated(v, whole), index};
      return out.number(s.op, pair, from.attributes_of(s), s.where);
    }
    const sequence<std::int64_t> words(out.to.attributes_of(m).begin(),
                                       out.to.attributes_of(m).end());
    list<int, 4> operands;
    for (int k = 0; k < m.operand_count; ++k) {
      const int u = taken(s, out.to.operand(m, k), index, axis, depth - 1);
      if (u < 0) return -1;
      operands.push_back(u);
    }
    if (is<subtract_op>(m.op)) return out.subtract(operands[0], operands[1]);
    return out.number(m.op, sequence_view<int>(operands.begin(), operands.size()), words, s.where);
  }

  /// Elementwise operators broadcast by themselves: a repeated operand is not needed where another one
  /// has the extents.
  constexpr void drop_broadcasts(const shape& wanted, list<int, 16>& in) {
    for (int i = 0; i < in.size(); ++i) {
      if (in[i] < 0) continue;
      const bool is_number = out.is_number(in[i]) && !out.to.shape_of(in[i]).empty();
      if (!is_number && !out.made_by(in[i], &info_of<broadcast_to_op>)) continue;
      const int small = is_number ? out.number_like(in[i], {}) : out.operand(in[i], 0);
      shape dims = out.to.shape_of(small);
      for (int k = 0; k < in.size(); ++k)
        if (k != i && in[k] >= 0) broadcast_into(out.to, dims, out.to.shape_of(in[k]), "simplify");
      if (dims == wanted) in[i] = small;
    }
  }
  /// A rule may have lost axes of extent 1, or repetitions: puts them back.
  constexpr int fitted(int v, const shape& wanted) {
    return out.to.shape_of(v) == wanted ? v : repeated(v, wanted);
  }

  constexpr int simplified_sum(const statement& s, int v) {
    const auto a = attributes_in<sum_op>(from.attributes_of(s));
    if (from.dtype_of(s.first_result) != out.to.dtype_of(v)) return -1;
    bool empty = true;
    for (int axis : a.axes) empty = empty && out.to.extents.resolve(out.to.shape_of(v)[axis]) == 1;
    int y = empty ? v : out.sum_along(v, a.axes);
    return reshaped_to(s, y);
  }
  constexpr int reshaped_to(const statement& s, int v) {
    return out.reshaped(v, from.shape_of(s.first_result));
  }
  constexpr int simplified_reshape(const statement& s, int v) {
    return renamed(v, from.shape_of(s.first_result));
  }
  constexpr int simplified_transpose(const statement& s, int v) {
    auto p = attributes_in<transpose_op>(from.attributes_of(s));
    if (out.made_by(v, &info_of<transpose_op>)) {
      const auto q = attributes_in<transpose_op>(out.to.attributes_of(out.maker(v)));
      for (auto& axis : p) axis = q[static_cast<int>(axis)];
      v = out.operand(v, 0);
    }
    bool identity = true;
    for (int i = 0; i < p.size(); ++i) identity = identity && p[i] == i;
    if (identity) return v;
    return out.plain<transpose_op>(v, p);
  }
};

}  // namespace primal
