// constant_expression: operators on constants alone, before a tensor of the model is near.
//
// No recorder can be reached there. The operator is recorded into one of its own, and what that holds becomes a
// constant that describes itself: its statements, packed as those of a frozen program. Where the constant meets
// a tensor or is returned they are recorded again.
#pragma once

#include <primal/expr/frozen.hpp>
#include <primal/op/broadcast.hpp>
#include <primal/op/record.hpp>

#include <limits>

namespace primal::core {

// Word 0 is the number of statements, word 1 says whether one of them is wrong; then each as frozen programs have
// it, without results. Operands are the numbers of values, plus 1.

/// Writes the statements that a value needs.
class expression_writer {
 public:
  constexpr expression_writer(const recorder& r, int id) : p(r), now_(r.values.size(), 0) {
    sequence<char> live(p.statements.size(), 0);
    live[p.value_at(id).statement] = 1;
    for (int i = p.size() - 1; i >= 0; --i)
      if (live[i])
        for (int v : p.operands_of(p.at(i)))
          if (v >= 0) live[p.value_at(v).statement] = 1;
    for (int i = 0; i < p.size(); ++i)
      if (live[i]) write(p.at(i));
    out_.words[1] = r.report.failed();
  }
  constexpr tensor value(int id) const {
    const auto type = p.type(id);
    constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
    auto t = constant_tensor(
        {constant_source::expression, type.dtype, no_number, static_cast<double>(now_[id])});
    t.constant.set_dims(type.dims);
    t.constant.statements = out_;
    return t;
  }

 private:
  const program& p;
  sequence<int> now_;  // per value: its number in the expression
  constant_source::code out_;
  int used_ = 2, values_ = 0;

  constexpr void put(std::int64_t word) {
    if (used_ >= constant_source::code::room)
      core::refuse(
          "primal: too much is calculated from constants alone; begin with the extents of a "
          "tensor");
    out_.words[used_++] = word;
  }
  constexpr void write(const statement& s) {
    const auto at = out_.words[0]++;
    if (at >= constant_source::code::most_statements)
      core::refuse(
          "primal: too much is calculated from constants alone; begin with the extents of a "
          "tensor");
    out_.operators[at] = s.op;
    if (s.where.known()) out_.file = s.where.file;
    put(pack(s));
    for (int v : p.operands_of(s)) put(v < 0 ? 0 : now_[v] + 1);
    for (auto word : p.attributes_of(s)) put(word);
    for (int i = 0; i < s.result_count; ++i) now_[s.first_result + i] = values_++;
  }
};

/// The values of a recorder without inputs as constants.
constexpr tensor as_constants(const tensor& t) {
  if (!t.owner) return t;
  return expression_writer(*t.owner, t.id).value(t.id);
}
template <std::size_t N> constexpr results<N> as_constants(const results<N>& values) {
  results<N> out;
  for (std::size_t i = 0; i < N; ++i) out[i] = as_constants(values[i]);
  return out;
}

/// What two operands have in common is recorded once. (A template, as those of record.hpp are: attach() is defined
/// later.)
template <int = 0> constexpr void attach_equal_expressions(recorder& r, tensor* in, int count) {
  for (int i = 1; i < count; ++i)
    for (int k = 0; k < i && !in[i].owner; ++k) {
      if (in[i].constant.kind() != constant_source::expression || in[k].owner ||
          !in[k].constant.same_as(in[i].constant))
        continue;
      in[k] = attach(r, in[k].constant);
      in[i] = in[k];
    }
}

/// Records the statements of an expression; returns its value.
constexpr int record_expression(recorder& r, const constant_source& c) {
  const std::int64_t* w = c.statements.words;
  sequence<int> values;
  const auto count = *w++;
  const bool wrong = *w++ != 0;
  const place before = r.report.where;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto s = unpack(*w++);
    place where;
    where.file = c.statements.file;
    where.line = s.where.line;
    if (where.known() && r.report.depth <= 1) r.report.where = where;  // attach() is one rule deep
    r.append(c.statements.operators[i], r.report.where);
    for (int k = 0; k < s.operand_count; ++k, ++w) r.append_operand(*w == 0 ? -1 : values[*w - 1]);
    for (int k = 0; k < s.attribute_count; ++k) r.attributes.push_back(*w++);
    r.close_attributes();
    for (int v : finish_statement(r)) values.push_back(v);
  }
  if (wrong)
    r.report.fail(join(c.statements.operators[count - 1]->name,
                       ": the operands or attributes of these constants do not fit"));
  r.report.where = before;
  return values[static_cast<int>(c.step())];
}

}  // namespace primal::core
