// Inputs: the values that a caller passes.
#pragma once

#include <primal/op/op.hpp>

namespace primal {

/// Input number `index` of a program. Its place holds the name of the argument instead of a line.
struct input_op : primitive<input_op> {
  static constexpr op_name name{"input"};
  static constexpr bool differentiable = false;
  struct attributes {
    int index = 0;
    primal::dtype dtype = dtype::float32;
    extents dims{};
  };
  static constexpr tensor_type infer(attributes a) { return {a.dims.codes(), a.dtype}; }
};

/// Records the next input of `r`.
constexpr tensor record_input(recorder& r, const tensor_type& type, const char* name) {
  const int index = static_cast<int>(r.inputs.size());
  r.report.where = {};
  r.report.where.file = name;
  const auto ids = record<input_op>(r, nullptr, 0, {index, type.dtype, extents(type.dims, &r)});
  r.report.where = {};
  r.inputs.push_back(ids[0]);
  return {&r, ids[0]};
}

}  // namespace primal
