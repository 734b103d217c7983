// xtensor: its containers and views as arrays in and out.
//
// The one place that includes xtensor: its headers lie flat up to 0.25 and in folders from 0.26 on.
#pragma once

#include <primal/runtime/declaration.hpp>
#include <primal/runtime/result.hpp>

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xfixed.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

namespace primal {

namespace xtensor_arrays {

/// The extents that a shape type states; one of unknown rank has none.
template <class Shape> struct declared {
  static constexpr bool known = false;
};
template <class T, std::size_t N> struct declared<std::array<T, N>> {
  static constexpr bool known = true;
  static constexpr declared_extents value = declaration::unknown(static_cast<int>(N));
};
template <std::size_t... N> struct declared<xt::fixed_shape<N...>> {
  static constexpr bool known = true;
  static constexpr declared_extents value{declared_extent{static_cast<std::int64_t>(N), ""}...};
};

template <class A> void layout(const A& a, std::int64_t* extents, std::int64_t* strides) {
  for (std::size_t i = 0; i < a.dimension(); ++i) {
    extents[i] = static_cast<std::int64_t>(a.shape()[i]);
    strides[i] = static_cast<std::int64_t>(a.strides()[i]);
  }
}

template <class A> using shape_of = std::remove_cvref_t<decltype(std::declval<const A&>().shape())>;

template <class A> struct container : holds_elements {
  using element = typename A::value_type;
  static constexpr declared_extents extents = declared<shape_of<A>>::value;

  template <class Array> static auto* data(Array& a) { return a.data() + a.data_offset(); }
  static void layout(const A& a, std::int64_t* e, std::int64_t* s) {
    xtensor_arrays::layout(a, e, s);
  }
};

/// The extents of a view: an axis that `xt::newaxis()` makes is known to have the extent 1.
template <class Slice> inline constexpr bool is_new_axis = false;
template <class T> inline constexpr bool is_new_axis<xt::xnewaxis<T>> = true;
template <class Shape, class... Slices> constexpr declared_extents extents_of_view() {
  declared_extents out = declared<Shape>::value;
  int axis = 0;
  ((is_new_axis<Slices> ? out[axis++].number = 1 : axis += !std::is_integral_v<Slices>), ...);
  return out;
}

/// Its rank is known only at run time: an array that no model can take.
struct unknown_rank {
  static constexpr bool is_array = true;
  static constexpr bool has_unknown_rank = true;
};

}  // namespace xtensor_arrays

template <class Storage, std::size_t N, xt::layout_type L, class Tag>
struct array_traits<xt::xtensor_container<Storage, N, L, Tag>>
    : xtensor_arrays::container<xt::xtensor_container<Storage, N, L, Tag>> {
  static xt::xtensor_container<Storage, N, L, Tag> make(const std::int64_t* e) {
    std::array<std::size_t, N> wanted{};
    for (std::size_t i = 0; i < N; ++i) wanted[i] = static_cast<std::size_t>(e[i]);
    return xt::xtensor_container<Storage, N, L, Tag>::from_shape(wanted);
  }
};
template <class Storage, std::size_t N, xt::layout_type L, class Tag>
struct array_traits<xt::xtensor_adaptor<Storage, N, L, Tag>>
    : xtensor_arrays::container<xt::xtensor_adaptor<Storage, N, L, Tag>> {};
template <class T, std::size_t... N, xt::layout_type L, bool Sharable, class Tag>
struct array_traits<xt::xfixed_container<T, xt::fixed_shape<N...>, L, Sharable, Tag>>
    : xtensor_arrays::container<xt::xfixed_container<T, xt::fixed_shape<N...>, L, Sharable, Tag>> {
  using container = xt::xfixed_container<T, xt::fixed_shape<N...>, L, Sharable, Tag>;
  static constexpr declared_extents extents =
      xtensor_arrays::declared<xt::fixed_shape<N...>>::value;
  static constexpr bool is_dense = L == xt::layout_type::row_major;

  /// Constants, so that a call has nothing to check.
  static void layout(const container& a, std::int64_t* e, std::int64_t* s) {
    if constexpr (is_dense) {
      std::int64_t step = (std::int64_t{1} * ... * static_cast<std::int64_t>(N));
      ((*e++ = static_cast<std::int64_t>(N),
        *s++ = N > 0 ? step /= static_cast<std::int64_t>(N) : 0),
       ...);
    } else {
      xtensor_arrays::layout(a, e, s);
    }
  }
};

template <class Expression, class... Slices>
  requires(xt::xview<Expression, Slices...>::is_strided_view &&
           xtensor_arrays::declared<typename xt::xview<Expression, Slices...>::shape_type>::known)
struct array_traits<xt::xview<Expression, Slices...>> : holds_elements {
  using own = xt::xview<Expression, Slices...>;
  using element = std::conditional_t<std::is_const_v<std::remove_reference_t<Expression>>,
                                     const typename own::value_type, typename own::value_type>;
  static constexpr declared_extents extents =
      xtensor_arrays::extents_of_view<typename own::shape_type, std::remove_cvref_t<Slices>...>();

  template <class View> static auto* data(View& v) { return v.data() + v.data_offset(); }
  static void layout(const own& v, std::int64_t* e, std::int64_t* s) {
    xtensor_arrays::layout(v, e, s);
  }
};

template <class Storage, xt::layout_type L, class Shape, class Tag>
struct array_traits<xt::xarray_container<Storage, L, Shape, Tag>> : xtensor_arrays::unknown_rank {};
template <class Storage, xt::layout_type L, class Shape, class Tag>
struct array_traits<xt::xarray_adaptor<Storage, L, Shape, Tag>> : xtensor_arrays::unknown_rank {};

/// Results are row-major containers.
template <class T, std::size_t Rank> struct result_array {
  using type = xt::xtensor<T, Rank>;
};

}  // namespace primal
