// executable: a program in the form in which a call runs it.
#pragma once

#include <primal/expr/interface.hpp>
#include <primal/kernel/arguments.hpp>
#include <primal/plan/pipeline.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/index_uses.hpp>
#include <primal/runtime/plan_extents.hpp>
#include <primal/runtime/product_batch.hpp>
#include <primal/runtime/workspace.hpp>

#include <algorithm>

namespace primal {

/// `Source::run()` gives the program, `Backend` runs the steps of its plan (cpu_backend shows what that takes).
/// Arrays come in the order of the program's inputs and outputs.
template <class Source, class Backend> class executable {
  using plan = plan_of<Source>;
  using inputs = inputs_of<stage<Source>>;
  static constexpr const auto& data = plan::table.data;
  static constexpr int table(int which) { return static_cast<int>(data[which]); }
  static constexpr int rows_of(int which) { return static_cast<int>(data[table(which)]); }
  static constexpr std::int64_t field(int which, int length, int row, int column) {
    return data[table(which) + 1 + length * row + column];
  }
  static constexpr std::int64_t buffer(int b, int column) {
    return field(plan_layout::buffers, plan_layout::buffer_length, b, column);
  }
  static constexpr int buffer_count = rows_of(plan_layout::buffers),
                       step_count = rows_of(plan_layout::steps),
                       slot_count = static_cast<int>(data[plan_layout::slots]);
  using extents = plan_extents<plan>;

 public:
  /// May this output lie exactly where this input does? Otherwise a call gives it memory of its own.
  static constexpr bool in_place(int output, int input) {
    for (int b = 0; b < buffer_count; ++b) {
      if (buffer(b, plan_layout::buffer_where) != static_cast<int>(storage::output) ||
          buffer(b, plan_layout::buffer_port) != output)
        continue;
      for (int k = 0; k < buffer_count; ++k)
        if (buffer(k, plan_layout::buffer_where) == static_cast<int>(storage::input) &&
            buffer(k, plan_layout::buffer_port) == input)
          return written_after_reading(b, k);
      return true;  // the input is not used
    }
    return false;
  }

  /// How much memory a call needs beside its inputs and outputs, aligned to workspace_alignment.
  static std::size_t workspace_bytes(const array_ref* in) { return layout(in).total; }

  /// Indices among the inputs that are out of range throw before anything is written, those that are
  /// calculated after the last step.
  static void run(const array_ref* in, const array_ref* out, std::byte* workspace,
                  Backend& backend) {
    using indices = index_check<Source>;
    if constexpr (Backend::finds_index_errors) indices::inputs_in_range(in);
    const layout l(in);
    const std::byte* base[buffer_count + 1];
    for (int b = 0; b < buffer_count; ++b) base[b] = locate(b, in, out, workspace, l);
    pack_inputs(in, base, workspace, l, backend);
    [&]<int... S>(std::integer_sequence<int, S...>) {
      (run_step<S>(base, l.extents, workspace + l.scratch, backend), ...);
    }(std::make_integer_sequence<int, step_count>{});
    if constexpr (Backend::finds_index_errors)
      if (const auto& fault = backend.fault(); fault.found)
        indices::report_calculated(in, fault.index, fault.extent);
  }

 private:
  /// Offsets into the workspace.
  struct layout {
    typename executable::extents extents;
    std::size_t slots[slot_count + 1] = {};
    std::size_t packed[inputs::count + 1] = {};
    std::size_t scratch = 0, total = 0;

    explicit layout(const array_ref* in) : extents(in) {
      std::size_t bytes[slot_count + 1] = {};
      for (int b = 0; b < buffer_count; ++b) {
        if (buffer(b, plan_layout::buffer_where) != static_cast<int>(storage::workspace) ||
            buffer(b, plan_layout::buffer_port) < 0)
          continue;
        auto& slot = bytes[buffer(b, plan_layout::buffer_port)];
        const auto own = static_cast<std::size_t>(
            extents(buffer(b, plan_layout::buffer_size)) *
            size_of(static_cast<dtype>(buffer(b, plan_layout::buffer_type))));
        if (own > slot) slot = own;
      }
      for (int s = 0; s < slot_count; ++s) {
        slots[s] = total;
        total += aligned_size(bytes[s]);
      }
      for (int i = 0; i < inputs::count; ++i) {
        packed[i] = total;
        const auto& type = inputs::types[static_cast<std::size_t>(i)];
        if (!is_dense(in[i], type.rank()))
          total += aligned_size(static_cast<std::size_t>(element_count(in[i].extents, type.rank()) *
                                                         size_of(type.dtype)));
      }
      scratch = total;
      std::size_t most = 0;
      [&]<int... K>(std::integer_sequence<int, K...>) {
        ((most = std::max(most, kernel_scratch<K>(extents))), ...);
      }(std::make_integer_sequence<int, rows_of(plan_layout::kernels)>{});
      most = std::max(most, matmul_scratch(extents));
      total += aligned_size(most);
    }
  };

  static bool is_dense(const array_ref& a, int rank) {
    std::int64_t step = 1;
    for (int i = rank; i-- > 0; step *= a.extents[i])
      if (a.extents[i] != 1 && a.strides[i] != step) return false;
    return true;
  }
  static const std::byte* locate(int b, const array_ref* in, const array_ref* out,
                                 std::byte* workspace, const layout& l) {
    const auto port = buffer(b, plan_layout::buffer_port);
    switch (static_cast<storage>(buffer(b, plan_layout::buffer_where))) {
      case storage::input:  return static_cast<const std::byte*>(in[port].data);
      case storage::output: return static_cast<const std::byte*>(out[port].data);
      default:              return port < 0 ? nullptr : workspace + l.slots[port];
    }
  }
  static void pack_inputs(const array_ref* in, const std::byte** base, std::byte* workspace,
                          const layout& l, Backend& backend) {
    for (int b = 0; b < buffer_count; ++b) {
      if (buffer(b, plan_layout::buffer_where) != static_cast<int>(storage::input)) continue;
      const auto port = buffer(b, plan_layout::buffer_port);
      const auto& type = inputs::types[static_cast<std::size_t>(port)];
      if (is_dense(in[port], type.rank())) continue;
      std::byte* to = workspace + l.packed[port];
      std::int64_t dense[max_rank] = {};
      set_row_major(dense, in[port].extents, type.rank());
      backend.copy(in[port], {to, in[port].extents, dense}, type.rank(), size_of(type.dtype));
      base[b] = to;
    }
  }

  // ---- steps --------------------------------------------------------------------------------

  template <int S>
  static void run_step(const std::byte* const* base, const extents& e, std::byte* scratch,
                       Backend& backend) {
    constexpr auto kind = static_cast<step_kind>(
        field(plan_layout::steps, plan_layout::step_length, S, plan_layout::step_what));
    constexpr int index = static_cast<int>(
        field(plan_layout::steps, plan_layout::step_length, S, plan_layout::step_index));
    if constexpr (kind == step_kind::kernel) {
      run_kernel<index>(base, e, scratch, backend);
    } else if constexpr (kind == step_kind::matmul) {
      run_matmul<index>(base, e, scratch, backend);
    } else {
      constexpr int b = static_cast<int>(
          field(plan_layout::fills, plan_layout::fill_length, index, plan_layout::fill_buffer));
      backend.fill(
          const_cast<std::byte*>(base[b]), static_cast<dtype>(buffer(b, plan_layout::buffer_type)),
          field(plan_layout::fills, plan_layout::fill_length, index, plan_layout::fill_bits),
          e(buffer(b, plan_layout::buffer_size)));
    }
  }

  template <int K> struct kernel_call {
    using kernel = typename plan::template kernel_type<K>;
    using type = typename kernel::type;
    using shape = typename kernel::shape;
    using arguments = kernel_arguments<shape::axes, shape::accesses>;
    static constexpr int row = kernel::row;
    static constexpr int accesses =
        kernel::lists + 2 * kernel::phase_count + kernel::constant_count;
    static constexpr bool flat = data[row + plan_layout::kernel_flat] != 0,
                          serial = data[row + plan_layout::kernel_serial] != 0;

    arguments a;
    std::int64_t sizes[arguments::access_room] = {};

    static constexpr std::int64_t access(int k, int column) {
      return data[accesses + plan_layout::access_length * k + column];
    }

    explicit kernel_call(const extents& e) {
      for (int x = 0; x < arguments::axis_room; ++x)
        a.extent[x] = x < shape::axes ? e(data[row + plan_layout::kernel_extents + x]) : 1;
      a.columns = e(data[row + plan_layout::kernel_columns]);
      if constexpr (flat) a.row_length = Backend::row_length;
      a.buffer_length = ((flat ? a.row_length : a.columns) + 63) / 64 * 64;
      for (int k = 0; k < shape::accesses; ++k) {
        const std::int64_t size = size_of(static_cast<dtype>(access(k, plan_layout::access_type)));
        for (int x = 0; x < shape::axes; ++x)
          a.stride[k][x] = e(access(k, plan_layout::access_strides + x)) * size;
        a.inner_stride[k] = e(access(k, plan_layout::access_inner));
        a.index_stride[k] = e(access(k, plan_layout::access_index_stride));
        a.index_extent[k] = e(access(k, plan_layout::access_index_extent));
        a.element_size[k] = size;
        sizes[k] = e(buffer(static_cast<int>(access(k, plan_layout::access_buffer)),
                            plan_layout::buffer_size));
      }
      a.extents = e.values();
    }
    void locate(const std::byte* const* base, const extents& e) {
      for (int k = 0; k < shape::accesses; ++k)
        a.base[k] = const_cast<std::byte*>(base[access(k, plan_layout::access_buffer)]) +
                    e(access(k, plan_layout::access_offset)) * a.element_size[k];
    }
  };
  template <int K> static std::size_t kernel_scratch(const extents& e) {
    using call = kernel_call<K>;
    const call k(e);
    return Backend::template kernel_scratch<typename call::type>(k.a, call::serial, k.sizes);
  }
  template <int K>
  static void run_kernel(const std::byte* const* base, const extents& e, std::byte* scratch,
                         Backend& backend) {
    using call = kernel_call<K>;
    call k(e);
    k.locate(base, e);
    backend.watch_indices(k.a);
    backend.template run_kernel<typename call::type>(k.a, call::serial, k.sizes, scratch);
  }

  static constexpr std::int64_t matmul(int m, int column) {
    return field(plan_layout::matmuls, plan_layout::matmul_length, m, column);
  }
  static std::size_t matmul_scratch(const extents& e) {
    std::size_t most = 0;
    [&]<int... M>(std::integer_sequence<int, M...>) {
      ((most =
            std::max(most, Backend::template product_scratch<
                               element_of<static_cast<dtype>(matmul(M, plan_layout::matmul_type))>>(
                               e(matmul(M, plan_layout::matmul_rows)),
                               e(matmul(M, plan_layout::matmul_columns)),
                               e(matmul(M, plan_layout::matmul_inner))))),
       ...);
    }(std::make_integer_sequence<int, rows_of(plan_layout::matmuls)>{});
    return most;
  }
  template <int M>
  static void run_matmul(const std::byte* const* base, const extents& e, std::byte* scratch,
                         Backend& backend) {
    using namespace plan_layout;
    using T = element_of<static_cast<dtype>(matmul(M, matmul_type))>;
    product_batch<T> products{};
    auto& p = products.first;
    p.rows = e(matmul(M, matmul_rows));
    p.columns = e(matmul(M, matmul_columns));
    p.inner = e(matmul(M, matmul_inner));
    p.a_row = e(matmul(M, matmul_a_row));
    p.a_inner = e(matmul(M, matmul_a_inner));
    p.b_inner = e(matmul(M, matmul_b_inner));
    p.b_column = e(matmul(M, matmul_b_column));
    p.c_row = p.columns;
    p.a = reinterpret_cast<const T*>(base[matmul(M, matmul_a)]) + e(matmul(M, matmul_a_offset));
    p.b = reinterpret_cast<const T*>(base[matmul(M, matmul_b)]) + e(matmul(M, matmul_b_offset));
    p.c = reinterpret_cast<T*>(const_cast<std::byte*>(base[matmul(M, matmul_c)]));
    products.axes = static_cast<int>(matmul(M, matmul_batches));
    for (int i = 0; i < products.axes; ++i) {
      products.extent[i] = e(matmul(M, matmul_batch + i));
      products.a_step[i] = e(matmul(M, matmul_a_batch + i));
      products.b_step[i] = e(matmul(M, matmul_b_batch + i));
      products.count *= products.extent[i];
    }
    backend.run_products(products, scratch);
  }

  /// Is input buffer `k` read for the last time before output buffer `b` is written, or at the same place?
  static constexpr bool written_after_reading(int b, int k) {
    int last_read = -1, first_write = step_count;
    for (int s = 0; s < step_count; ++s) {
      const auto kind = static_cast<step_kind>(
          field(plan_layout::steps, plan_layout::step_length, s, plan_layout::step_what));
      const int i = static_cast<int>(
          field(plan_layout::steps, plan_layout::step_length, s, plan_layout::step_index));
      bool reads = false, writes = false;
      if (kind == step_kind::fill)
        writes =
            field(plan_layout::fills, plan_layout::fill_length, i, plan_layout::fill_buffer) == b;
      if (kind == step_kind::matmul) {
        reads = matmul(i, plan_layout::matmul_a) == k || matmul(i, plan_layout::matmul_b) == k;
        writes = matmul(i, plan_layout::matmul_c) == b;
      }
      if (kind == step_kind::kernel) {
        const int row = plan::row_of(i),
                  phases = static_cast<int>(data[row + plan_layout::kernel_phases]);
        const int accesses = row + plan_layout::kernel_tables + 2 * phases +
                             static_cast<int>(data[row + plan_layout::kernel_constants]);
        int sweeps = 0, read_at = -1, written_at = -1;
        for (int p = 0; p < phases; ++p)
          sweeps += data[row + plan_layout::kernel_tables + 2 * p] != 0;
        for (int x = 0; x < data[row + plan_layout::kernel_accesses]; ++x) {
          const auto at =
              data[accesses + plan_layout::access_length * x + plan_layout::access_buffer];
          if (at == k) reads = read_at >= 0 ? true : true, read_at = read_at < 0 ? x : -2;
          if (at == b) writes = true, written_at = written_at < 0 ? x : -2;
        }
        if (reads && writes && sweeps == 1 && read_at >= 0 && written_at >= 0 &&
            same_place(accesses, read_at, written_at))
          reads = false;
      }
      if (reads) last_read = s;
      if (writes && s < first_write) first_write = s;
    }
    return last_read < first_write;
  }
  static constexpr bool same_place(int accesses, int x, int y) {
    const int p = accesses + plan_layout::access_length * x,
              q = accesses + plan_layout::access_length * y;
    bool same = data[p + plan_layout::access_type] == data[q + plan_layout::access_type] &&
                data[q + plan_layout::access_accumulates] == 0;
    // What every thread of a row reads before its sweep, one of them may have replaced already.
    same = same && (Backend::rows_have_one_thread || data[p + plan_layout::access_inner] != 0);
    for (int c : {plan_layout::access_offset + 0, plan_layout::access_inner + 0,
                  plan_layout::access_index_stride + 0})
      same = same && data[p + c] == data[q + c];
    for (int c = 0; c < max_rank; ++c)
      same = same &&
             data[p + plan_layout::access_strides + c] == data[q + plan_layout::access_strides + c];
    return same;
  }
};

}  // namespace primal
