// testing: the laws of operators as a library, for the operators of the library and of its users.
//
//     const auto report = primal::check_laws(mish, sinc);
//     for (const auto& f : report.failures) std::cerr << f.text() << '\n';
#pragma once

#include <primal/testing/laws.hpp>
#include <primal/testing/library_examples.hpp>

#include <boost/hana/for_each.hpp>

namespace primal {

/// What came of trying laws.
struct law_report {
  int operators = 0, examples = 0;
  std::vector<testing::failure> failures;
  std::vector<std::string> untried;  // operators that took none of the examples

  explicit operator bool() const { return failures.empty() && untried.empty(); }
};

namespace testing {

/// Tries the laws of one operator on the examples that it takes, and reports each that is broken.
template <class OnFailure>
void check_operator(const op_info& op, const std::vector<example>& examples, law_report& report,
                    const OnFailure& on_failure) {
  int tried = 0;
  for (const auto& e : examples)
    tried += trial(op, e).run([&](failure f) {
      on_failure(f);
      report.failures.push_back(std::move(f));
    });
  ++report.operators;
  report.examples += tried;
  if (tried == 0) report.untried.emplace_back(op.name);
}

/// Does it compute something from operands? Sources do not.
template <class Op> inline constexpr bool has_operands = signature_of<Op>::total > 0;

}  // namespace testing

/// Tries the laws of operators: `pm::check_laws(mish, sinc)`. Which inputs are tried: testing::examples_of<Op>.
template <class... Op> law_report check_laws(const op<Op>&...) {
  law_report report;
  (testing::check_operator(info_of<Op>, testing::examples_of<Op>::list(), report,
                           [](const testing::failure&) {}),
   ...);
  return report;
}

/// The same for a catalogue, `pm::check_laws(pm::extend(pm::catalogue, mish))`; `on_failure(failure)` is called
/// at once.
template <class Catalogue, class OnFailure>
  requires boost::hana::Foldable<Catalogue>::value
law_report check_laws(const Catalogue& operators, const OnFailure& on_failure) {
  law_report report;
  const auto more = testing::library_examples();
  boost::hana::for_each(operators, [&](auto type) {
    using op_type = typename decltype(type)::type;
    if constexpr (testing::has_operands<op_type>) {
      auto examples = testing::examples_of<op_type>::list();
      if (const auto own = more.find(std::string(op_type::name)); own != more.end())
        examples.insert(examples.end(), own->second.begin(), own->second.end());
      testing::check_operator(info_of<op_type>, examples, report, on_failure);
    }
  });
  return report;
}
template <class Catalogue>
  requires boost::hana::Foldable<Catalogue>::value
law_report check_laws(const Catalogue& operators) {
  return check_laws(operators, [](const testing::failure&) {});
}

}  // namespace primal
