// Every operator against the exact values and gradients of tests/data, with extents known and unknown.
#include <support/cases.hpp>

namespace primal::test {

TEST_CASE("functions of one element have the exact values") { check_file("unary"); }
TEST_CASE("functions of two and three elements have the exact values") { check_file("binary"); }
TEST_CASE("casts convert as C++ does, and round to the nearest") { check_file("cast"); }
TEST_CASE("reductions have the exact values") { check_file("reductions"); }
TEST_CASE("movements put every element in its place") { check_file("movement", {"index_add"}); }
TEST_CASE("matrix products have the exact values") { check_file("contraction"); }
TEST_CASE("softmax and the norms have the exact values") { check_file("normalization"); }
TEST_CASE("losses and optimizers have the exact values") { check_file("losses"); }

}  // namespace primal::test
