// executable: a program in the form in which a call runs it.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/plan/pipeline.hpp>
#include <primal/runtime/arrangement.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/fixed_products.hpp>
#include <primal/runtime/in_place.hpp>
#include <primal/runtime/index_uses.hpp>
#include <primal/runtime/product_batch.hpp>
#include <primal/runtime/workspace.hpp>

#include <algorithm>
#include <array>

namespace primal {

/// One call. `Source::run()` gives the program, `Backend` runs the steps of its plan (cpu_backend shows what that
/// takes). Arrays come in the order of the program's inputs and outputs.
///
/// What follows from extents alone is a constant where all of them are known, and else calculated once.
template <class Source, class Backend> class executable {
  using plan = plan_of<Source, Backend::has_epilogues>;
  using numbers = plan_table<plan>;
  using inputs = inputs_of<stage<Source>>;
  using outputs = outputs_of<stage<Source>>;
  using extents = plan_extents<plan>;
  using fixed = fixed_products<plan, Backend::multiplies_fixed>;
  static constexpr bool is_static = extents::count == 0;
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  using arrangement = primal::arrangement<plan, Backend>;
  template <int K> using kernel_type = typename arrangement::template kernel_type<K>;
  template <class Kernel> using call_of = typename arrangement::template call_of<Kernel>;
  using all_kernels = typename arrangement::all_kernels;
  struct constant_arrangement {
    static constexpr arrangement value{extents()};
    explicit constant_arrangement(const extents&) {}
  };
  struct own_arrangement {
    arrangement value;
    explicit own_arrangement(const extents& e) : value(e) {}
  };

 public:
  executable(const array_ref* in, const Backend& backend)
      : in_(in), extents_(in), arranged_(extents_) {
    std::size_t size = arranged_.value.size;
    for (int i = 0; i < inputs::count; ++i) {
      const auto& type = inputs::types[at(i)];
      is_packed_[at(i)] = !is_row_major(in[i], type.rank());
      if (!is_packed_[at(i)]) continue;
      packed_[at(i)] = size;
      size += aligned_size(static_cast<std::size_t>(element_count(in[i].extents, type.rank()) *
                                                    size_of(type.dtype)));
    }
    scratch_ = size;
    total_ = size + aligned_size(
                        std::max(kernel_scratch(backend, all_kernels{}), product_scratch(backend)));
  }
  executable(const executable&) = delete;
  executable& operator=(const executable&) = delete;

  /// May this output lie exactly where this input does? Otherwise a call gives it memory of its own.
  static bool in_place(int output, int input) {
    using table =
        in_place_table<plan, Backend::rows_have_one_thread, outputs::count, inputs::count>;
    return table::value[table::at(output, input)];
  }

  /// How much memory the call needs beside its inputs and outputs, aligned to workspace_alignment.
  std::size_t workspace_bytes() const { return total_; }

  /// Indices among the inputs that are out of range throw before anything is written, those that are
  /// calculated after the last step.
  void run(const array_ref* out, std::byte* workspace, Backend& backend) const {
    using indices = index_check<Source>;
    if constexpr (Backend::finds_index_errors) indices::inputs_in_range(in_);
    const std::byte* base[numbers::buffers + 1];
    for (int b = 0; b < numbers::buffers; ++b) base[b] = locate(b, out, workspace, backend);
    for (int s = 0; s < numbers::steps; ++s) {
      const int i = numbers::index_of(s);
      switch (numbers::kind_of(s)) {
        case step_kind::kernel:
          run_kernel(i, base, workspace + scratch_, backend, all_kernels{});
          break;
        case step_kind::matmul: run_products(i, base, workspace + scratch_, backend); break;
        case step_kind::fill:   run_fill(i, base, backend); break;
      }
    }
    if constexpr (Backend::finds_index_errors)
      if (const auto& fault = backend.fault(); fault.found)
        indices::report_calculated(in_, fault.index, fault.extent);
  }

 private:
  const array_ref* in_;
  extents extents_;
  [[no_unique_address]] std::conditional_t<is_static, constant_arrangement, own_arrangement>
      arranged_;
  std::array<bool, at(inputs::count)> is_packed_{};
  std::array<std::size_t, at(inputs::count)> packed_{};  // where copies of inputs begin
  std::size_t scratch_, total_;

  /// Where a buffer begins. Inputs that are not dense are copied.
  const std::byte* locate(int b, const array_ref* out, std::byte* workspace,
                          Backend& backend) const {
    const int port = numbers::port(b);
    if (numbers::lies(b, storage::output)) return static_cast<const std::byte*>(out[port].data);
    if (!numbers::lies(b, storage::input))
      return port < 0 ? nullptr : workspace + arranged_.value.begin[port];
    const array_ref& from = in_[port];
    if (!is_packed_[at(port)]) return static_cast<const std::byte*>(from.data);
    const auto& type = inputs::types[at(port)];
    std::byte* const to = workspace + packed_[at(port)];
    std::int64_t dense[max_rank] = {};
    set_row_major(dense, from.extents, type.rank());
    backend.copy(from, {to, from.extents, dense}, type.rank(), size_of(type.dtype));
    return to;
  }

  // ---- steps --------------------------------------------------------------------------------

  /// Kernels of one type share this.
  template <class Kernel>
  void run_kernel(const call_of<Kernel>& call, bool serial, const std::byte* const* base,
                  std::byte* scratch, Backend& backend) const {
    auto arguments = call.located(base, extents_);
    backend.watch_indices(arguments);
    backend.template run_kernel<Kernel>(arguments, serial, call.sizes, scratch);
  }
  template <int... K>
  void run_kernel([[maybe_unused]] int k, [[maybe_unused]] const std::byte* const* base,
                  [[maybe_unused]] std::byte* scratch, [[maybe_unused]] Backend& backend,
                  std::integer_sequence<int, K...>) const {
    static_cast<void>(((K == k && (run_kernel<kernel_type<K>>(arranged_.value.template kernel<K>(),
                                                              typename numbers::kernel(K).serial(),
                                                              base, scratch, backend),
                                   true)) ||
                       ...));
  }
  template <int... K>
  std::size_t kernel_scratch(const Backend& backend, std::integer_sequence<int, K...>) const {
    std::size_t most = 0;
    ((most = std::max(most,
                      kernel_scratch<kernel_type<K>>(backend, arranged_.value.template kernel<K>(),
                                                     typename numbers::kernel(K).serial()))),
     ...);
    return most;
  }
  template <class Kernel>
  static std::size_t kernel_scratch(const Backend& backend, const call_of<Kernel>& call,
                                    bool serial) {
    return backend.template kernel_scratch<Kernel>(call.a, serial, call.sizes);
  }

  void run_fill(int f, const std::byte* const* base, Backend& backend) const {
    using namespace plan_layout;
    const int b = static_cast<int>(numbers::fill(f, fill_buffer));
    backend.fill(const_cast<std::byte*>(base[b]),
                 static_cast<dtype>(numbers::buffer(b, buffer_type)), numbers::fill(f, fill_bits),
                 extents_(numbers::buffer(b, buffer_size)));
  }

  static constexpr bool multiplies(dtype d) {
    bool found = false;
    for (int m = 0; m < numbers::matmuls; ++m)
      found = found || (numbers::type_of_products(m) == d && !fixed::has(m));
    return found;
  }
  /// f(T{}) for the element type of products `m`. Only the types that the plan has are compiled.
  template <class F, int... D>
  static void with_type_of(int m, const F& f, std::integer_sequence<int, D...>) {
    const auto visit = [&]<dtype Type>(std::integral_constant<dtype, Type>) {
      if constexpr (multiplies(Type))
        if (numbers::type_of_products(m) == Type) f(element_of<Type>{});
    };
    (visit(std::integral_constant<dtype, static_cast<dtype>(D)>{}), ...);
  }
  template <class F> static void with_type_of(int m, const F& f) {
    if constexpr (numbers::matmuls > 0)
      with_type_of(m, f, std::make_integer_sequence<int, dtype_count>{});
  }
  std::size_t product_scratch(const Backend& backend) const {
    std::size_t most = 0;
    for (int m = 0; m < numbers::matmuls; ++m)
      with_type_of(m, [&]<class T>(T) {
        most = std::max(most,
                        backend.template product_scratch<T>(number(m, plan_layout::matmul_rows),
                                                            number(m, plan_layout::matmul_columns),
                                                            number(m, plan_layout::matmul_inner)));
      });
    return most;
  }
  void run_products(int m, const std::byte* const* base, std::byte* scratch,
                    Backend& backend) const {
    if (fixed::run(m, base)) return;
    with_type_of(m, [&]<class T>(T) { backend.run_products(products<T>(m, base), scratch); });
  }
  std::int64_t number(int m, int column) const { return extents_(numbers::matmul(m, column)); }
  template <class T> product_batch<T> products(int m, const std::byte* const* base) const {
    using namespace plan_layout;
    product_batch<T> out{};
    auto& p = out.first;
    p.rows = number(m, matmul_rows);
    p.columns = number(m, matmul_columns);
    p.inner = number(m, matmul_inner);
    p.a_row = number(m, matmul_a_row);
    p.a_inner = number(m, matmul_a_inner);
    p.b_inner = number(m, matmul_b_inner);
    p.b_column = number(m, matmul_b_column);
    p.c_row = number(m, matmul_c_row);
    p.accumulates = numbers::matmul(m, matmul_accumulates) != 0;
    const auto begin = [&](int column) { return base[numbers::matmul(m, column)]; };
    p.a = reinterpret_cast<const T*>(begin(matmul_a)) + number(m, matmul_a_offset);
    p.b = reinterpret_cast<const T*>(begin(matmul_b)) + number(m, matmul_b_offset);
    p.c =
        reinterpret_cast<T*>(const_cast<std::byte*>(begin(matmul_c))) + number(m, matmul_c_offset);
    out.after = static_cast<epilogue>(numbers::matmul(m, matmul_after));
    if (adds_bias(out.after))
      out.bias = reinterpret_cast<const T*>(begin(matmul_bias)) + number(m, matmul_bias_offset);
    out.axes = static_cast<int>(numbers::matmul(m, matmul_batches));
    for (int i = 0; i < out.axes; ++i) {
      out.extent[i] = number(m, matmul_batch + i);
      out.a_step[i] = number(m, matmul_a_batch + i);
      out.b_step[i] = number(m, matmul_b_batch + i);
      out.c_step[i] = number(m, matmul_c_batch + i);
      out.count *= out.extent[i];
    }
    return out;
  }
};

}  // namespace primal
