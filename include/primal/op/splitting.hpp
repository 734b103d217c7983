// Splitting along an axis: equal parts.
#pragma once

#include <primal/op/joining.hpp>

namespace primal {

/// x in N equal parts along an axis, by default the first: `auto [a, b] = pm::split<2>(x, {.axis =
/// 1})`.
/// Gradient: the cotangents of the parts, joined.
template <int N> struct split_op : composite<split_op<N>> {
  static constexpr op_name name{"split"};
  static constexpr int primary = N;
  struct attributes {
    int axis = 0;
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return {checked_axis(x, a.axis, name)};
  }

  static constexpr std::array<tensor_type, N> infer(tensor x, attributes a) {
    auto& r = *x.owner;
    auto type = x.type();
    const auto whole = type.dims[a.axis], part = r.extents.divide(whole, N);
    if (!same_extent(r, whole, r.extents.multiply(part, N), "split"))
      r.report.fail(
          join("split: axis ", a.axis, " of ", describe(r, type), " has no ", N, " equal parts"));
    type.dims[a.axis] = part;
    std::array<tensor_type, N> out;
    out.fill(type);
    return out;
  }

  static constexpr results<N> decompose(tensor x, attributes a) {
    slice_op::attributes part;
    part.size = x.shape();
    part.start.resize(x.rank());
    part.size[a.axis] = part.size[a.axis] / N;
    results<N> out;
    for (auto& t : out) {
      t = slice(x, part);
      part.start[a.axis] = part.start[a.axis] + part.size[a.axis];
    }
    return out;
  }

  static constexpr tensor vjp(saved s, cotangents dy, attributes a) {
    tensors parts;
    for (int i = 0; i < N; ++i) parts.push_back(dy.has(i) ? dy[i] : zeros_like(s.output(i)));
    return concat(parts, {a.axis});
  }
};
template <int N> inline constexpr op<split_op<N>> split{};

}  // namespace primal
