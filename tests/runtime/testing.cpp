// The laws find what is wrong with an operator of a user.
#include <primal/testing.hpp>
#include <support/catch.hpp>

#include <set>

namespace primal::test {

/// x * tanh(softplus(x)).
struct mish_op : composite<mish_op> {
  static constexpr op_name name{"mish"};
  static constexpr tensor decompose(tensor x) { return x * tanh(softplus(x)); }
};

/// x^2 + 1, as one primitive, with a rule.
struct raised_square_op : elementwise<raised_square_op> {
  static constexpr op_name name{"raised_square"};
  template <class T> static constexpr T apply(T x) { return x * x + T(1); }
  static constexpr tensor vjp(saved s, tensor dy) { return dy * s.input() * 2; }
};

struct wrong_slope_op : elementwise<wrong_slope_op> {
  static constexpr op_name name{"wrong_slope"};
  template <class T> static constexpr T apply(T x) { return x * x * x; }
  static constexpr tensor vjp(saved s, tensor dy) { return dy * square(s.input()) * 3.001; }
};

/// Its rule is right, but what the rule is made of is cut off from the derivative of the rule.
struct wrong_second_slope_op : composite<wrong_second_slope_op> {
  static constexpr op_name name{"wrong_second_slope"};
  static constexpr tensor decompose(tensor x) { return x * x * x; }
  static constexpr tensor vjp(saved s, tensor dy) {
    return dy * stop_gradient(3 * square(s.input()));
  }
};

struct not_linear_op : composite<not_linear_op> {
  static constexpr op_name name{"not_linear"};
  static constexpr tensor decompose(tensor x) { return x * 2; }
  static constexpr tensor vjp(saved, tensor dy) { return dy * 2 + square(dy) * 1e-6; }
};

/// Says float32 for every input.
struct wrong_type_op : composite<wrong_type_op> {
  static constexpr op_name name{"wrong_type"};
  static constexpr tensor_type infer(tensor x) { return {x.type().dims, dtype::float32}; }
  static constexpr tensor decompose(tensor x) { return exp(x); }
};

/// Takes the extents of the moment for granted.
struct wrong_for_unknown_op : composite<wrong_for_unknown_op> {
  static constexpr op_name name{"wrong_for_unknown"};
  static constexpr tensor decompose(tensor x) {
    return x.rank() > 0 && x.extent(0).known() ? x * 2 : x * 3;
  }
};

struct no_such_input_op : composite<no_such_input_op> {
  static constexpr op_name name{"no_such_input"};
  static constexpr tensor decompose(tensor x) { return reshape(x, {17, 19}); }
};

inline constexpr op<mish_op> mish{};
inline constexpr op<raised_square_op> raised_square{};

namespace {

template <class Op> std::set<std::string> broken(const op<Op>& f) {
  std::set<std::string> laws;
  for (const auto& failure : check_laws(f).failures) laws.insert(failure.law);
  return laws;
}

}  // namespace

TEST_CASE("an operator that is right obeys all laws") {
  const auto report = check_laws(mish, raised_square);
  for (const auto& f : report.failures) FAIL_CHECK(f.text());
  CHECK(report);
  CHECK(report.operators == 2);
  CHECK(report.examples == 10);
}

TEST_CASE("the laws name what is wrong") {
  CHECK(broken(op<wrong_slope_op>{}).count("gradients equal differences") == 1);
  CHECK(broken(op<wrong_second_slope_op>{}) ==
        std::set<std::string>{"second derivatives equal differences"});
  CHECK(broken(op<not_linear_op>{}).count("gradients are linear in the cotangent") == 1);
  CHECK(broken(op<wrong_type_op>{}).size() > 0);
  CHECK(broken(op<wrong_for_unknown_op>{}).count("unknown extents change nothing") == 1);
}

TEST_CASE("an operator that takes none of the examples is named") {
  const auto report = check_laws(op<no_such_input_op>{});
  CHECK_FALSE(report);
  CHECK(report.untried == std::vector<std::string>{"no_such_input"});
}

TEST_CASE("a catalogue can be extended with operators of one's own") {
  constexpr auto mine = extend(boost::hana::tuple_t<tanh_op>, mish, op<wrong_slope_op>{});
  int calls = 0;
  const auto report = check_laws(mine, [&](const testing::failure& f) {
    CHECK(f.op == "wrong_slope");
    ++calls;
  });
  CHECK(calls > 0);
  CHECK(report.operators == 3);
}

}  // namespace primal::test
