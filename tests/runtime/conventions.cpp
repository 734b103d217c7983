// What holds at kinks, at 0/0, for NaN and for nothing: one test for each line of docs/conventions.md.
#include <primal/transform/grad.hpp>
#include <support/cases.hpp>

namespace primal::test {

namespace {

/// The cases of these names in a file; a name that ends in "/" means all that begin so.
void check(const std::string& file, std::initializer_list<std::string> names) {
  const auto all = load(data_file(file));
  for (const auto& name : names) {
    INFO(file << ".txt: " << name);
    int found = 0;
    for (const auto& c : all) {
      const bool named = name.back() == '/' ? c.name.rfind(name, 0) == 0 : c.name == name;
      if (!named) continue;
      ++found;
      REQUIRE(model_of(c));
      check_case(c);
    }
    CHECK(found > 0);
  }
}

/// Interprets a model of one array, with extents known and unknown.
template <class F> void for_each_mode(const std::vector<dense>& in, const F& model) {
  for (const auto mode : {testing::extents_are::known, testing::extents_are::unknown})
    interpret(testing::record(in, model, mode), in);
}

dense vector_of(std::vector<double> values, dtype d = dtype::float64) {
  const auto n = static_cast<std::int64_t>(values.size());
  return {{n}, std::move(values), d};
}

}  // namespace

TEST_CASE("the slopes of abs, relu, relu6 and hardtanh are 0 at their kinks") {
  check("conventions",
        {"abs/zero", "relu/zero", "relu6/bounds", "hardtanh/bounds", "hardswish/bounds"});
}

TEST_CASE("leaky_relu and elu have the slope of the left side at 0") {
  check("conventions", {"leaky_relu/zero", "elu/zero"});
}

TEST_CASE("maximum and minimum give half of the cotangent to each of two equal operands") {
  check("conventions", {"maximum/", "minimum/"});
}

TEST_CASE("max and min over axes share the cotangent between the n elements that are tied") {
  check("conventions", {"max/", "min/"});
}

TEST_CASE("clip passes the cotangent at its bounds") {
  check("conventions", {"clip/bounds", "clip/minimum_only"});
}

TEST_CASE(
    "sqrt has an infinite slope at 0, and the 2-norm at 0 and std of a constant the slope 0") {
  check("conventions",
        {"sqrt/zero", "rsqrt/zero", "norm/zero", "std/constant", "std/constant_all"});
}

TEST_CASE("pow has the slopes of its limits at a base or an exponent of 0") {
  check("conventions", {"pow/"});
  check("cases",
        {"pow/exponent_at_zero", "pow/zero_base_negative_exponent", "pow/constant_exponent"});
}

TEST_CASE("where selects the cotangent after the product, so that a dead branch never makes NaN") {
  check("conventions", {"where/"});
  check("cases", {"where/"});
}

TEST_CASE("what a dead branch uses twice, or broadcasts, makes no NaN either") {
  const std::vector<dense> in{vector_of({0, 2}), vector_of({1, 1})};
  const auto gradient = [](const tensors& x) {
    return testing::record_vjp(*x[0].owner, {x[0]}, {x[1]}, [](const tensors& a) -> tensors {
      const auto root = sqrt(a[0]);
      return {where(a[0] > 0, root * log(root), 0)};
    });
  };
  const auto slopes = interpret(testing::record(in, gradient), in)[0];
  CHECK(slopes[0] == 0);
  CHECK(slopes[1] == Approx((std::log(std::sqrt(2.)) + 1) / (2 * std::sqrt(2.))));
}

TEST_CASE("the slope of prod is the product of the others, also at zeros and in second order") {
  check("conventions", {"prod/"});
  check("cases", {"prod/"});
}

TEST_CASE("the slope of a long prod is right to the second order, with no, one and several zeros") {
  for (const int n : {1, 2, 31, 32, 33, 40, 70})
    for (const int zeros : {0, 1, 2, 3}) {
      CAPTURE(n, zeros);
      std::vector<double> values, weights;
      for (int i = 0; i < n; ++i) {
        values.push_back(1 + 0.3 * std::sin(i));
        weights.push_back(std::cos(i));
      }
      for (int i = 0; i < zeros; ++i) values[static_cast<std::size_t>(i * 13 % n)] = 0;
      const std::vector<dense> in{vector_of(values), vector_of(weights)};
      const auto others = [&](int i, int k) {
        double y = 1;
        for (int j = 0; j < n; ++j)
          if (j != i && j != k) y *= values[static_cast<std::size_t>(j)];
        return y;
      };
      const auto slope = [](const tensors& x) {
        const auto product = [](const tensors& a) -> tensors { return {prod(a[0])}; };
        return testing::record_vjp(*x[0].owner, {x[0]}, {ones_like(prod(x[0]))}, product);
      };
      const auto second = [&](const tensors& x) {
        return testing::record_vjp(*x[0].owner, {x[0]}, {x[1]}, slope);
      };
      for (const auto mode : {testing::extents_are::known, testing::extents_are::unknown}) {
        const auto first_order = interpret(testing::record(in, slope, mode), in)[0];
        const auto second_order = interpret(testing::record(in, second, mode), in)[0];
        for (int i = 0; i < n; ++i) {
          CHECK(first_order[i] == Approx(others(i, i)).epsilon(1e-12).margin(1e-15));
          double sum = 0, size = 0;
          for (int k = 0; k < n; ++k)
            if (k != i) {
              const double term = weights[static_cast<std::size_t>(k)] * others(i, k);
              sum += term, size += std::abs(term);
            }
          CHECK(std::abs(second_order[i] - sum) <= 1e-13 * size);
        }
      }
    }
}

TEST_CASE("a padding whose amount has terms of both signs adds, and its slope takes away") {
  const std::vector<dense> in{vector_of({1, 2, 3, 4, 5})};
  const auto squares = [](const tensors& x) -> tensors {
    const extent n = x[0].extent(0);
    const auto padded = pad(x[0], {{0}, {(n + 3) / 4 * 4 - n}, 2});
    return {sum(padded * padded * padded)};
  };
  const auto slope = [&](const tensors& x) {
    return testing::record_vjp(*x[0].owner, {x[0]}, {ones_like(sum(x[0]))}, squares);
  };
  const auto second = [&](const tensors& x) {
    return testing::record_vjp(*x[0].owner, {x[0]}, {x[0]}, slope);
  };
  for (const auto mode : {testing::extents_are::known, testing::extents_are::unknown}) {
    CHECK(interpret(testing::record(in, squares, mode), in)[0][0] == 225 + 3 * 8);
    const auto dx = interpret(testing::record(in, slope, mode), in)[0],
               ddx = interpret(testing::record(in, second, mode), in)[0];
    for (int i = 0; i < 5; ++i) {
      CHECK(dx[i] == 3 * (i + 1) * (i + 1));
      CHECK(ddx[i] == 6 * (i + 1) * (i + 1));
    }
  }
  const auto cut = [](const tensors& x) -> tensors {
    return {pad(x[0], {{0}, {3 - x[0].extent(0)}})};
  };
  CHECK_THROWS_AS(interpret(testing::record(in, cut, testing::extents_are::unknown), in),
                  shape_error);
}

TEST_CASE(
    "logsumexp of nothing but -infinity is -infinity with the slope 0, and safe_softmax is 0 "
    "there") {
  check("conventions", {"logsumexp/minus_infinities", "softmax/minus_infinities",
                        "safe_softmax/minus_infinities"});
}

TEST_CASE("NaN comes out of max, min, relu and clip, and argmax gives the first") {
  check("conventions", {"relu/nan", "relu6/nan", "clip/nan"});
  check("reductions", {"max/special", "min/special", "argmax/special", "argmin/special"});
  for (int lane = 0; lane < 9; ++lane)
    for (const std::string op : {"max", "min", "argmax"})
      check("reductions", {op + "/nan_in_lane_" + std::to_string(lane)});
  check("binary", {"maximum/special", "minimum/special"});
}

TEST_CASE("a variance is computed in two passes, and batch_norm stores the unbiased one") {
  check("conventions", {"var/large_mean"});
  check("cases", {"layer_norm/large_mean", "layer_norm/around_2000", "batch_norm/ladder"});
  check("normalization", {"batch_norm/rank4", "batch_norm/attributes"});
}

TEST_CASE("a reduction of nothing is what it starts from") {
  for (const std::string op : {"sum", "prod", "mean", "logsumexp"})
    check("reductions", {op + "/empty", op + "/empty_all"});
  check("reductions",
        {"any/empty", "all/empty", "max/empty_kept", "min/empty_kept", "argmax/empty_kept"});
}

TEST_CASE("an extreme of nothing is an error") {
  const std::vector<dense> in{{{0, 3}, {}, dtype::float64}};
  CHECK_THROWS_AS(
      for_each_mode(in, [](const tensors& x) -> tensors { return {max(x[0], {.axes = 0})}; }),
      shape_error);
  CHECK_THROWS_AS(for_each_mode(in, [](const tensors& x) -> tensors { return {min(x[0])}; }),
                  shape_error);
  CHECK_THROWS_AS(
      for_each_mode(in, [](const tensors& x) -> tensors { return {argmax(x[0], {.axis = 0})}; }),
      shape_error);
  const auto unknown = testing::record(
      in, [](const tensors& x) -> tensors { return {max(x[0], {.axes = 0})}; },
      testing::extents_are::unknown);
  CHECK_THROWS_AS(interpret(unknown, in), shape_error);
  CHECK_NOTHROW(
      for_each_mode(in, [](const tensors& x) -> tensors { return {max(x[0], {.axes = 1})}; }));
}

TEST_CASE("sums of small integers have 64 bits, and those of 16-bit floats are added in float32") {
  check("conventions", {"sum/uint8_in_64_bits"});
  check("reductions", {"sum/uint8", "sum/int32", "sum/bool"});
  check("cases", {"sum/f16_3000", "sum/f16_65520", "mean/f16_65520", "mean/bf16_70000"});
}

TEST_CASE("an index outside its axis is an error, and a negative one counts from the end") {
  check("conventions", {"gather/negative_index", "scatter_add/negative_duplicates"});
  for (const double bad : {3., -4.}) {
    const std::vector<dense> in{vector_of({1, 2, 3}), vector_of({0, bad}, dtype::int64),
                                vector_of({5, 7})};
    const auto taken = [](const tensors& x) -> tensors { return {take(x[0], x[1])}; };
    const auto added = [](const tensors& x) -> tensors { return {scatter_add(x[0], x[1], x[2])}; };
    const auto slope = [&](const tensors& x) -> tensors {
      return {testing::record_vjp(*x[0].owner, {x[0], x[1]}, {x[2]}, taken)[0]};
    };
    CHECK_THROWS_AS(for_each_mode(in, taken), index_error);
    CHECK_THROWS_AS(for_each_mode(in, added), index_error);
    CHECK_THROWS_AS(for_each_mode(in, slope), index_error);
  }
}

TEST_CASE("scatter_add adds what meets at one place") {
  check("conventions", {"scatter_add/negative_duplicates"});
  check("movement", {"scatter_add/duplicates"});
}

TEST_CASE("an integer or bool input has no gradient") {
  for (const dtype d : {dtype::int32, dtype::bool_}) {
    recorder r;
    const auto x = record_input(r, {{3}, d}, "x");
    const auto total = [](auto v) { return sum(cast(v, dtype::float32)); };
    CHECK_THROWS_AS(grad<0>(total)(x), error);
  }
}

TEST_CASE("saved means and variances are functions of the input, for derivatives of any order") {
  check("cases", {"batch_norm/three_derivatives"});
  check("normalization", {"layer_norm/all_outputs"});
}

TEST_CASE("every case of a convention holds") { check_file("conventions", {"scatter", "sort"}); }

}  // namespace primal::test
