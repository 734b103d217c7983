// word: one statement of a kernel in 64 bits, and the types that kernels are made of.
#pragma once

#include <primal/core/dtype.hpp>

namespace primal {

/// What a statement of a kernel does.
enum class action : std::uint8_t {
  apply,     // dst = Op(a, b, c)
  convert,   // dst = a in the dtype of b
  constant,  // dst = constants[a]
  extent,    // dst = the run-time extent a
  position,  // dst = constants[a] + constants[b] * index along the axis c (inner_axis: the inner one)
  load,  // dst = element of the access a, stored as the dtype of c; also kept in row buffer b - 1 if b > 0.
  // b is uniform if all rows read the same
  gather,      // dst = the same, moved by the index b along the access's own axis
  store,       // access b = a, stored as the dtype of c
  accumulate,  // access b (+, max, ...)= a, or with the flag += a * dst
  scatter,     // access b, moved by the index c, += a
  reduce,      // uniform dst = (+, max, ...) of a along the row, or with the flag the sum of a * b
  keep,        // row buffer b = a
  recall,      // dst = row buffer a
};

// g++ says of a scoped enumerator, too, that it shadows the function of its name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/// How a reduction combines two elements.
enum class combiner : std::uint8_t { sum, product, maximum, minimum };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The field c of a reduce statement: which of the sweep's sums of that dtype it is, and how it combines.
struct sum_field {
  int sum = 0;
  combiner how = combiner::sum;
  constexpr int pack() const { return sum << 2 | static_cast<int>(how); }
  PRIMAL_HD static constexpr sum_field from(int bits) {
    return {bits >> 2, static_cast<combiner>(bits & 3)};
  }
};

/// The axis number that stands for the inner axis.
inline constexpr int inner_axis = 15;

/// An operand of a statement: a register of a dtype, in the sweep or one value for the row.
struct slot {
  int index = 0;
  dtype type = dtype::bool_;
  bool uniform = false;

  constexpr std::uint64_t bits() const {
    return static_cast<std::uint64_t>(index) | static_cast<std::uint64_t>(type) << 9 |
           static_cast<std::uint64_t>(uniform) << 13;
  }
  static constexpr slot from(std::uint64_t bits) {
    return {static_cast<int>(bits & 511), static_cast<dtype>(bits >> 9 & 15),
            (bits >> 13 & 1) != 0};
  }
  friend constexpr bool operator==(const slot&, const slot&) = default;
};

/// action: 6 bits, flag: 1; from bit 8 on dst, a, b, c: 14 bits each.
using statement_word = std::uint64_t;

struct statement_fields {
  action what = action::apply;
  // Of load, store, scatter: the inner stride is not 1; of reduce, accumulate: of a product; of apply: it is rounded on
  // its own, whatever it goes into.
  bool flag = false;
  slot dst, a, b, c;

  constexpr statement_word pack() const {
    return static_cast<statement_word>(what) | static_cast<statement_word>(flag) << 6 |
           dst.bits() << 8 | a.bits() << 22 | b.bits() << 36 | c.bits() << 50;
  }
  static constexpr statement_fields unpack(statement_word w) {
    return {static_cast<action>(w & 63), (w >> 6 & 1) != 0,           slot::from(w >> 8 & 16383),
            slot::from(w >> 22 & 16383), slot::from(w >> 36 & 16383), slot::from(w >> 50 & 16383)};
  }
};

/// A statement as a type: the operator that is applied (void for everything else) and the word.
template <class Op, statement_word W> struct stmt {
  using op = Op;
  static constexpr statement_fields fields = statement_fields::unpack(W);
};

/// Statements that run once a row (Sweep = false), or for every piece of the row.
template <bool Sweep, class... S> struct phase {};

/// When several rows are walked at once, neighbours along the last outer axis, where a team has lanes for that.
enum class bundling : std::uint8_t { never, of_short_rows, always };
/// In bytes; longer ones never gain by it.
inline constexpr int longest_short_row = 124;
/// So many neighbours at least are worth it.
inline constexpr int least_bundle = 8;

/// Rows are walked one by one, or
struct single_rows {
  static constexpr bundling bundled = bundling::never;
};
/// in bundles. Masks of arrays: with one element after another along the last outer axis, with the same for all rows,
/// and of the type that fills a register, with one row after another, to be read or written (or added to: both).
template <bundling When, std::uint64_t Dense, std::uint64_t Repeated, std::uint64_t In,
          std::uint64_t Out>
struct bundled_rows {
  static constexpr bundling bundled = When;
  static constexpr std::uint64_t dense = Dense, repeated = Repeated, staged_in = In,
                                 staged_out = Out;
};

/// The numbers of a kernel that its loops are built from.
template <std::int64_t Columns, int Axes, int Accesses, int Buffers, int LaneBytes,
          class Rows = single_rows>
struct loop_shape {
  using rows = Rows;
  static constexpr std::int64_t columns = Columns;  // of a row; -1: known at the call
  static constexpr int axes = Axes;                 // outer ones
  static constexpr int accesses = Accesses;         // arrays that are read or written
  static constexpr int buffers = Buffers;           // of the length of a row
  static constexpr int lane_bytes = LaneBytes;      // of the element type that fills a register
};

/// Constants, as bits of double or as integers.
template <std::int64_t... Bits> struct constants {};

/// A kernel: a flat list of statements, frozen into a type. The first phase runs once a call; then the
/// phases run for every row.
template <class Shape, class Constants, class Once, class... Phases> struct kernel {
  using shape = Shape;
};

}  // namespace primal
