// Primitives that move elements, as plain loops.
#pragma once

#include <primal/interpret/dense.hpp>

namespace primal::interpretation {

/// `x` as if it had the extents that it broadcasts to.
inline dense broadcast(const dense& x, const positions& extents) {
  const auto strides = broadcast_strides(x.extents, extents);
  return generated(extents, x.dtype,
                   [&](const positions& at) { return x[offset_at(at, strides)]; });
}

/// Axis i of the result is axis permutation[i] of `x`.
inline dense transposed(const dense& x, const positions& permutation) {
  const auto own = strides_of(x.extents);
  positions extents, strides;
  for (auto p : permutation) {
    extents.push_back(x.extents[static_cast<std::size_t>(p)]);
    strides.push_back(own[static_cast<std::size_t>(p)]);
  }
  return generated(extents, x.dtype,
                   [&](const positions& at) { return x[offset_at(at, strides)]; });
}

/// Elements start, start + step, ... of each axis.
inline dense sliced(const dense& x, const positions& start, const positions& step,
                    const positions& extents) {
  auto strides = strides_of(x.extents);
  const auto origin = offset_at(start, strides);
  for (std::size_t i = 0; i < strides.size(); ++i) strides[i] *= step[i];
  return generated(extents, x.dtype,
                   [&](const positions& at) { return x[origin + offset_at(at, strides)]; });
}

/// `x` from position `low` on in an array of `value`s; what sticks out is cut off.
inline dense padded(const dense& x, const positions& low, const positions& extents, double value) {
  dense out = filled(extents, value, x.dtype);
  const auto strides = strides_of(extents);
  std::int64_t i = 0;
  for_each_position(x.extents, [&](const positions& at) {
    const double element = x[i++];
    std::int64_t offset = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const auto place = low[k] + at[k];
      if (place < 0 || place >= extents[k]) return;
      offset += place * strides[k];
    }
    out[offset] = element;
  });
  return out;
}

/// The parts one after another along an axis.
inline dense concatenated(const std::vector<const dense*>& parts, std::size_t axis,
                          const positions& extents) {
  dense out = filled(extents, 0, parts.front()->dtype);
  const auto strides = strides_of(extents);
  std::int64_t origin = 0;
  for (const auto* x : parts) {
    std::int64_t i = 0;
    for_each_position(
        x->extents, [&](const positions& at) { out[origin + offset_at(at, strides)] = (*x)[i++]; });
    origin += x->extents[axis] * strides[axis];
  }
  return out;
}

}  // namespace primal::interpretation
