// dtype: the element types, their C++ counterparts and how two of them combine.
#pragma once

#include <primal/core/half.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace primal {

/// The type of a tensor's elements, as a value.
enum class dtype : std::uint8_t {
  bool_,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64
};

namespace core {
template <class T> struct dtype_tag;
template <> struct dtype_tag<bool> : std::integral_constant<dtype, dtype::bool_> {};
template <> struct dtype_tag<std::int8_t> : std::integral_constant<dtype, dtype::int8> {};
template <> struct dtype_tag<std::int16_t> : std::integral_constant<dtype, dtype::int16> {};
template <> struct dtype_tag<std::int32_t> : std::integral_constant<dtype, dtype::int32> {};
template <> struct dtype_tag<std::int64_t> : std::integral_constant<dtype, dtype::int64> {};
template <> struct dtype_tag<std::uint8_t> : std::integral_constant<dtype, dtype::uint8> {};
template <> struct dtype_tag<std::uint16_t> : std::integral_constant<dtype, dtype::uint16> {};
template <> struct dtype_tag<std::uint32_t> : std::integral_constant<dtype, dtype::uint32> {};
template <> struct dtype_tag<std::uint64_t> : std::integral_constant<dtype, dtype::uint64> {};
template <> struct dtype_tag<float16> : std::integral_constant<dtype, dtype::float16> {};
template <> struct dtype_tag<bfloat16> : std::integral_constant<dtype, dtype::bfloat16> {};
template <> struct dtype_tag<float> : std::integral_constant<dtype, dtype::float32> {};
template <> struct dtype_tag<double> : std::integral_constant<dtype, dtype::float64> {};
// `long long` beside `long`: both are 64 bits wide.
template <>
struct dtype_tag<std::conditional_t<std::is_same_v<std::int64_t, long>, long long, long>>
    : std::integral_constant<dtype, dtype::int64> {};

template <dtype D> struct element;
template <> struct element<dtype::bool_> : std::type_identity<bool> {};
template <> struct element<dtype::int8> : std::type_identity<std::int8_t> {};
template <> struct element<dtype::int16> : std::type_identity<std::int16_t> {};
template <> struct element<dtype::int32> : std::type_identity<std::int32_t> {};
template <> struct element<dtype::int64> : std::type_identity<std::int64_t> {};
template <> struct element<dtype::uint8> : std::type_identity<std::uint8_t> {};
template <> struct element<dtype::uint16> : std::type_identity<std::uint16_t> {};
template <> struct element<dtype::uint32> : std::type_identity<std::uint32_t> {};
template <> struct element<dtype::uint64> : std::type_identity<std::uint64_t> {};
template <> struct element<dtype::float16> : std::type_identity<float16> {};
template <> struct element<dtype::bfloat16> : std::type_identity<bfloat16> {};
template <> struct element<dtype::float32> : std::type_identity<float> {};
template <> struct element<dtype::float64> : std::type_identity<double> {};
}  // namespace core

/// The dtype of a C++ element type.
template <class T> inline constexpr dtype dtype_of = core::dtype_tag<std::remove_const_t<T>>::value;

/// The C++ type of the elements of a dtype.
template <dtype D> using element_of = typename core::element<D>::type;

/// A type whose values can be elements of a tensor.
template <class T>
concept element_type = requires { core::dtype_tag<std::remove_const_t<T>>::value; };

PRIMAL_HD constexpr bool is_floating(dtype d) { return d >= dtype::float16; }
constexpr bool is_integer(dtype d) { return d >= dtype::int8 && d <= dtype::uint64; }
constexpr bool is_unsigned(dtype d) { return d >= dtype::uint8 && d <= dtype::uint64; }
PRIMAL_HD constexpr bool is_half(dtype d) { return d == dtype::float16 || d == dtype::bfloat16; }

constexpr int size_of(dtype d) {
  constexpr int sizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8};
  return sizes[static_cast<int>(d)];
}

constexpr std::string_view name_of(dtype d) {
  constexpr std::string_view names[] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                        "u32",  "u64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(d)];
}

/// Does an integer dtype reach as far as this number? Others take every number. (Numbers are stored with a sign, also
/// those beside unsigned integers.)
constexpr bool reaches(dtype d, double number) {
  if (!is_integer(d)) return true;
  const int bits = 8 * size_of(d) - (is_unsigned(d) && d != dtype::uint64 ? 0 : 1);
  double end = 1;
  for (int i = 0; i < bits; ++i) end *= 2;
  return number < end && number >= (is_unsigned(d) ? 0 : -end);
}

/// The dtype of arithmetic on elements of `d`: 16-bit floats are computed in float32.
PRIMAL_HD constexpr dtype compute_dtype(dtype d) { return is_half(d) ? dtype::float32 : d; }

/// The floating dtype that a function such as exp gives for elements of `d`.
constexpr dtype to_floating(dtype d) { return is_floating(d) ? d : dtype::float32; }

/// The common dtype of two tensors: JAX's promotion table, with float32 where that has no answer in
/// integers (an unsigned 64-bit integer beside a signed one).
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (is_floating(a) || is_floating(b)) {
    if (!is_floating(a)) return b;
    if (!is_floating(b)) return a;
    if (is_half(a) && is_half(b)) return dtype::float32;
    return a > b ? a : b;
  }
  if (a == dtype::bool_) return b;
  if (b == dtype::bool_) return a;
  if (is_unsigned(a) == is_unsigned(b)) return a > b ? a : b;
  const dtype s = is_unsigned(a) ? b : a, u = is_unsigned(a) ? a : b;
  if (size_of(s) > size_of(u)) return s;
  if (u == dtype::uint64) return dtype::float32;
  return static_cast<dtype>(static_cast<int>(dtype::int16) + static_cast<int>(u) -
                            static_cast<int>(dtype::uint8));
}

/// The dtype in which a sum over `d` is accumulated and given: small integers widen to 64 bits.
constexpr dtype sum_dtype(dtype d) {
  if (is_unsigned(d)) return dtype::uint64;
  return is_floating(d) ? d : dtype::int64;
}

}  // namespace primal
