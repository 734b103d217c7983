// resolve_extents: one code for extents that were found to be equal, so that statements that differ in
// the code alone are the same to value numbering.
#pragma once

#include <primal/op/slicing.hpp>
#include <primal/op/source.hpp>

namespace primal {

namespace core {

/// The extents among the attributes of a statement, `part` of them, after all equalities.
template <class Op, class Part>
constexpr void resolve_attributes(program& p, const statement& s, Part part) {
  auto a = attributes_in<Op>(p.attributes_of(s));
  for (auto& e : part(a)) e = extent(p.extents.resolve(e.code()), nullptr);
  sequence<std::int64_t> words;
  encode(a, words);
  std::copy(words.begin(), words.end(), p.attributes.begin() + s.first_attribute);
}

}  // namespace core

constexpr void resolve_extents(program& p) {
  if (!p.extents.any_equalities()) return;
  sequence<int> now;  // per shape
  for (int i = 0, n = p.shapes.size(); i < n; ++i) {
    auto dims = p.shapes[i];
    for (auto& e : dims) e = p.extents.resolve(e);
    now.push_back(p.intern(dims));
  }
  for (auto& v : p.values) v.shape = now[v.shape];
  const auto itself = [](auto& a) -> extents& { return a; };
  const auto dims = [](auto& a) -> extents& { return a.dims; };
  const auto code = [](auto& a) -> extents& { return a.code; };
  for (const auto& s : p.statements) {
    if (s.attribute_count == 0) continue;
    if (is<reshape_op>(s.op)) core::resolve_attributes<reshape_op>(p, s, itself);
    if (is<broadcast_to_op>(s.op)) core::resolve_attributes<broadcast_to_op>(p, s, itself);
    if (is<full_op>(s.op)) core::resolve_attributes<full_op>(p, s, dims);
    if (is<arange_op>(s.op)) core::resolve_attributes<arange_op>(p, s, dims);
    if (is<slice_op>(s.op)) {
      core::resolve_attributes<slice_op>(p, s, [](auto& a) -> extents& { return a.start; });
      core::resolve_attributes<slice_op>(p, s, [](auto& a) -> extents& { return a.size; });
    }
    if (is<extent_op>(s.op)) core::resolve_attributes<extent_op>(p, s, code);
  }
  p.extents.settle();
}

}  // namespace primal
