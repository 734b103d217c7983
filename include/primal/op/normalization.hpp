// What normalizations share: the scale and bias, and the gradient through mean and variance.
#pragma once

#include <primal/op/mean.hpp>

namespace primal {

namespace core {

/// A scale or bias has the extents of the normalized axes.
constexpr void require_affine(const tensor& x, const tensor& affine, const axes& a, op_name name) {
  if (!affine.has_value()) return;
  auto& r = *x.owner;
  const auto own = x.type().dims, given = affine.type().dims;
  bool fits = given.size() == a.size();
  for (int i = 0; fits && i < a.size(); ++i)
    fits = same_extent(r, own[a[i]], given[i], name.data());
  if (!fits)
    r.report.fail(join(name, ": scale and bias must have the extents of the normalized axes: ",
                       describe(r, x.type()), " and ", describe(r, affine.type())));
}

/// A scale or bias in the type of computation, so that it broadcasts to x.
constexpr tensor aligned(const tensor& affine, const tensor& x, const axes& a) {
  const auto t = to_compute(affine);
  if (a.size() == x.rank() || a.empty() || a[0] == x.rank() - a.size()) return t;  // the last axes
  extents dims;
  for (int i = 0; i < x.rank(); ++i) dims.push_back(a.contains(i) ? x.extent(i) : extent(1));
  return reshape(t, dims);
}

/// The VJP of n = (x - mean) * r through the mean and r, where `ct` is the cotangent of n.
constexpr tensor normalized_vjp(const tensor& ct, const tensor& n, const tensor& r, const axes& a) {
  return r * (ct - average(ct, a) - n * average(ct * n, a));
}

}  // namespace core

}  // namespace primal
