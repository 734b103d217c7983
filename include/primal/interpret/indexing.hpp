// Primitives whose elements are chosen by arrays of indices, as plain loops.
#pragma once

#include <primal/interpret/dense.hpp>

#include <string>

namespace primal::interpretation {

/// A negative index counts from the end; one outside the axis is an error.
inline std::int64_t checked_index(double index, std::int64_t extent, std::string_view op) {
  const auto i = static_cast<std::int64_t>(index);
  if (i < -extent || i >= extent)
    raise<index_error>(std::string(op) + ": index " + std::to_string(i) +
                       " is out of range for an axis of extent " + std::to_string(extent));
  return i < 0 ? i + extent : i;
}

/// Where element `at` of an array of indices points to.
inline std::int64_t indexed_offset(const positions& at, double index, std::size_t axis,
                                   const positions& extents, const positions& strides,
                                   std::string_view op) {
  const auto i = checked_index(index, extents[axis], op);
  return offset_at(at, strides) + (i - at[axis]) * strides[axis];
}

/// out[i, j, k] = x[i, index[i, j, k], k] for axis 1.
inline dense taken_along_axis(const dense& x, const dense& index, std::size_t axis,
                              std::string_view op) {
  const auto strides = strides_of(x.extents);
  std::int64_t i = 0;
  return generated(index.extents, x.dtype, [&](const positions& at) {
    return x[indexed_offset(at, index[i++], axis, x.extents, strides, op)];
  });
}

/// `x`, where `store(place, update)` is called for the place that each index names, in row-major order.
template <class Store>
dense scattered(const dense& x, const dense& index, const dense& updates, std::size_t axis,
                std::string_view op, const Store& store) {
  dense out = x;
  const auto strides = strides_of(x.extents);
  std::int64_t i = 0;
  for_each_position(index.extents, [&](const positions& at) {
    store(out[indexed_offset(at, index[i], axis, x.extents, strides, op)], updates[i]);
    ++i;
  });
  return out;
}

}  // namespace primal::interpretation
