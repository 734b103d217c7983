// tensor: the handle of a value in a model.
#pragma once

#include <primal/expr/constant_source.hpp>
#include <primal/expr/extents.hpp>

#include <array>
#include <vector>

namespace primal {

/// A value of a model: a small handle, copied freely. It is valid while its model is being recorded;
/// no expression exists at run time. An empty handle stands for an input that was left out.
struct tensor {
  recorder* owner = nullptr;
  int id = -1;
  constant_source constant;
  recorder* near = nullptr;  // of a constant: the model that its extents belong to

  constexpr tensor() = default;
  constexpr tensor(recorder* r, int value) : owner(r), id(value) {}

  /// Is there a value at all? False for an optional input that was left out.
  constexpr bool has_value() const {
    return owner != nullptr || constant.kind() != constant_source::nothing;
  }

  constexpr tensor_type type() const {
    return owner ? owner->type(id) : tensor_type{constant.dims(), constant.dtype()};
  }
  constexpr int rank() const { return owner ? owner->shape_of(id).size() : constant.rank(); }
  constexpr primal::dtype dtype() const { return owner ? owner->dtype_of(id) : constant.dtype(); }
  /// The extents of all axes.
  constexpr extents shape() const {
    return owner ? extents(owner->shape_of(id), owner) : extents(constant.dims(), near);
  }
  /// The extent of one axis; a negative axis counts from the end.
  constexpr primal::extent extent(
      int axis, std::source_location where = std::source_location::current()) const {
    const int at = axis < 0 ? axis + rank() : axis;
    if (at >= 0 && at < rank()) return shape()[at];
    if (!owner) core::refuse("primal: extent: axis out of range");
    owner->report.at(where);
    owner->report.fail(
        join("extent: axis ", axis, " is out of range for ", to_text(type(), owner->extents)));
    return 1;
  }
  /// How many elements.
  constexpr primal::extent size() const {
    primal::extent n = 1;
    for (const auto& e : shape()) n = n * e;
    return n;
  }

  struct index;
  /// Slices: `x(pm::all, pm::range(2, -1), pm::newaxis, 0)`.
  template <class... I> constexpr tensor operator()(const index& first, const I&... others) const;
};

/// The kind of array that a parameter struct holds inside a model.
template <std::size_t Rank> using symbolic = tensor;

constexpr tensor constant_tensor(const constant_source& c) {
  tensor t;
  t.constant = c;
  return t;
}
constexpr tensor constant_tensor(const constant_source& c, const extents& dims) {
  tensor t = constant_tensor(c);
  t.constant.set_dims(dims.codes());
  for (const auto& e : dims)
    if (e.owner()) t.near = e.owner();
  return t;
}

/// In a rule's parameter list: an input that may have been left out; ask has_value().
struct optional : tensor {};

/// Several tensors: the operands of concat, the cotangents of a rule.
struct tensors : std::vector<tensor> {
  using std::vector<tensor>::vector;
  constexpr tensors() = default;
  constexpr tensors(std::initializer_list<tensor> items) : std::vector<tensor>(items) {}
  constexpr tensors(const tensor& one) : std::vector<tensor>{one} {}
};

/// Several results of one call.
template <std::size_t N> using results = std::array<tensor, N>;

}  // namespace primal
