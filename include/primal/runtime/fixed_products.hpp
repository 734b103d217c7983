// fixed_products: the products of a plan that are compiled for their extents.
#pragma once

#include <primal/cpu/fixed_product.hpp>
#include <primal/runtime/plan_extents.hpp>
#include <primal/runtime/plan_table.hpp>

#include <utility>

namespace primal {

/// `Backend`: does it multiply so?
template <class Plan, bool Backend> class fixed_products {
  using numbers = plan_table<Plan>;
  using all = std::make_integer_sequence<int, numbers::matmuls>;

 public:
  /// Is product m small, and are its extents known?
  static constexpr bool has(int m) {
    const auto type = numbers::type_of_products(m);
    return Backend && plan_extents<Plan>::count == 0 && cpu::is_small(shape_of(m)) &&
           (type == dtype::float32 || type == dtype::float64) &&
           numbers::matmul(m, plan_layout::matmul_batches) == 0;
  }
  /// Runs product m if it is one of them.
  static bool run(int m, const std::byte* const* base) { return run_any(m, base, all{}); }

  /// Runs product M on arrays that begin at a, b and c.
  template <int M>
  static PRIMAL_HOST_INLINE void multiply(const std::byte* a, const std::byte* b,
                                          const std::byte* c) {
    using namespace plan_layout;
    using T = element_of<numbers::type_of_products(M)>;
    const auto at = [](const std::byte* array, int offset) PRIMAL_LAMBDA_INLINE {
      return reinterpret_cast<T*>(const_cast<std::byte*>(array)) + numbers::matmul(M, offset);
    };
    cpu::multiply_fixed<T, shape_of(M)>(at(a, matmul_a_offset), at(b, matmul_b_offset),
                                        at(c, matmul_c_offset));
  }

 private:
  static constexpr cpu::product_shape shape_of(int m) {
    using namespace plan_layout;
    const auto at_column = [&](int column) { return numbers::matmul(m, column); };
    return {
        at_column(matmul_rows),     at_column(matmul_columns), at_column(matmul_inner),
        at_column(matmul_a_row),    at_column(matmul_a_inner), at_column(matmul_b_inner),
        at_column(matmul_b_column), at_column(matmul_c_row),   at_column(matmul_accumulates) != 0};
  }
  template <int... M>
  static bool run_any([[maybe_unused]] int m, [[maybe_unused]] const std::byte* const* base,
                      std::integer_sequence<int, M...>) {
    return ((M == m && run_one<M>(base)) || ...);
  }
  template <int M> static bool run_one([[maybe_unused]] const std::byte* const* base) {
    using namespace plan_layout;
    if constexpr (has(M))
      multiply<M>(base[numbers::matmul(M, matmul_a)], base[numbers::matmul(M, matmul_b)],
                  base[numbers::matmul(M, matmul_c)]);
    return has(M);
  }
};

}  // namespace primal
