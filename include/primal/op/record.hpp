// Recording: an operator and its operands become a statement with inferred result types.
#pragma once

#include <primal/op/facets.hpp>

namespace primal {

/// Converts to another dtype; defined with the cast operator.
constexpr tensor cast(operand x, dtype d);

/// Records a number or a constant array where a recorded tensor is needed; defined in op/attach.hpp.
constexpr tensor attach(recorder& r, const constant_source& c);

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

/// The dtype that the operands of an elementwise operator are converted to. Numbers are weak: they
/// take the tensors' dtype, except that a floating-point number beside integers gives float32.
constexpr dtype common_dtype(const tensor* in, int count) {
  bool any = false, point = false, digits = false;
  dtype d = dtype::bool_, weak = dtype::bool_;
  for (int i = 0; i < count; ++i) {
    if (!in[i].has_value()) continue;
    const dtype own = in[i].dtype();
    if (!in[i].owner && in[i].constant.weak()) {
      point = point || is_floating(own);
      digits = digits || own != dtype::bool_;
      weak = promote(weak, own);
    } else {
      d = any ? promote(d, own) : own;
      any = true;
    }
  }
  if (!any) return weak;
  if (point && !is_floating(d)) return dtype::float32;
  if (digits && d == dtype::bool_) return dtype::int32;
  return d;
}

constexpr bool all_uniform(const tensor* in, int count) {
  for (int i = 0; i < count; ++i)
    if (!in[i].constant.uniform()) return false;
  return true;
}

/// An elementwise operator on numbers and arrays of one number gives such an array.
constexpr tensor fold_constants(const op_info& op, const tensor* in, int count) {
  auto kind = constant_source::number;
  double args[4] = {};
  shape dims;
  recorder* near = nullptr;
  for (int i = 0; i < count; ++i)
    if (in[i].near) near = in[i].near;
  for (int i = 0; i < count; ++i) {
    const auto& c = in[i].constant;
    if (c.kind() == constant_source::full) kind = constant_source::full;
    if (c.rank() > 0 && c.dims() != dims) {
      recorder scratch;
      broadcast_into(near ? *near : scratch, dims, c.dims(), op.name.data());
    }
    args[i] = c.value();
  }
  const int first = op.selects ? 1 : 0;
  const auto compute = op.dtypes->compute(common_dtype(in + first, count - first));
  auto out = constant_tensor({kind, op.dtypes->result(compute), op.evaluate(args, compute)});
  out.constant.set_dims(dims);
  out.near = near;
  return out;
}

/// Makes the operands of an elementwise operator tensors of one dtype. (A template, so that this header can be
/// included alone: cast() and attach() are defined later.)
template <int = 0>
constexpr void unify_dtypes(recorder& r, const op_info& op, tensor* in, int count) {
  const int first = op.selects ? 1 : 0;
  const auto common = common_dtype(in + first, count - first);
  if (op.dtypes->restricted && !op.dtypes->accepts(common))
    r.report.fail(join(op.name, ": no rule for ", name_of(common), ": ", op.dtypes->needs));
  const auto compute = op.dtypes->compute(common);
  for (int i = 0; i < count; ++i) {
    const auto wanted = i < first ? dtype::bool_ : compute;
    auto& t = in[i];
    if (!t.has_value()) continue;
    if (!t.owner) {
      if (t.constant.weak()) t.constant.set_dtype(wanted);
      t = attach(r, t.constant);
    }
    if (t.dtype() != wanted) {
      inside_rule inside(r.report);
      t = cast(t, wanted);
    }
  }
}

/// Makes the operands of any other operator tensors: numbers take the dtype of the first tensor.
template <int = 0> constexpr void attach_operands(recorder& r, tensor* in, int count) {
  int first = 0;
  while (first < count && !in[first].owner) ++first;
  for (int i = 0; i < count; ++i)
    if (!in[i].owner && in[i].has_value()) {
      if (in[i].constant.weak())
        in[i].constant.set_dtype(first < count ? in[first].dtype() : dtype::float32);
      in[i] = attach(r, in[i].constant);
    }
}

/// Gives the last statement its results.
constexpr result_ids finish_statement(recorder& r) {
  const int at = r.size() - 1;
  const op_info* op = r.at(at).op;
  const saved s(&r, at);
  if (r.report.failed()) {  // go on with something, so that the first error stays the only one
    const auto type = s.input_count() > 0 && s.input().owner ? s.input().type() : tensor_type{};
    if (s.input_count() == 0) op->infer(s);
    for (int i = r.at(at).result_count; i < op->outputs; ++i) r.append_result(type);
  } else if (r.expanding && op->composite && r.expanding->expands(op->name)) {
    inside_rule inside(r.report);
    return op->decompose(s);  // the statement itself stays without results, and is dropped later
  } else {
    op->infer(s);
  }
  result_ids out;
  for (int i = 0; i < r.at(at).result_count; ++i) out.push_back(r.at(at).first_result + i);
  return out;
}

/// Starts a statement on operands of which at least one belongs to `r`; its attributes come next. Not
/// per operator: what all of them share is compiled once.
template <int Later = 0>
constexpr void start_statement(recorder& r, const op_info& op, tensor* in, int count) {
  if (op.unifies) unify_dtypes<Later>(r, op, in, count);
  else attach_operands<Later>(r, in, count);
  r.append(&op, r.report.where);
  for (int i = 0; i < count; ++i) r.append_operand(in[i].owner ? in[i].id : -1);
}

/// Records `Op`.
template <class Op>
constexpr result_ids record(recorder& r, tensor* in, int count,
                            const attributes_of<Op>& attributes) {
  static_cast<void>(sizeof(reveal<Op>));
  start_statement(r, info_of<Op>, in, count);
  if constexpr (!std::is_empty_v<attributes_of<Op>>) {
    if constexpr (has_normalised<Op>)
      encode(r.report.failed() ? attributes : Op::normalised(in[0], attributes), r.attributes);
    else encode(attributes, r.attributes);
    r.close_attributes();
  }
  return finish_statement(r);
}

}  // namespace primal
