// freeze: a plan as a constant, and its kernels as types.
#pragma once

#include <primal/expr/frozen.hpp>
#include <primal/plan/plan.hpp>

namespace primal {

/// A plan in fixed arrays. `data` holds all numbers: at the start the counts and where each table begins.
template <int Statements, int Numbers> struct frozen_plan {
  static constexpr int room[2] = {Statements, Numbers};
  int used_statements, used_numbers;
  statement_word words[Statements + 1];
  const op_info* operators[Statements + 1];
  std::int64_t data[Numbers + 1];
};

/// Where things stand in `data`.
namespace plan_layout {
enum : int {
  buffers,
  steps,
  kernels,
  matmuls,
  fills,
  extent_words,
  in_ports,
  out_ports,
  temporaries,
  header
};

// Each table begins with its count. Rows have a fixed length, or are reached through offsets.
enum buffer_row : int {
  buffer_type,
  buffer_size,
  buffer_where,
  buffer_port,
  buffer_first_step,
  buffer_last_step,
  buffer_length
};
enum step_row : int { step_what, step_index, step_length };
enum fill_row : int { fill_buffer, fill_bits, fill_length };
enum access_row : int {
  access_buffer,
  access_type,
  access_offset,
  access_inner,
  access_index_stride,
  access_index_extent,
  access_written,
  access_accumulates,
  access_how,
  access_statement,
  access_strides,
  access_length = access_strides + max_rank
};
enum matmul_row : int {
  matmul_a,
  matmul_b,
  matmul_c,
  matmul_a_offset,
  matmul_b_offset,
  matmul_c_offset,
  matmul_rows,
  matmul_columns,
  matmul_inner,
  matmul_a_row,
  matmul_a_inner,
  matmul_b_inner,
  matmul_b_column,
  matmul_c_row,
  matmul_type,
  matmul_accumulates,
  matmul_after,
  matmul_bias,
  matmul_bias_offset,
  matmul_batches,
  matmul_batch,
  matmul_a_batch = matmul_batch + max_rank,
  matmul_b_batch = matmul_a_batch + max_rank,
  matmul_c_batch = matmul_b_batch + max_rank,
  matmul_length = matmul_c_batch + max_rank
};
enum kernel_row : int {
  kernel_first,
  kernel_columns,
  kernel_flat,
  kernel_serial,
  kernel_bundled,
  kernel_buffers,
  kernel_lane_bytes,
  kernel_axes,
  kernel_extents,
  kernel_phases = kernel_extents + max_rank,
  kernel_constants,
  kernel_accesses,
  kernel_tables
  // then, per phase: is it a sweep, how many statements; the constants; the accesses
};
}  // namespace plan_layout

namespace core {

/// Appends a plan's numbers to `out`.
class plan_writer {
  // First, because clang 19 instantiates it where it is called in this class.
  template <class... N> constexpr void put_all(N... n) {
    (out.put(static_cast<std::int64_t>(n)), ...);
  }

 public:
  constexpr plan_writer(const plan& own, std::int64_t* to, int space) : p(own), out{to, space} {
    using namespace plan_layout;
    for (int i = 0; i < header; ++i) out.put(0);
    begin(buffers, p.buffers.size());
    for (const auto& b : p.buffers)
      put_all(static_cast<int>(b.type), b.size, static_cast<int>(b.where), b.port, b.first_step,
              b.last_step);
    begin(steps, p.steps.size());
    for (const auto& s : p.steps) put_all(static_cast<int>(s.kind), s.index);
    begin(fills, p.fills.size());
    for (const auto& f : p.fills) put_all(f.buffer, f.bits);
    begin(matmuls, p.matmuls.size());
    for (const auto& m : p.matmuls) put(m);
    begin(kernels, p.kernels.size());
    const int offsets = out.count;
    for (int i = 0; i < p.kernels.size(); ++i) out.put(0);
    int first = 0;
    for (int i = 0; i < p.kernels.size(); ++i) {
      patch(offsets + static_cast<int>(i), out.count);
      first = put(p.kernels[i], first);
    }
    patch(extent_words, out.count);
    write_extents(p.extents, out);
    patch(in_ports, p.inputs);
    patch(out_ports, p.outputs);
    patch(temporaries, p.temporaries);
  }
  constexpr int count() const { return out.count; }

 private:
  const plan& p;
  word_writer out;

  constexpr void patch(int at, std::int64_t n) {
    if (at < out.room) out.out[at] = n;
  }
  constexpr void begin(int table, int rows) {
    patch(table, out.count);
    out.put(rows);
  }
  constexpr void put(const shape& s) {
    const int rank = s.size();
    for (int i = 0; i < max_rank; ++i) out.put(i < rank ? s[i] : 0);
  }
  constexpr void put(const matmul_plan& m) {
    put_all(m.a, m.b, m.c, m.a_offset, m.b_offset, m.c_offset, m.rows, m.columns, m.inner, m.a_row,
            m.a_inner, m.b_inner, m.b_column, m.c_row, static_cast<int>(m.type), m.accumulates,
            static_cast<int>(m.after), m.bias, m.bias_offset, m.batch.size());
    put(m.batch);
    put(m.a_batch);
    put(m.b_batch);
    put(m.c_batch);
  }
  constexpr int put(const kernel_plan& k, int first) {
    put_all(first, k.columns, k.flat, k.serial, static_cast<int>(k.bundled), k.buffers,
            k.lane_bytes, k.extents.size());
    put(k.extents);
    put_all(k.phases.size(), k.constants.size(), k.accesses.size());
    for (const auto& phase : k.phases) {
      put_all(phase.sweep, phase.statements.size());
      first += phase.statements.size();
    }
    for (auto c : k.constants) out.put(c);
    for (const auto& a : k.accesses) {
      put_all(a.buffer, static_cast<int>(a.type), a.offset, a.inner, a.index_stride, a.index_extent,
              a.written, a.accumulates, static_cast<int>(a.how), a.statement);
      put(a.strides);
    }
    return first;
  }
};

template <class Frozen> constexpr Frozen freeze_plan(const plan& p) {
  Frozen f{};
  f.used_numbers = plan_writer(p, f.data, Frozen::room[1]).count();
  for (const auto& k : p.kernels)
    for (const auto& phase : k.phases)
      for (const auto& s : phase.statements) {
        if (f.used_statements < Frozen::room[0]) {
          f.words[f.used_statements] = s.fields.pack();
          f.operators[f.used_statements] = s.op;
        }
        ++f.used_statements;
      }
  return f;
}

template <class Pass, class Room> struct roomy_plan {
  static constexpr Room value = freeze_plan<Room>(Pass::make());
  static constexpr bool fits =
      value.used_statements <= Room::room[0] && value.used_numbers <= Room::room[1];
};
using usual_plan = frozen_plan<2048, 16384>;
using large_plan = frozen_plan<1 << 16, 1 << 18>;
template <class Pass, bool Fits> struct fitting_plan : roomy_plan<Pass, usual_plan> {};
template <class Pass> struct fitting_plan<Pass, false> : roomy_plan<Pass, large_plan> {};

/// How the arrays of a kernel lie along its last outer axis; masks of bundled_rows.
struct bundle_masks {
  std::uint64_t dense = 0, repeated = 0, in = 0, out = 0;
};
constexpr bundle_masks bundle_of(const std::int64_t* kernel, const std::int64_t* access) {
  using namespace plan_layout;
  bundle_masks m;
  const auto when = static_cast<bundling>(kernel[kernel_bundled]);
  if (when == bundling::never) return m;
  const auto axes = kernel[kernel_axes];
  const bool short_rows = when == bundling::of_short_rows || is_number(kernel[kernel_columns]);
  const auto base = kernel[kernel_lane_bytes] == 8 ? dtype::float64 : dtype::float32;
  for (int k = 0; k < kernel[kernel_accesses]; ++k, access += access_length) {
    const auto bit = std::uint64_t{1} << k;
    const auto along = access[access_strides + axes - 1];
    if (along == 1) m.dense |= bit;
    if (along == 0) m.repeated |= bit;
    if (along == 1 || along == 0 || !short_rows || access[access_inner] != 1 ||
        access[access_type] != static_cast<int>(base) || access[access_index_stride] != 0)
      continue;
    bool whole = true;  // what is the same along an axis is written once
    for (int x = 0; x < axes; ++x) whole = whole && access[access_strides + x] != 0;
    const bool adds = access[access_accumulates] != 0;
    if (adds || access[access_written] == 0) m.in |= bit;
    if (adds || (access[access_written] != 0 && whole)) m.out |= bit;
  }
  return m;
}

template <const op_info* Info> struct op_or_void {
  using type = op_of<Info>;
};
template <> struct op_or_void<nullptr> {
  using type = void;
};

}  // namespace core

/// The plan that `Pass::make()` gives as a constant, `plan_stage<Pass>::value`, and its kernels as types.
template <class Pass>
struct plan_stage : core::fitting_plan<Pass, core::roomy_plan<Pass, core::usual_plan>::fits> {
  using core::fitting_plan<Pass, core::roomy_plan<Pass, core::usual_plan>::fits>::value;

  /// The numbers alone, for the call. Using `value` at run time would put every operator's rules, which it
  /// points to, into the object file.
  struct numbers {
    std::int64_t data[value.used_numbers + 1];
  };
  static constexpr numbers copy() {
    numbers n{};
    for (int i = 0; i < value.used_numbers; ++i) n.data[i] = value.data[i];
    return n;
  }
  static constexpr numbers table = copy();

  /// Where kernel `k` begins in `data`.
  static constexpr int row_of(int k) {
    return static_cast<int>(table.data[table.data[plan_layout::kernels] + 1 + k]);
  }

  template <int K> struct kernel_type {
    static constexpr int row = row_of(K), lists = row + plan_layout::kernel_tables;
    static constexpr int phase_count =
        static_cast<int>(value.data[row + plan_layout::kernel_phases]);
    static constexpr int constant_count =
        static_cast<int>(value.data[row + plan_layout::kernel_constants]);
    static constexpr std::int64_t columns = value.data[row + plan_layout::kernel_flat] != 0
                                                ? -1
                                                : value.data[row + plan_layout::kernel_columns];
    static constexpr core::bundle_masks bundle =
        core::bundle_of(value.data + row, value.data + lists + 2 * phase_count + constant_count);
    static constexpr auto when =
        static_cast<bundling>(value.data[row + plan_layout::kernel_bundled]);
    using rows =
        std::conditional_t<when != bundling::never,
                           bundled_rows<when, bundle.dense, bundle.repeated, bundle.in, bundle.out>,
                           single_rows>;
    using shape =
        loop_shape<(is_number(columns) ? columns : -1),
                   static_cast<int>(value.data[row + plan_layout::kernel_axes]),
                   static_cast<int>(value.data[row + plan_layout::kernel_accesses]),
                   static_cast<int>(value.data[row + plan_layout::kernel_buffers]),
                   static_cast<int>(value.data[row + plan_layout::kernel_lane_bytes]), rows>;

    static constexpr int first_of(int phase) {
      int first = static_cast<int>(value.data[row + plan_layout::kernel_first]);
      for (int i = 0; i < phase; ++i) first += static_cast<int>(value.data[lists + 2 * i + 1]);
      return first;
    }
    template <int P, class I> struct phase_type;
    template <int P, int... I> struct phase_type<P, std::integer_sequence<int, I...>> {
      static constexpr int first = first_of(P);
      using type = phase<(value.data[lists + 2 * P] != 0),
                         stmt<typename core::op_or_void<value.operators[first + I]>::type,
                              value.words[first + I]>...>;
    };
    template <class P, class C> struct build;
    template <int... P, int... C>
    struct build<std::integer_sequence<int, P...>, std::integer_sequence<int, C...>> {
      using type =
          kernel<shape, constants<value.data[lists + 2 * phase_count + C]...>,
                 typename phase_type<
                     P, std::make_integer_sequence<
                            int, static_cast<int>(value.data[lists + 2 * P + 1])>>::type...>;
    };
    using type = typename build<std::make_integer_sequence<int, phase_count>,
                                std::make_integer_sequence<int, constant_count>>::type;
  };
};

}  // namespace primal
