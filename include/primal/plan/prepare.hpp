// prepare: primitives that no kernel has are written with those that kernels have.
#pragma once

#include <primal/op/argmax.hpp>
#include <primal/op/extreme.hpp>
#include <primal/op/indices.hpp>
#include <primal/op/joining.hpp>
#include <primal/op/predicate.hpp>
#include <primal/op/slicing.hpp>
#include <primal/transform/rewriting.hpp>

namespace primal {

namespace plan_rules {

/// The first place of an extreme: the least index among the elements that are equal to it, or NaN.
template <class Extreme>
constexpr result_ids place_of(const saved& s, const op<Extreme>& extreme, const shape& result) {
  auto x = s.input();
  const auto a = attributes_in<argmax_op>(s);
  const bool line = a.axis.size() != 1;  // among all elements
  if (line) x = reshape(x, {-1});
  const int axis = line ? 0 : a.axis[0];
  auto hit = x == extreme(x, {.axes = axis, .keepdims = true});
  if (is_floating(x.dtype())) hit = hit || isnan(x);
  const auto places = where(hit, core::places_along(x, axis, dtype::int64),
                            cast(operand(x.extent(axis)), dtype::int64));
  const auto first = min(places, {.axes = axis, .keepdims = true});
  return {reshape(first, extents(result, x.owner)).id};
}

/// A padding that cuts off: a slice, then a padding that does not.
constexpr result_ids pad_in_two(const saved& s) {
  const auto x = s.input();
  auto a = attributes_in<pad_op>(s);
  slice_op::attributes part;
  for (int i = 0; i < x.rank(); ++i) {
    extent start = 0, size = x.extent(i);
    for (auto* side : {&a.low, &a.high}) {
      const extent amount((*side)[i].code(), x.owner);
      if (x.owner->extents.sign_of_terms(amount.code()) >= 0) continue;
      if (side == &a.low) start = 0 - amount;
      size = size + amount;
      (*side)[i] = 0;
    }
    part.start.push_back(start);
    part.size.push_back(size);
  }
  return {pad(slice(x, part), a).id};
}

/// x with what a padding adds along one axis: numbers beside it, so that nothing is written twice.
constexpr tensor padded_beside(const tensor& x, const pad_op::attributes& a, int axis) {
  const auto side = [&](const extent& amount) {
    auto dims = x.shape();
    dims[axis] = amount;
    return full(dims, a.value, {.dtype = x.dtype()});
  };
  tensors parts;
  if (a.low[axis].code() != 0) parts.push_back(side(extent(a.low[axis].code(), x.owner)));
  parts.push_back(x);
  if (a.high[axis].code() != 0) parts.push_back(side(extent(a.high[axis].code(), x.owner)));
  return concat(parts, {.axis = axis});
}
constexpr result_ids pad_beside(const saved& s) {
  auto x = s.input();
  const auto a = attributes_in<pad_op>(s);
  for (int axis = x.rank() - 1; axis >= 0; --axis)
    if (a.low[axis].code() != 0 || a.high[axis].code() != 0) x = padded_beside(x, a, axis);
  return {x.id};
}

/// Along one axis, or around one element of few along each of several: the gradient of m(0, 1).
constexpr bool is_padded_beside(const program& p, const statement& s) {
  const auto a = attributes_in<pad_op>(p.attributes_of(s));
  int axes = 0;
  bool elements = true;
  for (int i = 0; i < a.low.size(); ++i) {
    if (a.low[i].code() == 0 && a.high[i].code() == 0) continue;
    ++axes;
    const auto all = p.shape_of(s.first_result)[i];
    elements = elements && p.shape_of(p.operand(s, 0))[i] == 1 && is_number(all) && all <= 16;
  }
  return axes == 1 || (axes > 1 && elements);
}

constexpr bool cuts_off(const program& p, const statement& s) {
  const auto a = attributes_in<pad_op>(p.attributes_of(s));
  for (const auto* side : {&a.low, &a.high})
    for (const auto& e : *side)
      if (p.extents.sign_of_terms(e.code()) < 0) return true;
  return false;
}

}  // namespace plan_rules

/// Primitives that no kernel has, and that are written with others.
constexpr bool is_prepared(const op_info* op) { return is<argmax_op>(op) || is<argmin_op>(op); }

/// The program with only those primitives that the planner knows.
constexpr program prepared(const program& p) {
  rewriting pass(p);
  for (const auto& s : p.statements) {
    const auto& result = p.shape_of(s.first_result);
    if (is_prepared(s.op))
      pass.replace(s, [&](saved x) {
        return is<argmax_op>(s.op) ? plan_rules::place_of(x, max, result)
                                   : plan_rules::place_of(x, min, result);
      });
    else if (is<pad_op>(s.op) && plan_rules::cuts_off(p, s))
      pass.replace(s, [](saved x) { return plan_rules::pad_in_two(x); });
    else if (is<pad_op>(s.op) && plan_rules::is_padded_beside(p, s))
      pass.replace(s, [](saved x) { return plan_rules::pad_beside(x); });
    else pass.copy(s);
  }
  return std::move(pass.finish());
}

}  // namespace primal
