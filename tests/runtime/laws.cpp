// The laws hold for every operator of the library.
// test: sanitize
#include <primal/testing.hpp>
#include <support/catch.hpp>

namespace primal::test {

TEST_CASE("every operator obeys the laws") {
  const auto report =
      check_laws(catalogue, [](const testing::failure& f) { FAIL_CHECK(f.text()); });
  for (const auto& name : report.untried) FAIL_CHECK(name << " was tried on nothing");
  CHECK(report);
  CHECK(report.operators > 90);
  CHECK(report.examples > 800);
}

}  // namespace primal::test
