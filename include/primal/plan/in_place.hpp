// in_place: may what a kernel writes lie where something lies that it reads?
#pragma once

#include <primal/plan/freeze.hpp>

namespace primal {

/// The numbers of a kernel under the names that they have in a frozen plan.
class kernel_columns {
 public:
  constexpr explicit kernel_columns(const kernel_plan& k) : kernel_(k) {}

  constexpr int sweeps() const { return kernel_.sweeps(); }
  constexpr int accesses() const { return kernel_.accesses.size(); }
  constexpr std::int64_t operator[](int column) const {
    if (column == plan_layout::kernel_flat) return kernel_.flat;
    if (column == plan_layout::kernel_axes) return kernel_.extents.size();
    return kernel_.extents[column - plan_layout::kernel_extents];
  }
  constexpr std::int64_t access(int a, int column) const {
    const auto& own = kernel_.accesses[a];
    switch (column) {
      case plan_layout::access_buffer:       return own.buffer;
      case plan_layout::access_type:         return static_cast<int>(own.type);
      case plan_layout::access_offset:       return own.offset;
      case plan_layout::access_inner:        return own.inner;
      case plan_layout::access_index_stride: return own.index_stride;
      case plan_layout::access_written:      return own.written;
      case plan_layout::access_accumulates:  return own.accumulates;
      case plan_layout::access_statement:    return own.statement;
    }
    const int axis = column - plan_layout::access_strides;
    return axis < own.strides.size() ? own.strides[axis] : 0;
  }

 private:
  const kernel_plan& kernel_;
};

/// The question for one kernel. `Kernel`: kernel_columns, or what plan_table has.
template <class Kernel> class in_place_kernel {
 public:
  /// `rows_have_one_thread`: a row is read and written by one thread, so that it may replace what it has read.
  constexpr in_place_kernel(const Kernel& k, bool rows_have_one_thread)
      : kernel_(k), rows_have_one_thread_(rows_have_one_thread) {}

  /// Is everything that the kernel reads of buffer `k` read right where it is replaced by `b`, and before?
  constexpr bool replaces(int b, int k) const {
    int read = 0, written = 0, read_at = 0, written_at = 0;
    for (int a = 0; a < kernel_.accesses(); ++a) {
      const auto buffer = kernel_.access(a, plan_layout::access_buffer);
      if (buffer == k) ++read, read_at = a;
      if (buffer == b) ++written, written_at = a;
    }
    return kernel_.sweeps() == 1 && read == 1 && written == 1 && same_place(read_at, written_at) &&
           moves_with_rows(read_at);
  }

 private:
  const Kernel& kernel_;
  bool rows_have_one_thread_;

  constexpr bool same_place(int p, int q) const {
    bool same = kernel_.access(p, plan_layout::access_type) ==
                    kernel_.access(q, plan_layout::access_type) &&
                kernel_.access(p, plan_layout::access_written) == 0 &&
                kernel_.access(p, plan_layout::access_statement) <
                    kernel_.access(q, plan_layout::access_statement) &&
                kernel_.access(q, plan_layout::access_accumulates) == 0;
    for (int c : {plan_layout::access_offset + 0, plan_layout::access_inner + 0,
                  plan_layout::access_index_stride + 0})
      same = same && kernel_.access(p, c) == kernel_.access(q, c);
    for (int c = plan_layout::access_strides; c < plan_layout::access_length; ++c)
      same = same && kernel_.access(p, c) == kernel_.access(q, c);
    return same;
  }
  /// Does every row have elements of its own? What several rows read, the first of them has replaced already.
  constexpr bool moves_with_rows(int p) const {
    const bool in_row = kernel_.access(p, plan_layout::access_inner) != 0;
    bool own = in_row || (rows_have_one_thread_ && kernel_[plan_layout::kernel_flat] == 0);
    for (int axis = 0; axis < kernel_[plan_layout::kernel_axes]; ++axis)
      own = own && (kernel_[plan_layout::kernel_extents + axis] == 1 ||
                    kernel_.access(p, plan_layout::access_strides + axis) != 0);
    return own;
  }
};

}  // namespace primal
