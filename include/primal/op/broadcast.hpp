// broadcast: the shape of an elementwise result, and how operands that do not fit are reported.
#pragma once

#include <primal/expr/saved.hpp>

namespace primal {

constexpr text describe(const recorder& r, const tensor_type& t) { return to_text(t, r.extents); }

/// "f32[2,3] and f32[4,3]"
constexpr text describe_operands(const saved& s, std::string_view between = " and ") {
  text t;
  for (int i = 0; i < s.input_count(); ++i) {
    if (!s.input(i).has_value()) continue;
    if (!t.empty()) t += between;
    t += describe(s.owner(), s.input(i).type());
  }
  return t;
}

/// Reports "op: problem: operands".
constexpr void fail_operands(const saved& s, std::string_view problem,
                             std::string_view between = " and ") {
  s.owner().report.fail(join(s.own().op->name, ": ", problem, ": ", describe_operands(s, between)));
}

/// Both extents must be equal: at once if that is known, else at the call. False if they differ.
constexpr bool same_extent(recorder& r, std::int64_t a, std::int64_t b, const char* what) {
  return r.extents.unify(a, b, what, r.report.where);
}

/// NumPy's broadcast of two shapes: aligned at the last axis, an extent 1 stretches.
constexpr bool broadcast_into(recorder& r, shape& out, const shape& in, const char* what) {
  while (out.size() < in.size()) out.insert(0, 1);
  const int shift = out.size() - in.size();
  for (int i = 0; i < in.size(); ++i) {
    auto& o = out[i + shift];
    const auto e = r.extents.resolve(in[i]);
    o = r.extents.resolve(o);
    if (e == 1 || e == o) continue;
    if (o == 1) {
      o = e;
    } else {
      if (!same_extent(r, o, e, what)) return false;
      o = r.extents.resolve(o);
    }
  }
  return true;
}

/// The same for the shapes with these indices; -1 if they do not broadcast. Remembered, because the
/// same few pairs of shapes meet all the time.
constexpr int broadcast_shapes(recorder& r, int a, int b, const char* what) {
  if (a == b || r.shapes[b].empty()) return a;
  for (const auto& known : r.broadcasts)
    if (known.a == a && known.b == b) return known.result;
  auto dims = r.shapes[a];
  if (!broadcast_into(r, dims, r.shapes[b], what)) return -1;
  const int result = r.intern(dims);
  r.broadcasts.push_back({a, b, result});
  return result;
}

/// The result of an elementwise operator: the operands' dtypes are equal already.
constexpr void infer_elementwise(saved s) {
  recorder& r = s.owner();
  const op_info* op = s.own().op;
  const auto operands = r.operands_of(s.own());
  const dtype d = op->dtypes->result(r.dtype_of(operands[op->selects ? 1 : 0]));
  int index = r.value_at(operands[0]).shape;
  for (int i = 1; i < operands.size() && index >= 0; ++i)
    index = broadcast_shapes(r, index, r.value_at(operands[i]).shape, op->name.data());
  if (index < 0) fail_operands(s, "shapes do not broadcast");
  r.append_result(index < 0 ? 0 : index, d);
}

}  // namespace primal
