// in_place: which outputs may lie where an input lies.
#pragma once

#include <primal/plan/in_place.hpp>
#include <primal/runtime/plan_table.hpp>

#include <array>

namespace primal {

/// May an output lie exactly where an input does? Otherwise a call gives it memory of its own.
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
          if (const auto bias = numbers::matmul(i, plan_layout::matmul_bias); bias >= 0)
            read(bias, s);
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
           in_place_kernel(kernel(numbers::index_of(read)), rows_have_one_thread)
               .replaces(output, input);
  }

 private:
  // By buffer; an input is never written, and whether an output is read does not matter.
  int first_write_[numbers::buffers + 1] = {}, last_read_[numbers::buffers + 1] = {};

  constexpr void read(std::int64_t buffer, int step) { last_read_[buffer] = step; }
  constexpr void write(std::int64_t buffer, int step) {
    if (step < first_write_[buffer]) first_write_[buffer] = step;
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
