// in_place: which outputs may lie where an input lies.
#pragma once

#include <primal/runtime/plan_table.hpp>

#include <array>

namespace primal {

/// May an output lie exactly where an input does? Otherwise a call gives it memory of its own.
/// `rows_have_one_thread`: a row is read and written by one thread, so that it may replace what it has read.
template <class Plan, bool rows_have_one_thread> class in_place_rule {
  using numbers = plan_table<Plan>;
  using kernel = typename numbers::kernel;

 public:
  /// Looks once at every step.
  constexpr in_place_rule() {
    for (int& step : first_write_) step = numbers::steps;
    for (int& step : last_read_) step = -1;
    for (int s = 0; s < numbers::steps; ++s) {
      const int i = numbers::index_of(s);
      switch (numbers::kind_of(s)) {
        case step_kind::fill: write(numbers::fill(i, plan_layout::fill_buffer), s); break;
        case step_kind::matmul:
          read(numbers::matmul(i, plan_layout::matmul_a), s);
          read(numbers::matmul(i, plan_layout::matmul_b), s);
          write(numbers::matmul(i, plan_layout::matmul_c), s);
          break;
        case step_kind::kernel: {
          const kernel x(i);
          for (int a = 0; a < x.accesses(); ++a) {
            read(x.access(a, plan_layout::access_buffer), s);
            write(x.access(a, plan_layout::access_buffer), s);
          }
        }
      }
    }
  }

  /// For buffers of an output and of an input; -1 is an input that is not used.
  constexpr bool allows(int output, int input) const {
    if (input < 0) return true;
    const int write = first_write_[output], read = last_read_[input];
    if (write != read) return read < write;
    return numbers::kind_of(read) == step_kind::kernel &&
           replaces(kernel(numbers::index_of(read)), output, input);
  }

 private:
  // By buffer; an input is never written, and whether an output is read does not matter.
  int first_write_[numbers::buffers + 1] = {}, last_read_[numbers::buffers + 1] = {};

  constexpr void read(std::int64_t buffer, int step) { last_read_[buffer] = step; }
  constexpr void write(std::int64_t buffer, int step) {
    if (step < first_write_[buffer]) first_write_[buffer] = step;
  }
  /// Is everything that a kernel reads of `k` read right where it is replaced by `b`?
  static constexpr bool replaces(const kernel& x, int b, int k) {
    int read = 0, written = 0, read_at = 0, written_at = 0;
    for (int a = 0; a < x.accesses(); ++a) {
      const auto buffer = x.access(a, plan_layout::access_buffer);
      if (buffer == k) ++read, read_at = a;
      if (buffer == b) ++written, written_at = a;
    }
    return x.sweeps() == 1 && read == 1 && written == 1 && same_place(x, read_at, written_at) &&
           moves_with_rows(x, read_at);
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
    using numbers = plan_table<Plan>;
    int of_output[Outputs + 1] = {}, of_input[Inputs + 1] = {};
    for (int& b : of_output) b = -1;
    for (int& b : of_input) b = -1;
    for (int b = 0; b < numbers::buffers; ++b) {
      if (numbers::lies(b, storage::output)) of_output[numbers::port(b)] = b;
      if (numbers::lies(b, storage::input)) of_input[numbers::port(b)] = b;
    }
    const in_place_rule<Plan, rows_have_one_thread> rule;
    std::array<bool, static_cast<std::size_t>(Outputs * Inputs)> answers{};
    for (int o = 0; o < Outputs; ++o)
      for (int i = 0; i < Inputs; ++i)
        answers[at(o, i)] = of_output[o] >= 0 && rule.allows(of_output[o], of_input[i]);
    return answers;
  }
  static constexpr auto value = make();
};

}  // namespace primal
