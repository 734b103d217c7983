// Reference values: reads the files of cases in tests/data and compares results with them. The format of the files and
// how their values were computed are described in tests/data/reference.py.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace primal::test {

struct reference_tensor {
  std::string dtype;                // "f64": the values are exact, any floating type may be used
  std::vector<std::int64_t> shape;  // empty for rank 0
  std::vector<double> values;       // row-major
};

struct reference_case {
  std::string name;                          // operator / what is special: "softmax/middle"
  std::map<std::string, std::string> attrs;  // as written: {"axis", "1"}
  std::vector<reference_tensor> inputs, outputs;
  std::map<std::size_t, reference_tensor>
      cotangents;  // by output; an output without one has no part in the gradients
  std::map<std::size_t, reference_tensor> grads;  // by input

  std::string op() const { return name.substr(0, name.find('/')); }
  bool has(const std::string& attr) const { return attrs.count(attr) != 0; }
  bool flag(const std::string& attr) const { return has(attr) && attrs.at(attr) == "true"; }
  double number(const std::string& attr, double otherwise) const {
    return has(attr) ? std::strtod(attrs.at(attr).c_str(), nullptr) : otherwise;
  }
  std::vector<std::int64_t> list(const std::string& attr) const;
};

/// "2,3,4"; "()" is the empty list.
inline std::vector<std::int64_t> parse_list(const std::string& text) {
  std::vector<std::int64_t> out;
  if (text.empty() || text == "()") return out;
  std::istringstream in(text);
  for (std::string item; std::getline(in, item, ',');) out.push_back(std::stoll(item));
  return out;
}

inline std::vector<std::int64_t> reference_case::list(const std::string& attr) const {
  return has(attr) ? parse_list(attrs.at(attr)) : std::vector<std::int64_t>{};
}

/// "f64 2,3 : 1 -0.5 4*inf": a dtype, a shape, values in row-major order; 4*inf is four of them.
inline reference_tensor parse_tensor(std::istream& in) {
  reference_tensor out;
  std::string shape, colon;
  in >> out.dtype >> shape >> colon;
  out.shape = parse_list(shape);
  for (std::string token; in >> token;) {
    const auto star = token.find('*');
    const auto times = star == std::string::npos ? 1 : std::stoul(token.substr(0, star));
    const auto value = star == std::string::npos ? token : token.substr(star + 1);
    char* end = nullptr;
    out.values.insert(out.values.end(), times, std::strtod(value.c_str(), &end));
    if (end == value.c_str() || *end != '\0') throw std::runtime_error("not a number: " + token);
  }
  std::size_t size = 1;
  for (const auto n : out.shape) size *= static_cast<std::size_t>(n);
  if (colon != ":" || size != out.values.size()) {
    throw std::runtime_error("a tensor of shape " + shape + " has " +
                             std::to_string(out.values.size()) + " values");
  }
  return out;
}

/// All cases of a file, in its order.
inline std::vector<reference_case> load(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::vector<reference_case> out;
  std::size_t number = 0;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream in(line);
    std::string word;
    if (!(in >> word) || word[0] == '#') continue;
    try {
      if (inside == (word == "case")) throw std::runtime_error("not expected here: " + word);
      if (word == "case") {
        inside = true;
        in >> out.emplace_back().name;
      } else if (word == "end") {
        inside = false;
      } else if (word == "attr") {
        in >> word >> std::ws;
        out.back().attrs.emplace(word, std::string(std::istreambuf_iterator<char>(in), {}));
      } else if (word == "in") {
        out.back().inputs.push_back(parse_tensor(in));
      } else if (word == "out") {
        out.back().outputs.push_back(parse_tensor(in));
      } else if (word == "cotangent" || word == "grad") {
        std::size_t index = 0;
        in >> index;
        auto& tensors = word == "grad" ? out.back().grads : out.back().cotangents;
        tensors.emplace(index, parse_tensor(in));
      } else {
        throw std::runtime_error("unknown word: " + word);
      }
    } catch (const std::exception& error) {
      throw std::runtime_error(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
  if (inside) throw std::runtime_error(path + ": the last case has no end");
  return out;
}

/// The case of that name.
inline const reference_case& find(const std::vector<reference_case>& cases,
                                  const std::string& name) {
  for (const auto& c : cases)
    if (c.name == name) return c;
  throw std::runtime_error("no reference case is called " + name);
}

struct tolerance {
  double rtol = 1e-12;
  double atol = 1e-15;
};

struct comparison {
  std::size_t count = 0;           // elements compared
  std::size_t wrong = 0;           // of them outside the tolerance, NaN mismatches included
  std::size_t nan_mismatches = 0;  // NaN on one side only
  std::size_t first_wrong = 0;
  double largest_error = 0;  // |a - b| / (atol + rtol |b|) over the finite pairs: 1 is the bound
  std::string text;          // one sentence about what was wrong; empty if nothing was

  explicit operator bool() const { return wrong == 0; }
};

/// Whether |a - b| <= atol + rtol |b| for each pair: results a and exact values b. Infinities must be equal; a result
/// may be infinite where the exact value is too large for the result's type. The signs of zeros are not compared.
template <class Results, class Exact>
comparison compare(const Results& results, const Exact& exact, tolerance bound = {}) {
  comparison out;
  auto b = std::begin(exact);
  for (auto a = std::begin(results); a != std::end(results) && b != std::end(exact); ++a, ++b) {
    using result = std::decay_t<decltype(*a)>;
    const auto got = static_cast<double>(*a);
    auto want = static_cast<double>(*b);
    if (std::isinf(got)) want = static_cast<double>(static_cast<result>(want));
    bool right = got == want;
    if (std::isnan(got) || std::isnan(want)) {
      right = std::isnan(got) && std::isnan(want);
      out.nan_mismatches += right ? 0 : 1;
    } else if (std::isfinite(got) && std::isfinite(want)) {
      const auto error = std::abs(got - want), allowed = bound.atol + bound.rtol * std::abs(want);
      right = error <= allowed;
      if (error > 0) out.largest_error = std::max(out.largest_error, error / allowed);
    }
    if (!right && out.wrong++ == 0) {
      out.first_wrong = out.count;
      std::ostringstream words;
      words.precision(std::numeric_limits<double>::max_digits10);
      words << "element " << out.count << " is " << got << " instead of " << want;
      out.text = words.str();
    }
    ++out.count;
  }
  const auto sizes = std::pair(std::size(results), std::size(exact));
  if (sizes.first != sizes.second) {
    out.wrong += 1;
    out.text = std::to_string(sizes.first) + " elements instead of " + std::to_string(sizes.second);
  } else if (out.wrong > 0) {
    out.text += " (" + std::to_string(out.wrong) + " of " + std::to_string(out.count) + " wrong, " +
                std::to_string(out.nan_mismatches) + " for NaN)";
  }
  return out;
}

template <class Results>
comparison compare(const Results& results, const reference_tensor& exact, tolerance bound = {}) {
  return compare(results, exact.values, bound);
}

/// The distance of a result from an exact value, in units of the last place of T at that value. Equal infinities and
/// two NaN are at distance 0, an infinity or NaN and anything else at infinity; what T cannot hold counts as infinite.
template <class T> double ulps(T result, double exact) {
  const auto a = static_cast<double>(result);
  if (std::abs(exact) > static_cast<double>(std::numeric_limits<T>::max()))
    exact = static_cast<double>(static_cast<T>(exact));
  if (a == exact || (std::isnan(a) && std::isnan(exact))) return 0;
  if (!std::isfinite(a) || !std::isfinite(exact)) return std::numeric_limits<double>::infinity();
  const auto smallest = std::numeric_limits<T>::min_exponent - std::numeric_limits<T>::digits;
  const auto exponent =
      exact == 0 ? smallest : std::ilogb(exact) + 1 - std::numeric_limits<T>::digits;
  return std::abs(std::ldexp(a, -std::max(exponent, smallest)) -
                  std::ldexp(exact, -std::max(exponent, smallest)));
}

}  // namespace primal::test
