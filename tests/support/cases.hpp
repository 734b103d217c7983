// Runs a case of tests/data: records it at run time, interprets it in double, and compares values and gradients.
#pragma once

#include <primal/interpret/interpret.hpp>
#include <support/catch.hpp>
#include <support/models.hpp>

#include <set>

namespace primal::test {

inline dense to_dense(const reference_tensor& t) {
  return {t.shape, t.values, dtype_named(t.dtype)};
}

/// What a result may be off, and whether the interpreter rounds to the dtypes on the way.
struct precision {
  bool round = false;
  tolerance bound{1e-10, 1e-13};
};

inline precision precision_of(const reference_case& c) {
  if (c.name == "layer_norm/ramps")
    return {};  // a mean of 10000.0075 is no float: rounding it costs 1 % of the variance
  dtype least = dtype::float64;
  auto look = [&](const std::string& name) {
    const auto d = dtype_named(name);
    if (is_floating(d) && d < least) least = d;
  };
  for (const auto& x : c.inputs) look(x.dtype);
  for (const auto& y : c.outputs) look(y.dtype);
  if (c.has("dtype")) look(c.attrs.at("dtype"));
  switch (least) {
    case dtype::float16:  return {true, {1e-3, 1e-7}};
    case dtype::bfloat16: return {true, {8e-3, 1e-6}};
    case dtype::float32:  return {true, {4e-6, 1e-7}};
    default:              return {};
  }
}

/// Does the dtype of a result fit that of a case? f64 there means any floating type; sums of unsigned integers
/// stay unsigned here.
inline bool fits_dtype(dtype got, const std::string& wanted) {
  const auto w = dtype_named(wanted);
  if (w == dtype::float64) return is_floating(got);
  return got == w || (is_integer(got) && is_integer(w) && size_of(got) == size_of(w));
}

inline void check_array(const dense& got, const reference_tensor& wanted, const precision& p,
                        const std::string& what) {
  INFO(what);
  CHECK(got.extents == wanted.shape);
  CHECK(fits_dtype(got.dtype, wanted.dtype));
  const auto comparison = compare(got.values, wanted, p.bound);
  INFO(comparison.text);
  CHECK(comparison);
}

/// The values of a case.
inline void check_values(const reference_case& c, testing::extents_are mode) {
  const auto f = model_of(c);
  std::vector<dense> in;
  for (const auto& x : c.inputs) in.push_back(to_dense(x));
  const auto record_on_inputs = [&](recorder& r) {
    const auto inputs = testing::record_inputs(r, in, mode);
    testing::set_outputs(r, testing::recorded(r, f(inputs, c)));
  };
  recorder r;
  record_on_inputs(r);
  const auto p = precision_of(c);
  const auto out = interpret(r, in, {.round = p.round});
  REQUIRE(out.size() >= c.outputs.size());
  for (std::size_t i = 0; i < c.outputs.size(); ++i)
    check_array(out[i], c.outputs[i], p, "output " + std::to_string(i));
}

/// The gradients of a case, from its cotangents.
inline void check_gradients(const reference_case& c, testing::extents_are mode) {
  if (c.grads.empty()) return;
  const auto f = model_of(c);
  std::vector<dense> in;
  for (const auto& x : c.inputs) in.push_back(to_dense(x));
  const std::size_t count = in.size();
  std::size_t outputs = 0;
  for (const auto& [index, ct] : c.cotangents)
    in.push_back(to_dense(ct)), outputs = std::max(outputs, index + 1);
  recorder r;
  const auto all = testing::record_inputs(r, in, mode);
  tensors inputs, cotangents(outputs);
  inputs.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  std::size_t next = count;
  for (const auto& [index, ct] : c.cotangents) cotangents[index] = all[next++];
  const auto grads =
      testing::record_vjp(r, inputs, cotangents, [&](const tensors& x) { return f(x, c); });
  tensors wanted;
  for (const auto& [index, g] : c.grads) wanted.push_back(grads[index]);
  testing::set_outputs(r, wanted);
  const auto p = precision_of(c);
  const auto out = interpret(r, in, {.round = p.round});
  std::size_t i = 0;
  for (const auto& [index, g] : c.grads)
    check_array(out[i++], g, p, "gradient " + std::to_string(index));
}

inline void check_case(const reference_case& c) {
  for (const auto mode : {testing::extents_are::known, testing::extents_are::unknown}) {
    INFO(c.name << (mode == testing::extents_are::known ? "" : ", extents unknown"));
    try {
      check_values(c, mode);
      check_gradients(c, mode);
    } catch (const error& e) {
      FAIL_CHECK(e.what());
    }
  }
}

inline std::string data_file(const std::string& name) {
  return std::string(PRIMAL_TEST_DATA) + "/" + name + ".txt";
}

/// All cases of a file. What is not compared is named, by operator or case; anything else is a failure.
inline void check_file(const std::string& name, const std::set<std::string>& missing = {}) {
  for (const auto& c : load(data_file(name))) {
    if (model_of(c)) {
      check_case(c);
    } else if (!missing.count(c.op()) && !missing.count(c.name)) {
      INFO(c.name);
      FAIL_CHECK("no operator of this library is compared with this case");
    }
  }
}

}  // namespace primal::test
