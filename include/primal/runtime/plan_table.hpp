// plan_table: the numbers of a frozen plan by their names.
#pragma once

#include <primal/plan/freeze.hpp>

namespace primal {

/// What a call reads of a plan.
template <class Plan> struct plan_table {
  static constexpr const auto& data = Plan::table.data;
  static constexpr int table(int which) { return static_cast<int>(data[which]); }
  static constexpr int rows_of(int which) { return static_cast<int>(data[table(which)]); }
  static constexpr std::int64_t field(int which, int length, int row, int column) {
    return data[table(which) + 1 + length * row + column];
  }
  static constexpr std::int64_t buffer(int b, int column) {
    return field(plan_layout::buffers, plan_layout::buffer_length, b, column);
  }
  static constexpr bool lies(int b, storage s) {
    return buffer(b, plan_layout::buffer_where) == static_cast<int>(s);
  }
  static constexpr int port(int b) { return static_cast<int>(buffer(b, plan_layout::buffer_port)); }
  static constexpr step_kind kind_of(int step) {
    return static_cast<step_kind>(
        field(plan_layout::steps, plan_layout::step_length, step, plan_layout::step_what));
  }
  static constexpr int index_of(int step) {
    return static_cast<int>(
        field(plan_layout::steps, plan_layout::step_length, step, plan_layout::step_index));
  }
  static constexpr std::int64_t fill(int f, int column) {
    return field(plan_layout::fills, plan_layout::fill_length, f, column);
  }
  static constexpr std::int64_t matmul(int m, int column) {
    return field(plan_layout::matmuls, plan_layout::matmul_length, m, column);
  }
  static constexpr dtype type_of_products(int m) {
    return static_cast<dtype>(matmul(m, plan_layout::matmul_type));
  }
  static constexpr int buffers = rows_of(plan_layout::buffers), steps = rows_of(plan_layout::steps),
                       kernels = rows_of(plan_layout::kernels),
                       matmuls = rows_of(plan_layout::matmuls),
                       temporaries = static_cast<int>(data[plan_layout::temporaries]);

  /// The numbers of one kernel.
  struct kernel {
    int row, phases, accesses_begin;

    constexpr explicit kernel(int k)
        : row(Plan::row_of(k)),
          phases(static_cast<int>(data[row + plan_layout::kernel_phases])),
          accesses_begin(row + plan_layout::kernel_tables + 2 * phases +
                         static_cast<int>(data[row + plan_layout::kernel_constants])) {}

    constexpr std::int64_t operator[](int column) const { return data[row + column]; }
    constexpr bool flat() const { return data[row + plan_layout::kernel_flat] != 0; }
    constexpr bool serial() const { return data[row + plan_layout::kernel_serial] != 0; }
    constexpr int accesses() const {
      return static_cast<int>(data[row + plan_layout::kernel_accesses]);
    }
    constexpr std::int64_t access(int a, int column) const {
      return data[accesses_begin + plan_layout::access_length * a + column];
    }
    constexpr int sweeps() const {
      int n = 0;
      for (int p = 0; p < phases; ++p) n += data[row + plan_layout::kernel_tables + 2 * p] != 0;
      return n;
    }
  };
};

}  // namespace primal
