// prod: the product along axes.
#pragma once

#include <primal/op/joining.hpp>
#include <primal/op/reduction.hpp>
#include <primal/op/selection.hpp>
#include <primal/op/transpose.hpp>

namespace primal {

/// The product along the axes, 1 of nothing. Integers and bool give 64 bits. Gradient: dy times the
/// product of the other elements, without a division: right at zeros, for derivatives of any order.
/// It takes some 4 products an element.
struct prod_op : primitive<prod_op>, over_axes<prod_op> {
  static constexpr op_name name{"prod"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, sum_dtype(x.dtype()), a);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a);
};
inline constexpr op<prod_op> prod{};

namespace core {

/// Per element of the rows of `x` (rank 2) the product of the others in its row, one by one.
constexpr tensor products_of_few_others(const tensor& x) {
  const extent rows = x.extent(0), n = x.extent(1);
  const auto places =
      arange(n, {.dtype = compute_dtype(x.dtype())});  // in registers like those of x
  return prod(where(reshape(places, {n, 1}) == places, 1, reshape(x, {rows, 1, n})), {.axes = 2});
}

/// The same in some four products an element. A row is cut into eight pieces of `size`; the products of elements at one
/// place of all pieces, and what is left, make a shorter row, whose others are found first, and so on.
constexpr tensor products_of_others(const tensor& x, const extent& size, int levels) {
  constexpr int pieces = 8;
  const extent rows = x.extent(0), n = x.extent(1), left = n - size * pieces;
  if (levels == 0 || (n.known() && n.code() <= pieces)) return products_of_few_others(x);
  const auto part = [&](const tensor& y, const extent& start, const extent& length) {
    return slice(y, {{0, start}, {rows, length}});
  };
  constexpr std::size_t last = pieces - 1;
  tensors piece, before, after(last + 1), shorter, out;
  const auto all = reshape(part(x, 0, size * pieces), {rows, pieces, size});
  for (int i = 0; i < pieces; ++i)
    piece.push_back(reshape(slice(all, {{0, i, 0}, {rows, 1, size}}), {rows, size}));
  before = piece;  // with the piece itself
  for (std::size_t i = 1; i <= last; ++i) before[i] = before[i - 1] * piece[i];
  after[last] = piece[last];
  for (std::size_t i = last - 1; i > 0; --i) after[i] = after[i + 1] * piece[i];

  const bool any_left = !left.known() || left.code() != 0;
  shorter.push_back(before.back());
  if (any_left) shorter.push_back(part(x, size * pieces, left));
  extent next = (size + left) / pieces;
  if (!n.known() &&
      levels > 1) {  // a whole number of pieces, whose extents are shorter polynomials
    next = size / pieces + 2;
    shorter.push_back(full({rows, next * pieces - size - left}, 1, {x.dtype()}));
  }
  const auto others = products_of_others(concat(shorter, {.axis = 1}), next, levels - 1),
             outside = part(others, 0, size);
  for (std::size_t i = 0; i <= last; ++i) {
    const auto inside = i == 0      ? after[1]
                        : i == last ? before[i - 1]
                                    : before[i - 1] * after[i + 1];
    out.push_back(inside * outside);
  }
  if (any_left) out.push_back(part(others, size, left));
  return concat(out, {.axis = 1});
}

}  // namespace core

constexpr tensor prod_op::vjp(saved s, tensor dy, attributes a) {
  const auto x = s.input();
  const auto outer = other_axes(x, a.axes);
  ints order, back;  // the reduced axes last, and their way back
  extents moved;
  for (const auto& group : {outer, a.axes})
    for (int axis : group) order.push_back(axis), moved.push_back(x.extent(axis));
  back = order;
  bool in_order = true;
  for (int i = 0; i < order.size(); ++i) {
    back[static_cast<int>(order[i])] = i;
    in_order = in_order && order[i] == i;
  }
  const extent n = size_along(x, a.axes);
  const auto rows = reshape(in_order ? x : transpose(x, order), {size_along(x, outer), n});
  // Three levels for what is known only at the call: linear up to some 500,000 elements.
  const auto others = reshape(core::products_of_others(rows, n / 8, n.known() ? 8 : 3), moved);
  return core::kept(dy, x, a) * (in_order ? others : transpose(others, back));
}

}  // namespace primal
