// Sums over rows, over columns and over everything.
#include "rows.hpp"

namespace bench::on_cuda {

namespace {

constexpr auto over_rows = [](auto x) { return pm::sum(x, {.axes = {1}}); };
constexpr auto over_columns = [](auto x) { return pm::sum(x, {.axes = {0}}); };
constexpr auto over_all = [](auto x) { return pm::sum(x); };

[[maybe_unused]] const bool registered = [] {
  const std::vector<std::int64_t> lengths{256, 4096, 65536};
  work<row(matrix)>("sum_rows", [](std::int64_t n, std::int64_t length) -> shapes {
    return {{n}, {{n, length}}};
  }).forward(over_rows, lengths, elements);
  work<row(matrix)>("sum_columns", [](std::int64_t n, std::int64_t length) -> shapes {
    return {{length}, {{n, length}}};
  }).forward(over_columns, lengths, elements);
  work<number(row)>("sum", [](std::int64_t n, std::int64_t length) -> shapes {
    return {{}, {{n * length}}};
  }).forward(over_all, {elements}, elements);
  return true;
}();

}  // namespace

}  // namespace bench::on_cuda
