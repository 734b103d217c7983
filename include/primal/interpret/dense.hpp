// dense: an array of doubles, and walks over it. What the interpreter computes with.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/core/error.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace primal {

/// Extents and elements in row-major order, whatever the dtype. Integers are exact up to 2^53.
struct dense {
  std::vector<std::int64_t> extents;
  std::vector<double> values;
  primal::dtype dtype = dtype::float64;

  int rank() const { return static_cast<int>(extents.size()); }
  double& operator[](std::int64_t i) { return values[static_cast<std::size_t>(i)]; }
  double operator[](std::int64_t i) const { return values[static_cast<std::size_t>(i)]; }
  std::int64_t size() const { return static_cast<std::int64_t>(values.size()); }
  friend bool operator==(const dense&, const dense&) = default;
};

/// Plain loops over arrays.
namespace interpretation {

using positions = std::vector<std::int64_t>;  // one number per axis

inline std::int64_t count_of(const positions& extents) {
  std::int64_t n = 1;
  for (auto e : extents) n *= e;
  return n;
}

/// An array of one value.
inline dense filled(const positions& extents, double value, dtype d = dtype::float64) {
  return {extents, std::vector<double>(static_cast<std::size_t>(count_of(extents)), value), d};
}

/// Row-major strides.
inline positions strides_of(const positions& extents) {
  positions strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * extents[i];
  return strides;
}

/// The strides with which an array is read as if it had the shape `wide` that it broadcasts to.
inline positions broadcast_strides(const positions& extents, const positions& wide) {
  positions strides(wide.size(), 0);
  const auto own = strides_of(extents);
  const std::size_t shift = wide.size() - extents.size();
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (extents[i] != 1) strides[i + shift] = own[i];
  return strides;
}

inline std::int64_t offset_at(const positions& at, const positions& strides) {
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < at.size(); ++i) offset += at[i] * strides[i];
  return offset;
}

/// Calls f with every position of an array, in row-major order.
template <class F> void for_each_position(const positions& extents, const F& f) {
  positions at(extents.size(), 0);
  for (auto left = count_of(extents); left > 0; --left) {
    f(static_cast<const positions&>(at));
    for (std::size_t i = extents.size(); i-- > 0;) {
      if (++at[i] < extents[i]) break;
      at[i] = 0;
    }
  }
}

/// An array whose element at each position is f(position).
template <class F> dense generated(const positions& extents, dtype d, const F& f) {
  dense out = filled(extents, 0, d);
  std::int64_t i = 0;
  for_each_position(extents, [&](const positions& at) { out[i++] = f(at); });
  return out;
}

/// An integer as `bits` bits hold it.
inline double wrapped_integer(double x, int bits, bool is_signed) {
  if (!std::isfinite(x)) return 0;
  const double range = std::ldexp(1, bits), low = is_signed ? -range / 2 : 0, high = low + range;
  x = std::trunc(x);
  if (x >= low && x < high) return x + 0.;  // no negative zero
  const double rest = std::fmod(x, range);
  if (rest < low) return rest + range;
  return rest < high ? rest : rest - range;
}

/// `x` as an element of that dtype. Bool and integers always are what they can be; floating-point numbers
/// stay doubles unless `round`.
inline double as_element(double x, dtype d, bool round) {
  if (d == dtype::bool_) return x != 0;
  if (is_integer(d)) return wrapped_integer(x, 8 * size_of(d), !is_unsigned(d));
  if (!round || d == dtype::float64) return x;
  const auto f = static_cast<float>(x);
  if (d == dtype::float16) return static_cast<float>(float16(f));
  if (d == dtype::bfloat16) return static_cast<float>(bfloat16(f));
  return f;
}

}  // namespace interpretation
}  // namespace primal
