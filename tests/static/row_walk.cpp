// How the blocks of a device walk rows: chosen by what a kernel needs, and by the length and the number of its rows.
// What a kernel is called.

#include <primal/primal.hpp>

#include <primal/kernel/kernel_name.hpp>
#include <primal/kernel/row_walk.hpp>

namespace pm = primal;

namespace {

using rows = pm::array<float, pm::dyn, pm::dyn>;
using row = pm::array<float, pm::dyn>;

template <class F, class... A>
using kernel_of = typename pm::plan_of<pm::recorded_model<F, A...>>::template kernel_type<0>::type;
template <class... A, class F>
constexpr auto needs(F, std::int64_t columns, std::int64_t count = pm::row_needs::many) {
  return pm::needs_of<kernel_of<F, A...>>(columns, count);
}

constexpr auto layer_norm = [](auto x, auto scale, auto bias) {
  return pm::layer_norm(x, scale, bias);
};
constexpr auto layer_norm_vjp = [](auto x, auto scale, auto bias, auto dy) {
  return pm::vjp<0, 1, 2>(layer_norm)(x, scale, bias, dy);
};
constexpr auto softmax = [](auto x) { return pm::softmax(x); };
constexpr auto softmax_vjp = [](auto x, auto dy) { return pm::vjp<0>(softmax)(x, dy); };
constexpr auto gelu = [](auto x) { return pm::gelu(x); };

// ---- what kernels need -----------------------------------------------------------------------------

// x in all sweeps; scale and bias are the same for all rows.
static_assert(needs<rows, row, row>(layer_norm, 100).held == 1);
static_assert(needs<rows, row, row>(layer_norm, 100).sums == 0);
// x and dy, and two sums of columns.
static_assert(needs<rows, row, row, rows>(layer_norm_vjp, 100).held == 2);
static_assert(needs<rows, row, row, rows>(layer_norm_vjp, 100).sums == 2 * 100 * 4);
// Exponentials, which the plan keeps, and what they are calculated from.
static_assert(needs<rows>(softmax, 100).planned == 1 && needs<rows>(softmax, 100).held == 2);
// One sweep reads everything once.
static_assert(needs<rows>(gelu, 100).held == 0);

using f64_rows = pm::array<double, pm::dyn, pm::dyn>;
using f16_rows = pm::array<pm::float16, pm::dyn, pm::dyn>;
static_assert(needs<f16_rows>(softmax, 100).lane_bytes == 4 &&
              needs<f64_rows>(softmax, 100).lane_bytes == 8);

// ---- where rows are held ---------------------------------------------------------------------------

constexpr pm::block_limits limits{};
constexpr auto again = pm::row_walk::again, shared = pm::row_walk::shared,
               registers = pm::row_walk::registers;
constexpr auto walk(const pm::row_needs& needed, int width = 4) {
  return pm::walk_for(needed, width, limits);
}

// Forward: shared memory, as long as a row fits.
static_assert(walk(needs<rows, row, row>(layer_norm, 256)) == shared);
static_assert(walk(needs<rows, row, row>(layer_norm, 8192)) == shared);
static_assert(walk(needs<rows, row, row>(layer_norm, 16384)) == shared);
static_assert(walk(needs<rows, row, row>(layer_norm, 65536)) == again);
static_assert(walk(needs<rows>(softmax, 8192)) == shared);
static_assert(walk(needs<rows>(softmax, 16384)) == again);
static_assert(walk(needs<rows>(gelu, 4096)) == again);

// With sums of columns, which are in shared memory: registers, as long as four pieces of each lane are a row.
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, 1024)) == registers);
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, 8192)) == registers);
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, 8193)) == again);
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, 1024), 1) == registers);
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, 4096), 1) == shared);
// Without sums: shared memory.
static_assert(walk(needs<rows, rows>(softmax_vjp, 1024)) == shared);

// What takes too many registers, or is wider than a lane's element, is not held there.
static_assert(walk({.columns = 1024, .held = 3, .sums = 4096}) == registers);
static_assert(walk({.columns = 1024, .held = 4, .sums = 4096}) == shared);
static_assert(walk({.columns = 1024, .held = 2, .sums = 4096, .in_memory = true}) == shared);
// What the plan keeps is in shared memory anyway.
static_assert(walk({.columns = 1024, .planned = 1, .held = 1}) == again);

// ---- several blocks a row ----------------------------------------------------------------------------

constexpr auto by_sweeps = pm::row_walk::by_sweeps;
constexpr std::int64_t long_row = 1 << 20;

// Long rows that are too few for a device, each its own block's.
static_assert(walk(needs<rows, row, row>(layer_norm, long_row, 1)) == by_sweeps);
static_assert(walk(needs<rows, row, row, rows>(layer_norm_vjp, long_row, 256)) == by_sweeps);
static_assert(walk(needs<rows, row, row>(layer_norm, long_row, 257)) == again);
static_assert(walk(needs<rows, row, row>(layer_norm, 16384, 1)) == by_sweeps);
static_assert(walk(needs<rows, row, row>(layer_norm, 16383, 1)) == shared);
// Without reductions blocks share columns in one launch.
static_assert(walk(needs<rows>(gelu, long_row, 1)) == again);

constexpr auto blocks(std::int64_t columns, std::int64_t count) {
  return pm::blocks_of_row(needs<rows>(softmax, columns, count), limits);
}
static_assert(blocks(65536, 1) == 16 && blocks(65536, 256) == 4 && blocks(65536, 2000) == 1);
static_assert(blocks(long_row, 1) == 128 && blocks(4095, 1) == 1 && blocks(long_row, 0) == 128);

// A launch for each sweep, and one for what is written after the last.
static_assert(pm::long_rows::of<kernel_of<decltype(softmax), rows>>::launches == 3);
constexpr auto log_sum = [](auto x) { return pm::log(pm::sum(pm::exp(x), {.axes = {1}})); };
static_assert(pm::long_rows::of<kernel_of<decltype(log_sum), rows>>::launches == 2);

// ---- parts of sums of columns ------------------------------------------------------------------------

// 32 Mi elements, and two sums for each column.
constexpr auto parts(std::int64_t columns, std::int64_t count) {
  return pm::parts_of_rows(count, count * columns, 2 * columns, 1, limits);
}
static_assert(parts(1024, 32768) == 1024 && parts(4096, 8192) == 256 && parts(8192, 4096) == 256);
static_assert(parts(65536, 512) == 64);                  // half an array
static_assert(parts(1024, 7) == 1 && parts(8, 1) == 1);  // nothing that pays
static_assert(pm::parts_of_rows(1 << 20, std::int64_t{1} << 30, 64, 512, limits) ==
              2);  // beside many others

// ---- lanes and rows of a block ---------------------------------------------------------------------

constexpr int lanes(std::int64_t columns, int width = 4) {
  return pm::lanes_for(columns, width, limits);
}
static_assert(lanes(1) == 32 && lanes(512) == 32 && lanes(513) == 64);
static_assert(lanes(1024) == 64 && lanes(4096) == 256 && lanes(5000) == 320);
static_assert(lanes(8192) == 512 && lanes(1 << 20) == 512 && lanes(1024, 1) == 256);

// Short rows take a warp each, eight in a block; long ones the whole block.
static_assert(pm::rows_of_block(32, 1000, 1024) == 8);
static_assert(pm::rows_of_block(32, 3, 1024) == 4);
static_assert(pm::rows_of_block(32, 1000, 10 * 1024) == 4);
static_assert(pm::rows_of_block(64, 1000, 1024) == 1);

// ---- names -----------------------------------------------------------------------------------------

template <class... A, class F> constexpr bool is_called(F, std::string_view name) {
  return pm::kernel_name(kernel_of<F, A...>{}).view() == name;
}
static_assert(is_called<rows>(softmax, "subtract, exp, reciprocal, multiply"));
static_assert(is_called<rows>([](auto x) { return pm::transpose(x); }, "moved elements"));
static_assert(is_called<rows>([](auto x) { return pm::exp(pm::exp(x)); }, "exp"));
static_assert(is_called<rows>(
    [](auto x) { return pm::sin(pm::log(pm::exp(pm::cos(pm::tanh(pm::sqrt(x)))))); },
    "sqrt, tanh, cos, exp, log, ..."));

}  // namespace
