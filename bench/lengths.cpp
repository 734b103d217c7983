// Short, odd and long rows: the same three operators on some 4 million elements, cut into rows of 8 to
// 50257, and in float64. Names end in `fixed` where the length of a row is known at compile time.
#include "models.hpp"
#include "work.hpp"

namespace {

namespace pm = primal;
namespace models = bench::models;

constexpr std::int64_t elements = 1 << 22;

template <class T, auto Length> void add(std::int64_t length, const std::string& variant) {
  using rows = pm::array<T, pm::dyn, Length>;
  using row = pm::array<T, Length>;
  using labels = pm::array<std::int32_t, pm::dyn>;
  const bench::shape whole{elements / length, length}, one{length};
  bench::work<rows(rows, row, row)>{"layer_norm", variant, whole, {whole, one, one}}.add(
      models::layer_norm);
  bench::work<rows(rows)>{"softmax", variant, whole, {whole}}.add(models::softmax);
  bench::work<pm::array<T>(rows, labels)>{"cross_entropy", variant, {}, {whole, {whole[0]}}}.add(
      models::cross_entropy);
}

[[maybe_unused]] const bool registered = [] {
  add<float, 8>(8, "fixed");
  add<float, 17>(17, "fixed");
  add<float, 64>(64, "fixed");
  add<float, 129>(129, "fixed");
  add<float, 1000>(1000, "fixed");
  add<double, 768>(768, "fixed");
  for (const std::int64_t length : {8, 17, 64, 129, 1000, 50257})
    add<float, pm::dyn>(length, "free");
  return true;
}();

}  // namespace
