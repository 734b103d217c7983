// Records a model over given types in one constant evaluation, and says in a text what came out.
#pragma once

#include <primal/op/input.hpp>
#include <primal/transform/decompose.hpp>
#include <primal/transform/reverse.hpp>

namespace primal::test {

/// An extent that is known only at the call.
inline constexpr std::int64_t dyn = -1;

template <class... E> constexpr tensor_type typed(dtype d, E... extents) {
  return {{static_cast<std::int64_t>(extents)...}, d};
}
template <class... E> constexpr tensor_type f32(E... extents) {
  return typed(dtype::float32, extents...);
}
template <class... E> constexpr tensor_type f64(E... extents) {
  return typed(dtype::float64, extents...);
}
template <class... E> constexpr tensor_type f16(E... extents) {
  return typed(dtype::float16, extents...);
}
template <class... E> constexpr tensor_type bf16(E... extents) {
  return typed(dtype::bfloat16, extents...);
}
template <class... E> constexpr tensor_type i32(E... extents) {
  return typed(dtype::int32, extents...);
}
template <class... E> constexpr tensor_type i64(E... extents) {
  return typed(dtype::int64, extents...);
}
template <class... E> constexpr tensor_type u8(E... extents) {
  return typed(dtype::uint8, extents...);
}
template <class... E> constexpr tensor_type boolean(E... extents) {
  return typed(dtype::bool_, extents...);
}

namespace recorded_model {

constexpr tensor input(recorder& r, tensor_type type) {
  const int index = static_cast<int>(r.inputs.size());
  for (int axis = 0; axis < type.rank(); ++axis)
    if (type.dims[axis] == dyn) type.dims[axis] = r.extents.symbol(index, axis);
  return record_input(r, type, "x");
}

constexpr void append(tensors& all, const tensor& t) { all.push_back(t); }
constexpr void append(tensors& all, const tensors& many) {
  for (const auto& t : many) all.push_back(t);
}
template <std::size_t N> constexpr void append(tensors& all, const results<N>& many) {
  for (const auto& t : many) all.push_back(t);
}

/// After all equalities of extents that were found.
constexpr text types_of(const program& p, const sequence<int>& values) {
  extent_space space = p.extents;
  text t;
  for (int v : values) {
    if (!t.empty()) t += " ";
    if (v < 0) {
      t += "none";
      continue;
    }
    auto type = p.type(v);
    for (auto& e : type.dims) e = space.resolve(e);
    t += to_text(type, space);
  }
  return t;
}

/// The message of an error without its place.
constexpr text problem(const diagnostics& d) {
  const auto at = d.message.view().rfind(" at ");
  return text(d.message.view().substr(
      0, at == std::string_view::npos || !d.where.known() ? d.message.size() : at));
}

}  // namespace recorded_model

/// A model over types: its recorder, inputs and outputs.
struct recorded {
  recorder r;
  tensors inputs, outputs;

  template <class F, class... T> constexpr explicit recorded(F f, T... types) {
    (inputs.push_back(recorded_model::input(r, types)), ...);
    std::size_t i = 0;
    std::array<tensor, sizeof...(T)> x{(static_cast<void>(types), inputs[i++])...};
    recorded_model::append(outputs, std::apply(f, x));
    for (auto& t : outputs) {
      if (!t.owner) t = attach(r, t.constant);
      r.outputs.push_back(t.id);
    }
  }
  recorded(const recorded&) = delete;
};

/// The types of the results, "f32[2,3] i64[]", or the error without its place. Results that differ after
/// everything was decomposed are an error too.
template <class F, class... T> constexpr text result_of(F f, T... types) {
  recorded m(f, types...);
  if (m.r.report.failed()) return recorded_model::problem(m.r.report);
  const auto whole = recorded_model::types_of(m.r, m.r.outputs);
  diagnostics report;
  const program pieces = decompose(m.r, policy{.require_primitive = true}, report);
  if (report.failed()) return join("decomposed: ", recorded_model::problem(report));
  const auto decomposed = recorded_model::types_of(pieces, pieces.outputs);
  if (decomposed.view() != whole.view())
    return join("decomposed: ", decomposed, " instead of ", whole);
  return whole;
}

namespace recorded_model {

/// The gradients of the inputs of `m`, empty where there is none. Every floating-point result gets a
/// cotangent.
constexpr tensors gradients(recorded& m) {
  reverse_sweep sweep(m.r, static_cast<int>(m.inputs.size()));
  for (const auto& x : m.inputs) sweep.want(x);
  for (const auto& y : m.outputs)
    if (is_floating(y.dtype())) sweep.seed(y, attach(m.r, full_like(y, 0.5).constant));
  sweep.run();
  tensors all;
  for (const auto& x : m.inputs) all.push_back(sweep.cotangent(x));
  return all;
}

}  // namespace recorded_model

/// The types of the gradients of all inputs, "none" where there is none, or the error without its place.
/// The gradient must decompose, too.
template <class F, class... T> constexpr text gradients_of(F f, T... types) {
  recorded m(f, types...);
  if (m.r.report.failed()) return recorded_model::problem(m.r.report);
  const auto all = recorded_model::gradients(m);
  if (m.r.report.failed()) return recorded_model::problem(m.r.report);
  sequence<int> ids;
  m.r.outputs.clear();
  for (const auto& g : all) {
    ids.push_back(g.owner ? g.id : -1);
    if (g.owner) m.r.outputs.push_back(g.id);
  }
  diagnostics report;
  const program pieces = decompose(m.r, policy{.require_primitive = true}, report);
  if (report.failed()) return join("decomposed: ", recorded_model::problem(report));
  return recorded_model::types_of(m.r, ids);
}

/// Has every input a gradient, of its own type?
template <class F, class... T> constexpr bool has_gradients(F f, T... types) {
  recorded m(f, types...);
  if (m.r.report.failed()) return false;
  const auto all = recorded_model::gradients(m);
  if (m.r.report.failed()) return false;
  sequence<int> ids;
  for (const auto& g : all) ids.push_back(g.owner ? g.id : -1);
  return recorded_model::types_of(m.r, ids).view() ==
         recorded_model::types_of(m.r, m.r.inputs).view();
}

/// Is that what comes out? `gives("f32[]", [](auto x) { return pm::sum(x); }, f32(2, 3))`
template <class F, class... T> constexpr bool gives(std::string_view expected, F f, T... types) {
  return result_of(f, types...).view() == expected;
}
/// Is that what the gradients are? A model that is not differentiated in all inputs gives "none" there.
template <class F, class... T>
constexpr bool gives_gradients(std::string_view expected, F f, T... types) {
  return gradients_of(f, types...).view() == expected;
}
/// Both: the expected types of the results, and a gradient of its own type for every input.
template <class F, class... T>
constexpr bool gives_with_gradients(std::string_view expected, F f, T... types) {
  return gives(expected, f, types...) && has_gradients(f, types...) &&
         !gradients_of(f, types...).view().starts_with("decomposed");
}

/// How many statements the model has after everything was decomposed, inputs and constants aside.
template <class F, class... T> constexpr int statements_of(F f, T... types) {
  recorded m(f, types...);
  int n = 0;
  const program pieces = decompose(m.r);
  for (const auto& s : pieces.statements) n += s.operand_count > 0;
  return n;
}

}  // namespace primal::test
