// array_ref: an array as the back ends see it.
#pragma once

#include <primal/core/dtype.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace primal {

/// Where the elements of an array lie. Its dtype and rank are those of the program's input or output.
struct array_ref {
  void* data = nullptr;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;  // in elements; those of extents 1 are as if row-major
};

/// How many elements an array of these extents has.
inline std::int64_t element_count(const std::int64_t* extents, int rank) {
  std::int64_t n = 1;
  for (int i = 0; i < rank; ++i) n *= extents[i];
  return n;
}

/// The strides of an array whose elements lie one after another, the last axis fastest.
inline void set_row_major(std::int64_t* strides, const std::int64_t* extents, int rank) {
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= extents[i]) strides[i] = step;
}

/// Do the elements lie one after another, the last axis fastest?
inline bool is_row_major(const array_ref& a, int rank) {
  std::int64_t step = 1;
  for (int i = rank; i-- > 0; step *= a.extents[i])
    if (a.extents[i] != 1 && a.strides[i] != step) return false;
  return true;
}

/// The bytes from the first to behind the last element of an array: none if it is empty.
struct byte_span {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;

  bool overlaps(const byte_span& other) const { return begin < other.end && other.begin < end; }
};
/// Along axes whose strides are multiples of `period` bytes, if there is one, only of the first element.
inline byte_span bytes_of(const array_ref& a, int rank, dtype d, std::int64_t period = 0) {
  std::int64_t low = 0, high = size_of(d);
  for (int i = 0; i < rank; ++i) {
    if (a.extents[i] == 0) return {};
    const std::int64_t step = a.strides[i] * size_of(d);
    if (period == 0 || step % period != 0) (step < 0 ? low : high) += step * (a.extents[i] - 1);
  }
  const auto* first = static_cast<const std::byte*>(a.data);
  return {first + low, first + high};
}

/// Do the elements of two arrays lie between each other, as those of two columns of a matrix do? They do if they
/// are apart modulo one of the strides.
inline bool interleave(const array_ref& a, int rank_a, dtype type_a, const array_ref& b, int rank_b,
                       dtype type_b) {
  for (int i = 0; i < rank_a; ++i) {
    const std::int64_t period = std::abs(a.strides[i] * size_of(type_a));
    if (period == 0 || a.extents[i] == 1) continue;
    const auto x = bytes_of(a, rank_a, type_a, period), y = bytes_of(b, rank_b, type_b, period);
    const std::int64_t gap = (y.begin - x.begin) % period, behind = gap < 0 ? gap + period : gap;
    if (x.end - x.begin <= behind && behind + (y.end - y.begin) <= period) return true;
  }
  return false;
}

/// Do both arrays have their elements at the same places?
inline bool same_layout(const array_ref& a, const array_ref& b, int rank) {
  bool same = a.data == b.data;
  for (int i = 0; i < rank; ++i)
    same =
        same && a.extents[i] == b.extents[i] && (a.strides[i] == b.strides[i] || a.extents[i] == 1);
  return same;
}

/// Calls f(offset in a, offset in b) for every element of two arrays of equal extents.
template <class F>
void for_each_offset(const std::int64_t* extents, const std::int64_t* a, const std::int64_t* b,
                     int rank, const F& f, std::int64_t at_a = 0, std::int64_t at_b = 0) {
  if (rank == 0) return f(at_a, at_b);
  for (std::int64_t i = 0; i < *extents; ++i)
    for_each_offset(extents + 1, a + 1, b + 1, rank - 1, f, at_a + i * *a, at_b + i * *b);
}

}  // namespace primal
