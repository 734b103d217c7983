// The plans of random programs, executed in double, give what the interpreter gives.
// test: sanitize-long
#include <primal/expr/print.hpp>
#include <primal/plan/kinds.hpp>
#include <primal/plan/lower.hpp>
#include <primal/plan/prepare.hpp>
#include <primal/plan/print.hpp>
#include <primal/transform/simplify.hpp>

#include <support/catch.hpp>
#include <support/difference.hpp>
#include <support/plan_simulator.hpp>
#include <support/random_programs.hpp>

using namespace primal;
using namespace primal::test;

namespace {

// ---- programs -------------------------------------------------------------------------------

outcome executed(const random_program& random) {
  outcome out;
  const auto& inputs = random.inputs;
  const auto expected = elements_of(interpret(random.recorded, inputs));
  const program ready = simplify(prepared(decompose(random.recorded)));
  out.text = to_text(ready).str();
  compare(elements_of(interpret(ready, inputs)), expected, ready, inputs, out);
  if (!out.wrong.empty()) {
    out.wrong = "simplified: " + out.wrong;
    return out;
  }
  try {
    const plan p = make_plan(ready);
    const sequence<const char*> names(p.inputs, "x");
    out.text += to_text(p, names).str();
    plan_simulator call(p, inputs);
    compare(call.run(), expected, ready, inputs, out);
    if (const plan folded = make_plan(ready, true); folded.kernels.size() < p.kernels.size())
      compare(plan_simulator(folded, inputs).run(), expected, ready, inputs, out);
    if (call.most_alive() > 0)
      out.memory =
          static_cast<double>(call.workspace_size()) / static_cast<double>(call.most_alive());
  } catch (const std::exception& e) {
    out.wrong = e.what();
  }
  return out;
}

/// The shortest beginning of a wrong program that is wrong.
std::string description(std::uint64_t seed, program_size size) {
  for (int steps = 1;; ++steps)
    if (const auto out = executed(make_random_program(seed, size, steps)); !out.wrong.empty())
      return "seed " + std::to_string(seed) + ", " + std::to_string(steps) +
             " steps: " + out.wrong + "\n" + out.text;
}

void check_programs(std::uint64_t first, std::uint64_t last, program_size size) {
  std::string wrong_seeds, first_wrong;
  std::uint64_t excused = 0, wasteful = 0;
  double most_memory = 1;
  for (auto seed = first; seed <= last; ++seed) {
    INFO("seed " << seed);
    const auto out = executed(make_random_program(seed, size));
    excused += out.excused;
    wasteful += out.memory > 1.1;
    most_memory = std::max(most_memory, out.memory);
    if (out.wrong.empty()) continue;
    if (wrong_seeds.empty()) first_wrong = description(seed, size);
    wrong_seeds += " " + std::to_string(seed);
  }
  INFO(first_wrong);
  INFO("wrong:" << wrong_seeds);
  CHECK(wrong_seeds.empty());
  INFO("programs with exceptions: " << excused);  // many would hide what is wrong
  CHECK(excused * 500 <= last - first + 1);
  // What lives at once is a bound that not every order of sizes can reach.
  INFO("programs with more than 1.1 of the memory that lives at once: " << wasteful);
  CHECK(wasteful * 50 <= last - first + 1);
  CHECK(most_memory <= 1.5);
}

}  // namespace

TEST_CASE("plans of small random programs give what the interpreter gives") {
  check_programs(1, 2000, program_size::small);
}

TEST_CASE("plans of large random programs give what the interpreter gives") {
  check_programs(1, 500, program_size::large);
}

TEST_CASE("plans of long elementwise programs give what the interpreter gives") {
  check_programs(1, 200, program_size::deep);
}

TEST_CASE("plans of programs that take values apart give what the interpreter gives") {
  check_programs(1, 1000, program_size::parts);
}

TEST_CASE("plans of loops give what the interpreter gives") {
  check_programs(1, 300, program_size::loops);
}

TEST_CASE("rows that are not dense are added up, where they depend on each other as well") {
  check_programs(116360, 116360, program_size::parts);
  for (std::uint64_t seed : {103191, 103497}) check_programs(seed, seed, program_size::large);
  check_programs(100667, 100667, program_size::deep);
}

TEST_CASE("sums that are repeated along different axes do not become one") {
  check_programs(15454, 15454, program_size::loops);
}

TEST_CASE("a factor as narrow as a condition stays outside of their difference") {
  check_programs(201640, 201640, program_size::small);
}

TEST_CASE("what is compared has the same bits wherever it is calculated") {
  check_programs(235736, 235736, program_size::parts);
}

TEST_CASE("plans of many more random programs give what the interpreter gives", "[.long]") {
  check_programs(2001, 42000, program_size::small);
  check_programs(501, 10500, program_size::large);
  check_programs(201, 3200, program_size::deep);
  check_programs(1001, 21000, program_size::parts);
  check_programs(301, 6000, program_size::loops);
}
