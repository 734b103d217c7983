// prepare: primitives that no kernel has are written with those that kernels have.
#pragma once

#include <primal/op/indexing.hpp>
#include <primal/op/predicate.hpp>
#include <primal/op/reduction.hpp>
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

/// A padding along one axis: numbers beside x, so that nothing is written twice.
constexpr result_ids pad_beside(const saved& s, int axis) {
  const auto x = s.input();
  const auto a = attributes_in<pad_op>(s);
  const auto side = [&](const extent& amount) {
    auto dims = x.shape();
    dims[axis] = amount;
    return full(dims, a.value, {.dtype = x.dtype()});
  };
  tensors parts;
  if (a.low[axis].code() != 0) parts.push_back(side(extent(a.low[axis].code(), x.owner)));
  parts.push_back(x);
  if (a.high[axis].code() != 0) parts.push_back(side(extent(a.high[axis].code(), x.owner)));
  return {concat(parts, {.axis = axis}).id};
}

/// The only axis that is padded; -1 if there are others, or none.
constexpr int padded_axis(const program& p, const statement& s) {
  const auto a = attributes_in<pad_op>(p.attributes_of(s));
  int axis = -1;
  for (int i = 0; i < a.low.size(); ++i) {
    if (a.low[i].code() == 0 && a.high[i].code() == 0) continue;
    if (axis >= 0) return -1;
    axis = i;
  }
  return axis;
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
    else if (const int axis = is<pad_op>(s.op) ? plan_rules::padded_axis(p, s) : -1; axis >= 0)
      pass.replace(s, [&](saved x) { return plan_rules::pad_beside(x, axis); });
    else pass.copy(s);
  }
  return std::move(pass.finish());
}

}  // namespace primal
