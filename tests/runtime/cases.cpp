// Inputs that broke other libraries.
#include <support/cases.hpp>

namespace primal::test {

TEST_CASE("what broke other libraries is right here") {
  check_file("cases", {"atan2", "cumprod", "erfc", "sum/f32_twenty_million"});
}

}  // namespace primal::test
