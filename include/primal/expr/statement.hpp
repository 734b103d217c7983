// statement: an operator applied to values, and the types of those.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/core/extent.hpp>

namespace primal {

struct op_info;

/// Shape and dtype of one tensor.
struct tensor_type {
  shape dims;
  primal::dtype dtype = dtype::float32;

  constexpr int rank() const { return dims.size(); }
  friend constexpr bool operator==(const tensor_type&, const tensor_type&) = default;
};

/// One result of a statement. Its shape is an index into the program's shapes, each of which stands
/// there once: most questions about shapes compare two indices.
struct value {
  int shape = 0;
  primal::dtype dtype = dtype::float32;
  int statement = -1;
  int result = 0;
};

/// An operator applied to values. Operands and attributes lie in the pools of the program.
struct statement {
  const op_info* op = nullptr;
  int first_operand = 0, operand_count = 0;
  int first_attribute = 0, attribute_count = 0;
  int first_result = 0, result_count = 0;
  place where;
  int annotation = 0;  // carried along by every pass
};

/// "f32[32,64]"
constexpr text to_text(const tensor_type& t, const extent_space& extents) {
  text s = join(name_of(t.dtype), "[");
  for (int i = 0; i < t.rank(); ++i) {
    if (i > 0) s += ",";
    s += extents.to_text(t.dims[i]);
  }
  s += "]";
  return s;
}

}  // namespace primal
