// Every primitive, and rows of every floating-point type, on the lanes of a CUDA block.
// test: sanitize-long
#include <support/lanes.hpp>
#include <support/primitives.hpp>

namespace pm = primal;
using namespace primal::test;

namespace {

/// Rows in memory of 16-bit floats, which are calculated in float32.
template <class T> xt::xtensor<T, 2> rows(std::size_t n, std::size_t m, unsigned seed) {
  const auto exact = sample<float, 2>({n, m}, seed);
  auto x = xt::xtensor<T, 2>::from_shape({n, m});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(exact.data()[i]);
  return x;
}

}  // namespace

TEST_CASE("every primitive of single elements on lanes") {
  const auto x = sample<float, 2>({3, 37}, 1, 0.1, 0.9);
  agrees_on_warps(all_primitives, 1e-5, x);
  agrees(all_primitives, 1e-5, sample<double, 2>({3, 37}, 2, 0.1, 0.9));
}

TEST_CASE("bits of truth values on lanes") {
  agrees(
      [](auto x) {
        auto p = x > 0.5, q = x > 0.3;
        return std::tuple(~p, p & q, p | q, p ^ q, ~(x < 0));
      },
      0, sample<float, 2>({3, 37}, 5, -1, 1));
}

TEMPLATE_TEST_CASE("rows of 16-bit floats on lanes", "", pm::float16, pm::bfloat16) {
  const double bound = std::is_same_v<TestType, pm::float16> ? 2e-3 : 2e-2;
  for (std::size_t n : {1u, 16u, 33u, 200u, 768u}) {
    CAPTURE(n);
    const auto x = rows<TestType>(5, n, 3), dy = rows<TestType>(5, n, 4);
    agrees_on_warps([](auto p) { return std::tuple(pm::softmax(p), pm::gelu(p) + p); }, bound, x);
    agrees(
        [](auto p, auto ct) { return pm::vjp<0>([](auto s) { return pm::rms_norm(s); })(p, ct); },
        bound, x, dy);
    agrees([](auto p) { return pm::sum(pm::cast<float>(p), {.axes = {0}}); }, bound, x);
  }
}
