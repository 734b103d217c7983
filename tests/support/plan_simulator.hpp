// Executes a plan in double, element by element, and notices what hardware does not: registers and
// memory that nobody has written, elements out of bounds, steps that come too early.
#pragma once

#include <primal/interpret/interpret.hpp>
#include <primal/plan/plan.hpp>
#include <primal/runtime/packing.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace primal::test {

/// What no plan may do.
struct plan_fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Fails unless every buffer is written before the steps that read it, and by none of their level.
inline void check_order(const plan& p) {
  struct touched {
    sequence<int> reads, writes;
    bool writes_to(int buffer) const {
      return std::find(writes.begin(), writes.end(), buffer) != writes.end();
    }
  };
  std::vector<touched> steps;
  for (const auto& s : p.steps) {
    const auto index = static_cast<std::size_t>(s.index);
    auto& own = steps.emplace_back();
    if (s.kind == step_kind::fill) {
      own.writes = {p.fills[index].buffer};
    } else if (s.kind == step_kind::matmul) {
      own = {{p.matmuls[index].a, p.matmuls[index].b}, {p.matmuls[index].c}};
      if (p.matmuls[index].bias >= 0) own.reads.push_back(p.matmuls[index].bias);
    } else {
      for (const auto& a : p.kernels[index].accesses)
        (a.written ? own.writes : own.reads).push_back(a.buffer);
    }
  }
  const auto is_kernel = [&](std::size_t i) { return p.steps[i].kind == step_kind::kernel; };
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (int b : steps[i].reads)
      for (std::size_t k = 0; k < steps.size(); ++k) {
        if (!steps[k].writes_to(b)) continue;
        const auto name = "buffer " + std::to_string(b);
        if (k >= i) throw plan_fault(name + " is read before all of it is written");
        if (p.steps[i].level == p.steps[k].level && is_kernel(i) && is_kernel(k))
          throw plan_fault(name + " is read and written in one level");
      }
}

/// One call of a plan. Kernels walk their rows one by one and each row column by column.
class plan_simulator {
 public:
  plan_simulator(const plan& p, const std::vector<dense>& inputs) : plan_(p), inputs_(inputs) {}

  /// The elements of each output.
  std::vector<std::vector<double>> run() {
    check_order(plan_);
    allocate();
    for (int i = 0; i < plan_.steps.size(); ++i) {
      spoil_new_buffers(i);
      const auto& s = plan_.steps[i];
      const auto index = static_cast<std::size_t>(s.index);
      switch (s.kind) {
        case step_kind::fill:   fill(plan_.fills[index]); break;
        case step_kind::matmul: multiply(plan_.matmuls[index]); break;
        case step_kind::kernel: run_kernel(plan_.kernels[index]); break;
      }
    }
    return output_memory_;
  }

  /// Elements of the workspace, and the most that must be there at once. Asked after run().
  std::size_t workspace_size() const { return workspace_.size(); }
  std::size_t most_alive() const {
    std::size_t most = 0;
    for (int step = 0; step < plan_.steps.size(); ++step) {
      std::vector<std::size_t> sizes(static_cast<std::size_t>(plan_.temporaries));
      for (const auto& b : plan_.buffers)
        if (is_temporary(b) && lives(b, step))
          sizes[static_cast<std::size_t>(b.port)] = static_cast<std::size_t>(extent(b.size));
      most = std::max(most, std::accumulate(sizes.begin(), sizes.end(), std::size_t{}));
    }
    return most;
  }

 private:
  using memory = std::vector<double>;
  using positions = interpretation::positions;
  static constexpr double unwritten = 1e77;    // what memory contains that nobody has written
  static constexpr std::int64_t flat_row = 7;  // columns in a row of a kernel that may cut them

  const plan& plan_;
  const std::vector<dense>& inputs_;
  std::vector<memory> input_memory_, output_memory_;
  memory workspace_;
  std::vector<std::size_t> begin_;  // of the temporaries

  // ---- memory -------------------------------------------------------------------------------

  std::int64_t extent(std::int64_t code) const {
    return plan_.extents.evaluate(code, [&](std::int64_t argument, std::int64_t axis) {
      return inputs_[static_cast<std::size_t>(argument)].extents[static_cast<std::size_t>(axis)];
    });
  }
  positions numbers(const shape& codes) const {
    positions out;
    for (auto code : codes) out.push_back(extent(code));
    return out;
  }
  const buffer& buffer_of(int b) const { return plan_.buffers[static_cast<std::size_t>(b)]; }

  void allocate() {
    for (const auto& x : inputs_) input_memory_.push_back(x.values);
    output_memory_.resize(static_cast<std::size_t>(plan_.outputs));
    begin_.resize(static_cast<std::size_t>(plan_.temporaries));
    packing<512> workspace;
    constexpr std::size_t scale = 1 << 16;  // as if they were large: small ones do not share memory
    if (plan_.temporaries > 512) throw plan_fault("more buffers than the test has room for");
    for (int i = 0; i < plan_.buffers.size(); ++i) {
      const auto& b = plan_.buffers[i];
      const auto size = static_cast<std::size_t>(extent(b.size));
      if (b.where == storage::output)
        output_memory_[static_cast<std::size_t>(b.port)].assign(size, unwritten);
      if (is_temporary(b)) workspace.set(b.port, scale * size, b.first_step, b.last_step);
    }
    workspace_.resize(workspace.place(begin_.data(), plan_.temporaries) / scale, unwritten);
    for (auto& b : begin_) b /= scale;
  }
  static bool is_temporary(const buffer& b) { return b.where == storage::workspace && b.port >= 0; }
  static bool lives(const buffer& b, int step) {
    return b.first_step <= step && step <= b.last_step;
  }
  /// Buffers of the workspace share memory: what begins to live is not written, whatever was there. (Unless the step
  /// reads it once more, and replaces it.)
  void spoil_new_buffers(int step) {
    const auto is_read = [&](int port) {
      return std::any_of(plan_.buffers.begin(), plan_.buffers.end(), [&](const buffer& b) {
        return is_temporary(b) && b.port == port && b.first_step < step && lives(b, step);
      });
    };
    for (const auto& b : plan_.buffers)
      if (is_temporary(b) && b.first_step == step && !is_read(b.port))
        std::fill_n(&workspace_[begin_[static_cast<std::size_t>(b.port)]], extent(b.size),
                    unwritten);
  }

  double& element(int b, std::int64_t i) {
    const auto& own = buffer_of(b);
    const auto size = extent(own.size);
    if (i < 0 || i >= size)
      throw plan_fault("element " + std::to_string(i) + " of buffer " + std::to_string(b) +
                       ", which has " + std::to_string(size));
    if (own.where == storage::workspace)
      return workspace_.at(begin_[static_cast<std::size_t>(own.port)] +
                           static_cast<std::size_t>(i));
    auto& all = own.where == storage::input ? input_memory_ : output_memory_;
    return all.at(static_cast<std::size_t>(own.port)).at(static_cast<std::size_t>(i));
  }

  // ---- fills and products -------------------------------------------------------------------

  static double number_of(std::int64_t bits, dtype type) {
    if (is_floating(type)) return std::bit_cast<double>(bits);
    return type == dtype::bool_ ? static_cast<double>(bits != 0) : static_cast<double>(bits);
  }

  void fill(const fill_plan& f) {
    const auto& b = buffer_of(f.buffer);
    for (std::int64_t i = 0; i < extent(b.size); ++i)
      element(f.buffer, i) = number_of(f.bits, b.type);
  }

  void multiply(const matmul_plan& m) {
    const auto batch = numbers(m.batch), a_batch = numbers(m.a_batch), b_batch = numbers(m.b_batch),
               c_batch = numbers(m.c_batch);
    for (std::int64_t which = 0; which < interpretation::count_of(batch); ++which) {
      std::int64_t a = extent(m.a_offset), b = extent(m.b_offset), c = extent(m.c_offset);
      std::int64_t rest = which;
      for (std::size_t axis = batch.size(); axis-- > 0; rest /= batch[axis]) {
        const auto i = rest % batch[axis];
        a += i * a_batch[axis], b += i * b_batch[axis], c += i * c_batch[axis];
      }
      multiply_one(m, a, b, c);
    }
  }
  void multiply_one(const matmul_plan& m, std::int64_t a, std::int64_t b, std::int64_t c) {
    const auto inner = extent(m.inner), a_row = extent(m.a_row), a_inner = extent(m.a_inner),
               b_inner = extent(m.b_inner), b_column = extent(m.b_column), c_row = extent(m.c_row);
    for (std::int64_t row = 0; row < extent(m.rows); ++row)
      for (std::int64_t column = 0; column < extent(m.columns); ++column) {
        double sum = 0;
        for (std::int64_t k = 0; k < inner; ++k)
          sum += element(m.a, a + row * a_row + k * a_inner) *
                 element(m.b, b + k * b_inner + column * b_column);
        double& result = element(m.c, c + row * c_row + column);
        result = m.accumulates ? result + sum : sum;
        if (adds_bias(m.after)) result += element(m.bias, extent(m.bias_offset) + column);
        if (takes_gelu(m.after)) result = math::tanh_gelu(result);
      }
  }

  // ---- kernels ------------------------------------------------------------------------------

  using register_name = std::pair<dtype, int>;
  using registers = std::map<register_name, double>;

  /// Where the walk over the rows of a kernel is.
  struct walk {
    const kernel_plan& kernel;
    std::vector<std::int64_t> at;     // element of each access where the row begins
    std::vector<std::int64_t> inner;  // its stride along the row
    positions index;                  // along the outer axes
    std::int64_t first_column = 0, columns = 1;
    registers uniform{}, lane{}, sums{};  // one value a row, of this column, of this sweep
    std::map<int, memory> row_buffers{};
    std::int64_t column = -1;  // -1: a statement that runs once a row

    bool sweeping() const { return column >= 0; }
    /// Is it the first index along all axes of a mask?
    bool first_of(int mask) const {
      for (std::size_t axis = 0; axis < index.size(); ++axis)
        if ((mask >> axis & 1) != 0 && index[axis] != 0) return false;
      return true;
    }
    std::int64_t place(int access) const {
      const auto i = static_cast<std::size_t>(access);
      return at[i] + (sweeping() ? column * inner[i] : 0);
    }
    /// What is not said to be strided is read and written a register at once, unless lanes are rows.
    void lies_in_rows(const slot& access) const {
      if (kernel.bundled != bundling::always && sweeping() && columns > 1 &&
          inner[static_cast<std::size_t>(access.index)] != 1)
        throw plan_fault("elements that are not beside each other are taken as if they were");
    }
    double get(const slot& s) const {
      const auto& all = s.uniform ? uniform : lane;
      const auto found = all.find({s.type, s.index});
      if (found == all.end()) throw plan_fault("a register is read that nobody has written");
      return found->second;
    }
    void set(const slot& s, double x) { (s.uniform ? uniform : lane)[{s.type, s.index}] = x; }
    double constant(const slot& s, dtype type) const {
      return number_of(kernel.constants[static_cast<std::size_t>(s.index)], type);
    }
  };

  void run_kernel(const kernel_plan& k) {
    const auto extents = numbers(k.extents);
    const auto columns = extent(k.columns);
    positions begin, inner;
    std::vector<positions> strides;
    for (const auto& a : k.accesses) {
      begin.push_back(extent(a.offset)), inner.push_back(extent(a.inner));
      strides.push_back(numbers(a.strides));
    }
    walk w{k, begin, inner, positions(extents.size(), 0)};
    w.columns = columns;
    run_once(w, k.phases[0]);
    const auto rows =
        k.flat ? (columns + flat_row - 1) / flat_row : interpretation::count_of(extents);
    for (std::int64_t row = 0; row < rows; ++row) {
      w.at = begin;
      if (k.flat) {
        w.first_column = row * flat_row;
        w.columns = std::min(flat_row, columns - w.first_column);
        for (std::size_t a = 0; a < begin.size(); ++a) w.at[a] += w.first_column * inner[a];
      }
      std::int64_t rest = row;
      for (std::size_t axis = k.flat ? 0 : extents.size(); axis-- > 0; rest /= extents[axis]) {
        w.index[axis] = rest % extents[axis];
        for (std::size_t a = 0; a < begin.size(); ++a) w.at[a] += w.index[axis] * strides[a][axis];
      }
      w.row_buffers.clear();
      for (int i = 1; i < k.phases.size(); ++i)
        if (k.phases[i].sweep) run_sweep(w, k.phases[i]);
        else run_once(w, k.phases[i]);
    }
  }
  void run_once(walk& w, const kernel_phase& phase) {
    w.column = -1;
    w.lane.clear();
    for (const auto& s : phase.statements) execute(w, s);
  }
  void run_sweep(walk& w, const kernel_phase& phase) {
    w.sums.clear();
    for (const auto& s : phase.statements)
      if (s.fields.what == action::reduce)
        w.sums[{s.fields.dst.type, s.fields.dst.index}] =
            neutral_of(sum_field::from(s.fields.c.index).how);
    for (w.column = 0; w.column < w.columns; ++w.column) {
      w.lane.clear();
      for (const auto& s : phase.statements) execute(w, s);
    }
    for (const auto& [name, sum] : w.sums) w.uniform[name] = sum;
  }

  static double neutral_of(combiner how) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (how) {
      case combiner::sum:     return 0;
      case combiner::product: return 1;
      case combiner::maximum: return -infinity;
      case combiner::minimum: return infinity;
    }
    return 0;
  }
  static double combined(combiner how, double a, double b) {
    if (how == combiner::sum) return a + b;
    if (how == combiner::product) return a * b;
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
    return how == combiner::maximum ? std::max(a, b) : std::min(a, b);
  }
  static double stored_as(double x, dtype type) {
    if (is_integer(type) && !std::isfinite(x)) return 0;
    return interpretation::as_element(is_integer(type) ? std::trunc(x) : x, type, false);
  }
  /// How far an index moves an access; one that is out of range is taken for the first.
  std::int64_t moved(const access& a, double index) const {
    const auto size = extent(a.index_extent);
    auto i = static_cast<std::int64_t>(index);
    if (i < 0) i += size;
    return i < 0 || i >= size ? 0 : i * extent(a.index_stride);
  }

  void execute(walk& w, const kernel_statement& s) {
    const auto& f = s.fields;
    const auto access_of = [&](const slot& x) -> const access& {
      return w.kernel.accesses[static_cast<std::size_t>(x.index)];
    };
    const auto target = [&]() -> double& {
      return element(access_of(f.b).buffer, w.place(f.b.index));
    };
    switch (f.what) {
      case action::apply: {
        if (s.op->evaluate == nullptr)
          throw plan_fault(join("no operator of single elements: ", s.op->name).str());
        double operands[3] = {};
        const slot* slots[3] = {&f.a, &f.b, &f.c};
        for (int i = 0; i < s.op->arity; ++i) operands[i] = w.get(*slots[i]);
        const double x = s.op->evaluate(operands, f.a.type);
        w.set(f.dst,
              f.dst.type == dtype::bool_ ? static_cast<double>(x != 0) : stored_as(x, f.dst.type));
        break;
      }
      case action::convert:  w.set(f.dst, stored_as(w.get(f.a), f.b.type)); break;
      case action::constant: w.set(f.dst, w.constant(f.a, f.dst.type)); break;
      case action::extent:
        w.set(f.dst, static_cast<double>(extent(first_unknown - f.a.index)));
        break;
      case action::position: {
        const auto i = f.c.index == inner_axis
                           ? w.first_column + std::max<std::int64_t>(w.column, 0)
                           : w.index.at(static_cast<std::size_t>(f.c.index));
        w.set(f.dst,
              w.constant(f.a, f.dst.type) + w.constant(f.b, f.dst.type) * static_cast<double>(i));
        break;
      }
      case action::load:
        if (!f.flag) w.lies_in_rows(f.a);
        w.set(f.dst, element(access_of(f.a).buffer, w.place(f.a.index)));
        break;
      case action::gather:
        w.set(f.dst, element(access_of(f.a).buffer,
                             w.place(f.a.index) + moved(access_of(f.a), w.get(f.b))));
        break;
      case action::store:
        if (!f.flag) w.lies_in_rows(f.b);
        if (w.first_of(f.c.index)) target() = w.get(f.a);
        break;
      case action::accumulate:
        w.lies_in_rows(f.b);
        if (!w.first_of(f.c.index)) break;
        if (f.flag) target() += w.get(f.a) * w.get(f.dst);
        else target() = combined(static_cast<combiner>(f.dst.index), target(), w.get(f.a));
        break;
      case action::scatter: {
        if (!w.sweeping() && !w.first_of(f.c.index)) break;
        const double index = w.get(w.sweeping() ? f.c : f.dst);
        element(access_of(f.b).buffer, w.place(f.b.index) + moved(access_of(f.b), index)) +=
            w.get(f.a);
        break;
      }
      case action::reduce: {
        double& sum = w.sums.at({f.dst.type, f.dst.index});
        if (f.flag) sum += w.get(f.a) * w.get(f.b);
        else sum = combined(sum_field::from(f.c.index).how, sum, w.get(f.a));
        break;
      }
      case action::keep: {
        auto& row = w.row_buffers[f.b.index];
        row.resize(static_cast<std::size_t>(w.columns), unwritten);
        row[static_cast<std::size_t>(w.column)] = w.get(f.a);
        break;
      }
      case action::recall:
        w.set(f.dst, w.row_buffers.at(f.a.index).at(static_cast<std::size_t>(w.column)));
        break;
    }
  }
};

}  // namespace primal::test
