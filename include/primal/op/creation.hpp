// Creation: tensors made from numbers alone. They stand alone in a model, before any tensor is
// near.
#pragma once

#include <primal/op/attach.hpp>

namespace primal {

/// The attributes of the creation functions.
struct creation {
  primal::dtype dtype = dtype::float32;
};

/// `value` everywhere: `pm::full({2, 3}, 0.5)`. float32 unless `.dtype` says otherwise.
constexpr tensor full(const extents& dims, double value, creation a = {}) {
  return constant_tensor({constant_source::full, a.dtype, value}, dims);
}
constexpr tensor zeros(const extents& dims, creation a = {}) { return full(dims, 0, a); }
constexpr tensor ones(const extents& dims, creation a = {}) { return full(dims, 1, a); }

/// `value` in the shape and dtype of `x`.
constexpr tensor full_like(const tensor& x, double value) {
  return full(x.shape(), value, {.dtype = x.dtype()});
}
constexpr tensor zeros_like(const tensor& x) { return full_like(x, 0); }
constexpr tensor ones_like(const tensor& x) { return full_like(x, 1); }

/// 0, 1, ... count - 1.
constexpr tensor arange(const extent& count, creation a = {}) {
  return constant_tensor({constant_source::arange, a.dtype, 0, 1}, {count});
}
template <std::integral I> constexpr tensor arange(I count, creation a = {}) {
  return arange(extent(count), a);
}

/// start, start + step, ... up to but without stop.
constexpr tensor arange(double start, double stop, double step = 1, creation a = {}) {
  if (step == 0) core::refuse("primal: arange: the step is 0");
  const double count = math::constant::ceil((stop - start) / step);
  return constant_tensor({constant_source::arange, a.dtype, start, step},
                         {count > 0 ? static_cast<std::int64_t>(count) : 0});
}
constexpr tensor arange(double start, double stop, creation a) { return arange(start, stop, 1, a); }

/// The matrix with ones on its diagonal; `columns` rows unless it is told how many.
constexpr tensor eye(const extent& rows, const extent& columns, creation a = {}) {
  return constant_tensor({constant_source::eye, a.dtype, 1}, {rows, columns});
}
constexpr tensor eye(const extent& n, creation a = {}) { return eye(n, n, a); }

}  // namespace primal
