// What pm::explain says: the program in every form, and what its plan moves and calculates.
#include <primal/primal.hpp>
#include <primal/runtime/emulated.hpp>
#include <support/catch.hpp>

#include <sstream>

namespace pm = primal;

namespace {

using matrix = pm::array<float, 64, 768>;
using any_matrix = pm::array<float, pm::dyn, 768>;

constexpr auto gelu = [](auto x) { return pm::gelu(x); };
constexpr auto loss = [](auto x, auto w) { return pm::sum(pm::gelu(pm::matmul(x, w))); };

bool contains(const std::string& t, const std::string& part) {
  return t.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a program is shown as recorded, decomposed, simplified and planned") {
  std::ostringstream out;
  out << pm::explain(pm::compile<matrix>(gelu));
  const std::string t = out.str();
  CHECK(t.find("== program\n") == 0);
  CHECK(contains(t, "= gelu(%0)"));
  CHECK(t.find("== program\n") < t.find("== decomposed\n"));
  CHECK(t.find("== decomposed\n") < t.find("== simplified\n"));
  CHECK(t.find("== simplified\n") < t.find("== plan\n"));
}

TEST_CASE("a gradient is shown beside the model that it was made from") {
  const auto t =
      pm::explain(pm::compile<matrix, pm::array<float, 768, 10>>(pm::value_and_grad<1>(loss)))
          .str();
  CHECK(t.find("== model\n") == 0);
  CHECK(contains(t, "== with its gradient\n"));
  CHECK(contains(t, "2 matrix products"));
  CHECK(contains(t, "f32 64 x 768 by 768 x 10: 229888 bytes, 983040 flops"));
}

TEST_CASE("bytes and flops are numbers for known extents and formulas for others") {
  CHECK(contains(pm::explain(pm::compile<matrix>(gelu)).str(), "393216 bytes, 49152 flops"));
  CHECK(contains(pm::explain(pm::compile<any_matrix>(gelu)).str(), "6144*n0 bytes, 768*n0 flops"));
}

TEST_CASE("arrays of a plan have the names of the arguments") {
  const auto t = pm::explain(pm::compile<matrix>(gelu)).str();
  CHECK(contains(t, "a0 reads argument 0, f32"));
  CHECK(contains(t, "a1 writes result 0, f32"));
}

TEST_CASE("the plan is that of the back end, whose products may end with a bias and gelu") {
  constexpr auto layer = [](auto x, auto w, auto b) {
    return pm::gelu(pm::matmul(x, w) + b, {.approximate = pm::approximation::tanh});
  };
  using weights = pm::array<float, 768, 10>;
  using bias = pm::array<float, 10>;
  constexpr auto here = pm::compile<matrix, weights, bias>(layer);
  constexpr auto on_device = pm::compile<matrix, weights, bias>(layer, pm::emulated<32, 4>{});
  static_assert(pm::plan_summary(here).kernels == 1 && pm::plan_summary(on_device).kernels == 0);
  CHECK(contains(pm::explain(here).str(), "1 kernel, 1 matrix product"));
  CHECK(contains(pm::explain(on_device).str(),
                 "product result 0 = gelu(argument 0 * argument 1 + argument 2), f32"));
}
