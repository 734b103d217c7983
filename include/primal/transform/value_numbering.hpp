// Value numbering: a program in which no statement stands twice.
#pragma once

#include <primal/transform/rewriting.hpp>

namespace primal {

/// Appends statements, and gives back the value that is there already when operator, operands and
/// attributes are the same. Every operator is a pure function. Linear, by open addressing.
class numbered_program {
 public:
  recorder to;

  constexpr explicit numbered_program(const program& from) {
    to.shapes = from.shapes;
    to.extents = from.extents;
    table_.assign(1024, -1);
  }

  constexpr const statement& maker(int v) const { return to.maker(v); }
  constexpr bool made_by(int v, const op_info* op) const { return same_operator(maker(v).op, op); }
  constexpr int operand(int v, int i) const { return to.operand(maker(v), i); }

  /// The result of `op` with operands in `to`; the type is inferred. `attributes` are words.
  constexpr int number(const op_info* op, sequence_view<int> operands,
                       sequence_view<std::int64_t> attributes, const place& origin) {
    const int slot = find(op, operands, attributes);
    if (table_[slot] >= 0) return to.at(table_[slot]).first_result;
    append(op, operands, attributes, origin);
    op->infer(saved(&to, to.size() - 1));
    return entered(slot);
  }
  /// The result of `op` if it is there already, else -1.
  constexpr int existing(const op_info* op, sequence_view<int> operands) const {
    const int s = table_[find(op, operands, {})];
    return s < 0 ? -1 : to.at(s).first_result;
  }
  /// The same for a statement of another program with known result types.
  constexpr int number(const program& from, const statement& s, sequence_view<int> operands) {
    const auto attributes = from.attributes_of(s);
    const int slot = find(s.op, operands, attributes);
    if (table_[slot] >= 0) return to.at(table_[slot]).first_result;
    append(s.op, operands, attributes, s.where);
    to.statements.back().annotation = s.annotation;
    for (int i = 0; i < s.result_count; ++i) {
      const auto& v = from.value_at(s.first_result + i);
      to.append_result(v.shape, v.dtype);
    }
    return entered(slot);
  }

 private:
  sequence<int> table_;  // statements
  int used_ = 0;

  constexpr void append(const op_info* op, sequence_view<int> operands,
                        sequence_view<std::int64_t> attributes, const place& origin) {
    to.append(op, origin);
    for (int v : operands) to.append_operand(v);
    for (auto w : attributes) to.attributes.push_back(w);
    to.close_attributes();
  }
  constexpr int entered(int slot) {
    table_[slot] = to.size() - 1;
    if (2 * ++used_ > table_.size()) grow();
    return to.statements.back().first_result;
  }
  constexpr void grow() {
    const auto old = std::move(table_);
    table_.assign(4 * old.size(), -1);
    for (int s : old)
      if (s >= 0)
        table_[find(to.at(s).op, to.operands_of(to.at(s)), to.attributes_of(to.at(s)))] = s;
  }
  /// The slot of an equal statement, or the free one where it belongs.
  constexpr int find(const op_info* op, sequence_view<int> operands,
                     sequence_view<std::int64_t> attributes) const {
    const auto hash = hash_of(op, operands, attributes);
    const int mask = table_.size() - 1;
    for (int slot = static_cast<int>(hash >> 33) & mask;; slot = (slot + 1) & mask)
      if (table_[slot] < 0 || same(to.at(table_[slot]), op, operands, attributes)) return slot;
  }
  constexpr bool same(const statement& s, const op_info* op, sequence_view<int> operands,
                      sequence_view<std::int64_t> attributes) const {
    return same_operator(s.op, op) && to.operands_of(s) == operands &&
           to.attributes_of(s) == attributes;
  }
};

}  // namespace primal
