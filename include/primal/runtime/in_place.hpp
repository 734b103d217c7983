// in_place: which outputs may lie where an input lies.
#pragma once

#include <primal/runtime/plan_table.hpp>

#include <array>

namespace primal {

/// `rows_have_one_thread`: a row is read and written by one thread, so that it may replace what it has read.
template <class Plan, bool rows_have_one_thread> class in_place_rule {
  using numbers = plan_table<Plan>;

 public:
  /// May this output lie exactly where this input does? Otherwise a call gives it memory of its own.
  static constexpr bool allows(int output, int input) {
    for (int b = 0; b < numbers::buffers; ++b) {
      if (!numbers::lies(b, storage::output) || numbers::port(b) != output) continue;
      for (int k = 0; k < numbers::buffers; ++k)
        if (numbers::lies(k, storage::input) && numbers::port(k) == input)
          return written_after_reading(b, k);
      return true;  // the input is not used
    }
    return false;
  }

 private:
  using kernel = typename numbers::kernel;

  /// Is input buffer `k` read for the last time before output buffer `b` is written, or at the same place?
  static constexpr bool written_after_reading(int b, int k) {
    int last_read = -1, first_write = numbers::steps;
    for (int s = 0; s < numbers::steps; ++s) {
      const int i = numbers::index_of(s);
      bool reads = false, writes = false;
      switch (numbers::kind_of(s)) {
        case step_kind::fill: writes = numbers::fill(i, plan_layout::fill_buffer) == b; break;
        case step_kind::matmul:
          reads = numbers::matmul(i, plan_layout::matmul_a) == k ||
                  numbers::matmul(i, plan_layout::matmul_b) == k;
          writes = numbers::matmul(i, plan_layout::matmul_c) == b;
          break;
        case step_kind::kernel: find_accesses(kernel(i), b, k, reads, writes);
      }
      if (reads) last_read = s;
      if (writes && s < first_write) first_write = s;
    }
    return last_read < first_write;
  }
  /// Does a kernel read `k` and write `b`? What it reads right where it writes counts as not read.
  static constexpr void find_accesses(const kernel& x, int b, int k, bool& reads, bool& writes) {
    int read = 0, written = 0, read_at = 0, written_at = 0;
    for (int a = 0; a < x.accesses(); ++a) {
      const auto buffer = x.access(a, plan_layout::access_buffer);
      if (buffer == k) ++read, read_at = a;
      if (buffer == b) ++written, written_at = a;
    }
    const bool replaces = x.sweeps() == 1 && read == 1 && written == 1 &&
                          same_place(x, read_at, written_at) && moves_with_rows(x, read_at);
    reads = read > 0 && !replaces;
    writes = written > 0;
  }
  static constexpr bool same_place(const kernel& x, int p, int q) {
    bool same = x.access(p, plan_layout::access_type) == x.access(q, plan_layout::access_type) &&
                x.access(q, plan_layout::access_accumulates) == 0;
    for (int c : {plan_layout::access_offset + 0, plan_layout::access_inner + 0,
                  plan_layout::access_index_stride + 0})
      same = same && x.access(p, c) == x.access(q, c);
    for (int c = plan_layout::access_strides; c < plan_layout::access_length; ++c)
      same = same && x.access(p, c) == x.access(q, c);
    return same;
  }
  /// Does every row have elements of its own? What several rows read, the first of them has replaced already.
  static constexpr bool moves_with_rows(const kernel& x, int p) {
    const bool in_row = x.access(p, plan_layout::access_inner) != 0;
    bool own = in_row || (rows_have_one_thread && x[plan_layout::kernel_flat] == 0);
    for (int axis = 0; axis < x[plan_layout::kernel_axes]; ++axis)
      own = own && (x[plan_layout::kernel_extents + axis] == 1 ||
                    x.access(p, plan_layout::access_strides + axis) != 0);
    return own;
  }
};

/// The answers for all outputs and inputs.
template <class Plan, bool rows_have_one_thread, int Outputs, int Inputs> struct in_place_table {
  static constexpr std::size_t at(int output, int input) {
    return static_cast<std::size_t>(output * Inputs + input);
  }
  static constexpr std::array<bool, static_cast<std::size_t>(Outputs* Inputs)> make() {
    std::array<bool, static_cast<std::size_t>(Outputs * Inputs)> answers{};
    for (int o = 0; o < Outputs; ++o)
      for (int i = 0; i < Inputs; ++i)
        answers[at(o, i)] = in_place_rule<Plan, rows_have_one_thread>::allows(o, i);
    return answers;
  }
  static constexpr auto value = make();
};

}  // namespace primal
