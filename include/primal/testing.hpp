// testing: the laws of operators as a library, for the operators of the library and of its users.
//
//     for (const auto& f : primal::check_laws(primal::extend(primal::catalogue, my_op)).failures)
//       std::cerr << f.text() << '\n';
#pragma once

#include <primal/testing/laws.hpp>

#include <boost/hana/append.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/tuple.hpp>

namespace primal {

/// What came of trying laws.
struct law_report {
  int operators = 0, examples = 0;
  std::vector<testing::failure> failures;
  std::vector<std::string> untried;  // operators that took none of the examples

  explicit operator bool() const { return failures.empty(); }
};

namespace testing {

/// Tries the laws of one operator on the examples that it takes.
template <class Op, class OnFailure>
void check_operator(const std::vector<example>& examples, law_report& report, const OnFailure& on_failure) {
  int tried = 0;
  for (const auto& e : examples)
    tried += trial(info_of<Op>, e).run([&](failure f) {
      on_failure(f);
      report.failures.push_back(std::move(f));
    });
  ++report.operators;
  report.examples += tried;
  if (tried == 0) report.untried.emplace_back(Op::name);
}

template <class Op>
constexpr std::type_identity<Op> type_of_operator(const op<Op>&) {
  return {};
}

}  // namespace testing

/// Tries the laws of operators, `pm::check_laws(mish, sinc)`, and calls `on_failure(failure)` for each that
/// is broken. Which inputs are tried: testing::examples_of<Op>.
template <class OnFailure, class... Op>
law_report check_laws_with(const OnFailure& on_failure, const op<Op>&...) {
  law_report report;
  (testing::check_operator<Op>(testing::examples_of<Op>::list(), report, on_failure), ...);
  return report;
}
template <class... Op>
law_report check_laws(const op<Op>&... operators) {
  return check_laws_with([](const testing::failure&) {}, operators...);
}

}  // namespace primal
