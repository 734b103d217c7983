// plan: what a call does, as a readable value. Kernels, products of matrices and fills, in order, and the
// memory that they share.
#pragma once

#include <primal/expr/program.hpp>
#include <primal/kernel/word.hpp>

namespace primal {

/// Where a value lies in memory: a buffer, and strides in elements for each of its axes.
struct location {
  int buffer = -1;
  std::int64_t offset = 0;  // code of an extent, like all that follow
  shape strides;
};

/// Who owns a buffer.
enum class storage : std::uint8_t { input, output, workspace };

struct buffer {
  dtype type = dtype::float32;
  std::int64_t size = 0;  // elements
  storage where = storage::workspace;
  int port =
      -1;  // number of the input, output or temporary; -1: unused. Temporaries of one number lie at one place
  int first_step = -1, last_step = -1;
};

/// One array that a kernel reads or writes, along the axes of its loops.
struct access {
  int buffer = -1;
  dtype type = dtype::float32;
  std::int64_t offset = 0;
  shape strides;           // of the outer axes
  std::int64_t inner = 0;  // along the row: 0, 1 or more
  std::int64_t index_stride = 0, index_extent = 0;
  bool written = false;
  bool accumulates = false;
  combiner how = combiner::sum;
  int statement = 0;  // of the kernel: the last that reads it, or the one that writes it

  friend constexpr bool operator==(const access&, const access&) = default;
};

/// A statement of a kernel with its operator, or none.
struct kernel_statement {
  const op_info* op = nullptr;
  statement_fields fields;
};

struct kernel_phase {
  bool sweep = false;
  sequence<kernel_statement> statements;
};

struct kernel_plan {
  sequence<kernel_phase> phases;  // the first runs once a call
  sequence<access> accesses;
  sequence<std::int64_t> constants;
  shape extents;             // of the outer axes
  std::int64_t columns = 1;  // of a row
  bool flat = false;         // one long axis, cut into rows of any length
  bool serial = false;       // rows depend on each other through memory
  bundling bundled = bundling::never;
  int buffers = 0;  // row buffers, in lane elements
  int lane_bytes = 4;

  constexpr int sweeps() const {
    int n = 0;
    for (const auto& p : phases) n += p.sweep;
    return n;
  }
};

/// What a product does with its elements before it writes them: it adds a row to all of its rows, takes gelu (in the
/// form with tanh), or both.
enum class epilogue : std::uint8_t { empty, only_bias, only_gelu, bias_and_gelu };
PRIMAL_HD constexpr bool adds_bias(epilogue e) {
  return e == epilogue::only_bias || e == epilogue::bias_and_gelu;
}
PRIMAL_HD constexpr bool takes_gelu(epilogue e) {
  return e == epilogue::only_gelu || e == epilogue::bias_and_gelu;
}

/// C = A * B, or C += A * B, over batches; strides say what is transposed. Columns of C are 1 apart.
struct matmul_plan {
  int a = -1, b = -1, c = -1;  // buffers
  std::int64_t a_offset = 0, b_offset = 0, c_offset = 0;
  std::int64_t rows = 0, columns = 0, inner = 0;
  std::int64_t a_row = 0, a_inner = 0, b_inner = 0, b_column = 0, c_row = 0;
  shape batch, a_batch, b_batch, c_batch;  // extents and strides of the leading axes
  dtype type = dtype::float32;
  bool accumulates = false;
  epilogue after = epilogue::empty;
  int bias = -1;  // the buffer of what is added to every row, or none
  std::int64_t bias_offset = 0;
};

/// Every element of a buffer becomes one value.
struct fill_plan {
  int buffer = -1;
  std::int64_t bits = 0;  // of a double, or an integer
};

// g++ says of a scoped enumerator, too, that it shadows the function of its name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
enum class step_kind : std::uint8_t { fill, kernel, matmul };
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
struct step {
  step_kind kind = step_kind::kernel;
  int index = 0;
  int level = 0;
};

/// The whole call.
struct plan {
  extent_space extents;
  sequence<buffer> buffers;
  sequence<kernel_plan> kernels;
  sequence<matmul_plan> matmuls;
  sequence<fill_plan> fills;
  sequence<step> steps;
  int inputs = 0, outputs = 0, temporaries = 0;
};

}  // namespace primal
