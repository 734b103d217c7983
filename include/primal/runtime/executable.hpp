// executable: a program in the form in which a call runs it.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/plan/pipeline.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/in_place.hpp>
#include <primal/runtime/index_uses.hpp>
#include <primal/runtime/kernel_call.hpp>
#include <primal/runtime/product_batch.hpp>
#include <primal/runtime/workspace.hpp>

#include <algorithm>
#include <array>
#include <tuple>

namespace primal {

/// One call. `Source::run()` gives the program, `Backend` runs the steps of its plan (cpu_backend shows what that
/// takes). Arrays come in the order of the program's inputs and outputs.
///
/// What follows from extents alone is a constant where all of them are known, and else calculated once.
template <class Source, class Backend> class executable {
  using plan = plan_of<Source>;
  using numbers = plan_table<plan>;
  using inputs = inputs_of<stage<Source>>;
  using outputs = outputs_of<stage<Source>>;
  using extents = plan_extents<plan>;
  static constexpr bool is_static = extents::count == 0;
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

  template <class Indices> struct calls;
  template <int... K> struct calls<std::integer_sequence<int, K...>> {
    using type = std::tuple<kernel_call<plan, K, Backend::row_length>...>;
  };

  /// What follows from extents.
  struct arrangement {
    std::size_t slots[numbers::slots + 1] = {};  // where those of the workspace begin
    std::size_t size = 0;                        // of all of them
    typename calls<std::make_integer_sequence<int, numbers::kernels>>::type kernels;

    constexpr explicit arrangement(const extents& e)
        : arrangement(e, std::make_integer_sequence<int, numbers::kernels>{}) {}

   private:
    template <int... K>
    constexpr arrangement(const extents& e, std::integer_sequence<int, K...>)
        : kernels(kernel_call<plan, K, Backend::row_length>(e)...) {
      std::size_t bytes[numbers::slots + 1] = {};
      for (int b = 0; b < numbers::buffers; ++b) {
        if (!numbers::lies(b, storage::workspace) || numbers::port(b) < 0) continue;
        const auto own = e(numbers::buffer(b, plan_layout::buffer_size)) *
                         size_of(static_cast<dtype>(numbers::buffer(b, plan_layout::buffer_type)));
        auto& slot = bytes[numbers::port(b)];
        slot = std::max(slot, static_cast<std::size_t>(own));
      }
      for (int s = 0; s < numbers::slots; ++s) {
        slots[s] = size;
        size += aligned_size(bytes[s]);
      }
    }
  };
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
    total_ =
        size + aligned_size(std::max(
                   kernel_scratch(backend, std::make_integer_sequence<int, numbers::kernels>{}),
                   product_scratch(backend, std::make_integer_sequence<int, numbers::matmuls>{})));
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
    [&]<int... B>(std::integer_sequence<int, B...>) {
      ((base[B] = locate<B>(out, workspace, backend)), ...);
    }(std::make_integer_sequence<int, numbers::buffers>{});
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (run_step<S>(base, workspace + scratch_, backend), ...);
    }(std::make_integer_sequence<int, numbers::steps>{});
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

  template <int K> const auto& kernel() const { return std::get<at(K)>(arranged_.value.kernels); }

  /// Where a buffer begins. Inputs that are not dense are copied.
  template <int B>
  const std::byte* locate(const array_ref* out, std::byte* workspace, Backend& backend) const {
    constexpr int port = numbers::port(B);
    if constexpr (numbers::lies(B, storage::output)) {
      return static_cast<const std::byte*>(out[port].data);
    } else if constexpr (!numbers::lies(B, storage::input)) {
      return port < 0 ? nullptr : workspace + arranged_.value.slots[port < 0 ? 0 : port];
    } else {
      const array_ref& from = in_[port];
      if (!is_packed_[at(port)]) return static_cast<const std::byte*>(from.data);
      constexpr auto& type = inputs::types[at(port)];
      std::byte* const to = workspace + packed_[at(port)];
      std::int64_t dense[max_rank] = {};
      set_row_major(dense, from.extents, type.rank());
      backend.copy(from, {to, from.extents, dense}, type.rank(), size_of(type.dtype));
      return to;
    }
  }

  template <int S>
  void run_step(const std::byte* const* base, std::byte* scratch, Backend& backend) const {
    constexpr int index = numbers::index_of(S);
    if constexpr (numbers::kind_of(S) == step_kind::kernel) {
      const auto& call = kernel<index>();
      using call_type = std::remove_cvref_t<decltype(call)>;
      auto arguments = call.located(base, extents_);
      backend.watch_indices(arguments);
      backend.template run_kernel<typename call_type::type>(arguments, call_type::serial,
                                                            call.sizes, scratch);
    } else if constexpr (numbers::kind_of(S) == step_kind::matmul) {
      backend.run_products(products<index>(base), scratch);
    } else {
      constexpr int b = static_cast<int>(numbers::fill(index, plan_layout::fill_buffer));
      backend.fill(const_cast<std::byte*>(base[b]),
                   static_cast<dtype>(numbers::buffer(b, plan_layout::buffer_type)),
                   numbers::fill(index, plan_layout::fill_bits),
                   extents_(numbers::buffer(b, plan_layout::buffer_size)));
    }
  }

  template <int M>
  using product_type = element_of<static_cast<dtype>(numbers::matmul(M, plan_layout::matmul_type))>;
  template <int M> std::int64_t number(int column) const {
    return extents_(numbers::matmul(M, column));
  }
  template <int M> auto products(const std::byte* const* base) const {
    using namespace plan_layout;
    using T = product_type<M>;
    product_batch<T> out{};
    auto& p = out.first;
    p.rows = number<M>(matmul_rows);
    p.columns = number<M>(matmul_columns);
    p.inner = number<M>(matmul_inner);
    p.a_row = number<M>(matmul_a_row);
    p.a_inner = number<M>(matmul_a_inner);
    p.b_inner = number<M>(matmul_b_inner);
    p.b_column = number<M>(matmul_b_column);
    p.c_row = p.columns;
    const auto begin = [&](int column) { return base[numbers::matmul(M, column)]; };
    p.a = reinterpret_cast<const T*>(begin(matmul_a)) + number<M>(matmul_a_offset);
    p.b = reinterpret_cast<const T*>(begin(matmul_b)) + number<M>(matmul_b_offset);
    p.c = reinterpret_cast<T*>(const_cast<std::byte*>(begin(matmul_c)));
    out.axes = static_cast<int>(numbers::matmul(M, matmul_batches));
    for (int i = 0; i < out.axes; ++i) {
      out.extent[i] = number<M>(matmul_batch + i);
      out.a_step[i] = number<M>(matmul_a_batch + i);
      out.b_step[i] = number<M>(matmul_b_batch + i);
      out.count *= out.extent[i];
    }
    return out;
  }

  template <int... K>
  std::size_t kernel_scratch(const Backend& backend, std::integer_sequence<int, K...>) const {
    std::size_t most = 0;
    ((most = std::max(most, kernel_scratch(backend, kernel<K>()))), ...);
    return most;
  }
  template <class Call> static std::size_t kernel_scratch(const Backend& backend, const Call& c) {
    return backend.template kernel_scratch<typename Call::type>(c.a, Call::serial, c.sizes);
  }
  template <int... M>
  std::size_t product_scratch(const Backend& backend, std::integer_sequence<int, M...>) const {
    using namespace plan_layout;
    std::size_t most = 0;
    ((most = std::max(
          most, backend.template product_scratch<product_type<M>>(
                    number<M>(matmul_rows), number<M>(matmul_columns), number<M>(matmul_inner)))),
     ...);
    return most;
  }
};

}  // namespace primal
