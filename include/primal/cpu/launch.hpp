// launch: a kernel over all its rows, cut into blocks by the shape alone, so that the result has the same
// bits on any number of threads.
#pragma once

#include <primal/cpu/simd_team.hpp>
#include <primal/kernel/accumulations.hpp>
#include <primal/kernel/element_bits.hpp>

namespace primal {

namespace cpu {

/// How the rows of a kernel are cut. Sums over the outer axes are accumulated per block and then added:
/// that bounds the rounding error, and each block may run on a thread of its own.
struct row_blocks {
  std::int64_t rows = 0, count = 1;

  std::int64_t first(std::int64_t block) const { return rows * block / count; }
};

/// One array that the rows add up in.
struct accumulator {
  int access = 0;
  std::int64_t size = 0;  // elements
};

inline constexpr std::int64_t rows_per_block = 64, most_blocks = 64;

inline row_blocks cut_rows(std::int64_t rows, bool serial) {
  row_blocks b{rows, 1};
  if (!serial && rows >= 2 * rows_per_block)
    b.count = rows / rows_per_block < most_blocks ? rows / rows_per_block : most_blocks;
  return b;
}

template <class K, class Arguments>
__attribute__((noinline)) void run_block(const Arguments& a, std::int64_t first,
                                         std::int64_t last) {
  simd_team<typename K::shape> team(first, last);
  run_rows(K{}, a, team);
}

constexpr std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

template <class K, class Arguments> std::size_t row_buffer_bytes(const Arguments& a) {
  return rounded(static_cast<std::size_t>(K::shape::buffers) *
                 static_cast<std::size_t>(a.buffer_length * K::shape::lane_bytes));
}
/// Scratch memory of a block: row buffers, then one partial result per accumulating access.
template <class K, class Arguments>
std::size_t scratch_bytes(const Arguments& a, const std::int64_t (&sizes)[Arguments::access_room]) {
  std::size_t bytes = row_buffer_bytes<K>(a);
  accumulations_of<K>::for_each([&]<class A>(auto, A) {
    bytes += rounded(static_cast<std::size_t>(sizes[A::access]) * sizeof(typename A::element));
  });
  return bytes;
}

/// Runs all rows. `sizes`: of the arrays that rows accumulate in, by access; they hold the identity already.
template <class K, class Arguments>
void launch(Arguments a, bool serial, const std::int64_t (&sizes)[Arguments::access_room],
            std::byte* scratch) {
  const auto blocks = cut_rows(count_rows(a), serial);
  a.buffers = scratch;
  if (accumulations_of<K>::count == 0 || blocks.count == 1) return run_block<K>(a, 0, blocks.rows);

  std::byte* const partials = scratch + row_buffer_bytes<K>(a);
  Arguments own = a;
  for (std::int64_t b = 0; b < blocks.count; ++b) {
    std::byte* next = partials;
    accumulations_of<K>::for_each([&]<class A>(auto, A) {
      using T = typename A::element;
      auto* partial = reinterpret_cast<T*>(next);
      const auto n = sizes[A::access];
      for (std::int64_t i = 0; i < n; ++i)
        partial[i] = T(identity_of<A::how, typename A::scalar>());
      own.base[A::access] = partial;
      next += rounded(static_cast<std::size_t>(n) * sizeof(T));
    });
    run_block<K>(own, blocks.first(b), blocks.first(b + 1));
    accumulations_of<K>::for_each([&]<class A>(auto, A) {
      using T = typename A::element;
      using V = typename A::scalar;
      auto* to = static_cast<T*>(a.base[A::access]);
      const auto* from = static_cast<const T*>(own.base[A::access]);
      for (std::int64_t i = 0; i < sizes[A::access]; ++i)
        to[i] = T(combine<A::how>(static_cast<V>(to[i]), static_cast<V>(from[i])));
    });
  }
}

/// Every element becomes the value with these bits: of a double for floating dtypes, else the integer.
inline void fill_elements(void* to, dtype d, std::int64_t bits, std::int64_t count) {
  const auto pattern = element_bits(d, bits);
  const auto repeat = [&]<class T>(T value) {
    auto* p = static_cast<T*>(to);
    for (std::int64_t i = 0; i < count; ++i) p[i] = value;
  };
  switch (size_of(d)) {
    case 1:  return repeat(static_cast<std::uint8_t>(pattern));
    case 2:  return repeat(static_cast<std::uint16_t>(pattern));
    case 4:  return repeat(static_cast<std::uint32_t>(pattern));
    default: return repeat(pattern);
  }
}

}  // namespace cpu

}  // namespace primal
