// call: one statement with the arrays that it works on, and what it may ask about the program.
#pragma once

#include <primal/interpret/dense.hpp>
#include <primal/op/info.hpp>

namespace primal::interpretation {

/// The extents of a program, now that its inputs are known.
struct run_time_extents {
  const program& p;
  const std::vector<dense>& inputs;

  std::int64_t operator()(std::int64_t code) const {
    return p.extents.evaluate(code, [&](std::int64_t argument, std::int64_t axis) {
      return inputs[static_cast<std::size_t>(argument)].extents[static_cast<std::size_t>(axis)];
    });
  }
  positions operator()(const shape& codes) const {
    positions out;
    for (auto code : codes) out.push_back((*this)(code));
    return out;
  }
  positions operator()(const primal::extents& e) const { return (*this)(e.codes()); }
};

struct call {
  const program& p;
  const statement& s;
  const run_time_extents& numbers;
  std::vector<const dense*> in;  // null: an optional input that was left out

  const dense& operator[](std::size_t i) const { return *in[i]; }
  dtype result_dtype() const { return p.dtype_of(s.first_result); }
  positions result_extents() const { return numbers(p.shape_of(s.first_result)); }
  template <class Op> attributes_of<Op> attributes() const {
    return attributes_in<Op>(p.attributes_of(s));
  }
};

/// Negative axes count from the end.
inline std::size_t axis_of(std::int64_t axis, const dense& x) {
  return static_cast<std::size_t>(axis < 0 ? axis + x.rank() : axis);
}

inline std::vector<bool> mask_of_axes(const axes& a, const dense& x) {
  std::vector<bool> along(x.extents.size(), a.every);
  for (int axis : a) along[axis_of(axis, x)] = true;
  return along;
}

/// Elements at the same place of operands that are broadcast to each other.
inline dense elementwise(const call& c) {
  const auto extents = c.result_extents();
  std::vector<positions> strides;
  for (const auto* x : c.in) strides.push_back(broadcast_strides(x->extents, extents));
  std::vector<double> arguments(c.in.size());
  return generated(extents, c.result_dtype(), [&](const positions& at) {
    for (std::size_t i = 0; i < c.in.size(); ++i) arguments[i] = c[i][offset_at(at, strides[i])];
    return c.s.op->evaluate(arguments.data(), c.in.back()->dtype);
  });
}

}  // namespace primal::interpretation
