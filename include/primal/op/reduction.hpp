// Reductions: sum, product, extremes and their places.
#pragma once

#include <primal/op/joining.hpp>
#include <primal/op/selection.hpp>

namespace primal {

namespace core {

constexpr extents reduced_extents(const tensor& x, const reduction_attributes& a) {
  return {reduced_dims(x.type().dims, a.axes, a.keepdims), x.owner};
}

/// What a reduction of `x` gave, or its cotangent, with the reduced axes as extents 1.
constexpr tensor kept(const tensor& y, const tensor& x, const reduction_attributes& a) {
  return a.keepdims ? y : reshape(y, reduced_extents(x, {a.axes, true}));
}

constexpr tensor_type reduced_type(const tensor& x, dtype d, const reduction_attributes& a) {
  return {reduced_dims(x.type().dims, a.axes, a.keepdims), d};
}

/// An extreme needs at least one element along each axis.
constexpr void require_elements(const tensor& x, const axes& a, op_name name) {
  auto& r = *x.owner;
  for (int axis : a)
    if (!r.extents.require_non_negative(r.extents.subtract(x.type().dims[axis], 1), name.data(),
                                        r.report.where))
      r.report.fail(join(name, ": no elements along axis ", axis, ": ", describe(r, x.type())));
}

}  // namespace core

/// The sum along the axes, 0 of nothing. 16-bit floats are added in float32; integers and bool give
/// 64 bits.
/// Gradient: dy everywhere along the axes.
struct sum_op : primitive<sum_op>, over_axes<sum_op> {
  static constexpr op_name name{"sum"};
  using attributes = reduction_attributes;

  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::reduced_type(x, sum_dtype(x.dtype()), a);
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return broadcast_to(core::kept(dy, s.input(), a), s.input().shape());
  }
};
inline constexpr op<sum_op> sum{};

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

/// The attributes of max and min.
struct extreme_attributes {
  primal::axes axes{};
  bool keepdims = false;
  bool allow_empty = false;  // the least or the greatest number of nothing, instead of an error

  constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
};

namespace core {

constexpr tensor_type extreme_type(const tensor& x, const extreme_attributes& a, op_name name) {
  if (!a.allow_empty) require_elements(x, a.axes, name);
  return reduced_type(x, x.dtype(), a.reduction());
}

/// The cotangent of an extreme: shared by the elements that are equal to it.
constexpr tensor extreme_vjp(const saved& s, const tensor& dy, const reduction_attributes& a) {
  const auto x = s.input();
  const auto chosen = x == kept(s.output(), x, a);
  const auto count = sum(cast(chosen, rule_dtype(x.dtype())), {a.axes, true});
  return where(chosen, kept(dy, x, a) / count, 0);
}

}  // namespace core

/// The greatest element along the axes; NaN if there is one. Gradient: dy to it, 1/n of it to each
/// of n equal ones.
struct max_op : primitive<max_op> {
  static constexpr op_name name{"max"};
  struct attributes {
    primal::axes axes{};
    bool keepdims = false;
    bool of_nothing = false;  // -infinity of no elements, instead of an error

    constexpr reduction_attributes reduction() const { return {axes, keepdims}; }
  };

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }

  static constexpr tensor_type infer(tensor x, attributes a) {
    if (!a.of_nothing) core::require_elements(x, a.axes, name);
    return core::reduced_type(x, x.dtype(), a.reduction());
  }

  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::extreme_vjp(s, dy, a.reduction());
  }
};
inline constexpr op<max_op> max{};

/// The least element along the axes; NaN if there is one. Gradient: dy to it, 1/n of it to each of
/// n equal ones.
struct min_op : primitive<min_op> {
  static constexpr op_name name{"min"};
  using attributes = extreme_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    a.axes = checked_axes(x, a.axes, name);
    return a;
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::extreme_type(x, a, name);
  }
  static constexpr tensor vjp(saved s, tensor dy, attributes a) {
    return core::extreme_vjp(s, dy, a.reduction());
  }
};
inline constexpr op<min_op> min{};

/// The attributes of argmax and argmin: the place along one axis, or among all elements in
/// row-major order.
struct place_attributes {
  primal::axes axis{};
  bool keepdims = false;
};

namespace core {

constexpr place_attributes checked_place(const tensor& x, place_attributes a, op_name name) {
  if (!a.axis.every && a.axis.size() != 1 && a.axis.size() != x.rank())
    x.owner->report.fail(
        join(name, ": one axis must be named, or none for all: ", describe(*x.owner, x.type())));
  a.axis = checked_axes(x, a.axis, name);
  return a;
}

constexpr tensor_type place_type(const tensor& x, const place_attributes& a, op_name name) {
  require_elements(x, a.axis, name);
  return reduced_type(x, dtype::int64, {a.axis, a.keepdims});
}

}  // namespace core

/// The place of the greatest element, the first of equal ones; the first NaN if there is one.
/// int64, no gradient.
struct argmax_op : primitive<argmax_op> {
  static constexpr op_name name{"argmax"};
  static constexpr bool differentiable = false;
  using attributes = place_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return core::checked_place(x, a, name);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::place_type(x, a, name);
  }
};
inline constexpr op<argmax_op> argmax{};

/// The place of the least element, the first of equal ones; the first NaN if there is one. int64,
/// no gradient.
struct argmin_op : primitive<argmin_op> {
  static constexpr op_name name{"argmin"};
  static constexpr bool differentiable = false;
  using attributes = place_attributes;

  static constexpr attributes normalised(const tensor& x, attributes a) {
    return core::checked_place(x, a, name);
  }
  static constexpr tensor_type infer(tensor x, attributes a) {
    return core::place_type(x, a, name);
  }
};
inline constexpr op<argmin_op> argmin{};

}  // namespace primal
