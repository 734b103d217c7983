// Shape: the same elements under other extents, or repeated along new ones.
#pragma once

#include <primal/op/axis.hpp>
#include <primal/op/creation.hpp>

namespace primal {

namespace core {
/// Are there not too many extents for a tensor?
constexpr bool fits_rank(const tensor& x, const extents& dims, op_name name) {
  if (dims.too_many)
    x.owner->report.fail(
        join(name, ": a tensor has at most ", max_rank, " axes: ", describe(*x.owner, x.type())));
  return !dims.too_many;
}
}  // namespace core

/// The elements in row-major order under other extents: `pm::reshape(x, {-1, 768})`. One extent may
/// be -1: it follows from the others. Gradient: dy in the shape of x.
struct reshape_op : primitive<reshape_op> {
  static constexpr op_name name{"reshape"};
  using attributes = extents;

  static constexpr extents normalised(const tensor& x, extents dims) {
    auto& r = *x.owner;
    if (!core::fits_rank(x, dims, name)) return x.shape();
    const tensor_type wanted{dims.codes(), x.dtype()};
    int open = -1;
    extent rest = 1;
    for (int i = 0; i < dims.size(); ++i) {
      const bool follows = dims[i].known() && dims[i].code() < 0;
      if (follows && (open >= 0 || dims[i].code() != -1))
        r.report.fail("reshape: one extent may be -1, and no other may be negative");
      if (follows) open = i;
      else rest = rest * dims[i];
    }
    const extent count = x.size();
    if (open >= 0 && rest.code() == 0)
      r.report.fail(join("reshape: -1 has no meaning beside an extent 0: ", describe(r, x.type())));
    if (open >= 0 && !r.report.failed()) {
      dims[open] = count / rest;
      rest = rest * dims[open];
    }
    bool fits = same_extent(r, count.code(), rest.code(), "reshape");
    for (const auto& e : dims)
      fits = fits && r.extents.require_extent(e.code(), "reshape", r.report.where);
    if (!fits)
      r.report.fail(
          join("reshape: ", describe(r, x.type()), " does not fit ", describe(r, wanted)));
    return dims;
  }

  static constexpr tensor_type infer(tensor x, extents dims) { return {dims.codes(), x.dtype()}; }

  static constexpr tensor vjp(saved s, tensor dy, extents);
};
inline constexpr op<reshape_op> reshape{};

constexpr tensor reshape_op::vjp(saved s, tensor dy, extents) {
  return reshape(dy, s.input().shape());
}

/// A reshape that is left out where nothing changes.
constexpr tensor reshaped(const tensor& x, const shape& dims) {
  return x.type().dims == dims ? x : reshape(x, extents(dims, x.owner));
}

/// x repeated along new leading axes and along those of extent 1, as NumPy broadcasts. An extent -1
/// stays as it is. Gradient: dy, summed over the repetitions.
struct broadcast_to_op : primitive<broadcast_to_op> {
  static constexpr op_name name{"broadcast_to"};
  using attributes = extents;

  static constexpr extents normalised(const tensor& x, extents dims) {
    auto& r = *x.owner;
    if (!core::fits_rank(x, dims, name)) return x.shape();
    const auto own = x.type().dims;
    const int shift = dims.size() - own.size();
    bool fits = shift >= 0;
    for (int i = 0; fits && i < own.size(); ++i) {
      auto& wanted = dims[i + shift];
      if (wanted.code() == -1) wanted = extent(own[i], x.owner);
      fits =
          r.extents.resolve(own[i]) == 1 || same_extent(r, own[i], wanted.code(), "broadcast_to");
    }
    for (const auto& e : dims)
      fits = fits && r.extents.require_extent(e.code(), "broadcast_to", r.report.where);
    if (!fits)
      r.report.fail(join("broadcast_to: ", describe(r, x.type()), " does not broadcast to ",
                         describe(r, {dims.codes(), x.dtype()})));
    return dims;
  }

  static constexpr tensor_type infer(tensor x, extents dims) { return {dims.codes(), x.dtype()}; }

  static constexpr tensor vjp(saved, tensor dy, extents) { return dy; }
};
inline constexpr op<broadcast_to_op> broadcast_to{};

}  // namespace primal
