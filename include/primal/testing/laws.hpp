// Laws: what holds for every operator, whatever it computes.
#pragma once

#include <primal/testing/derivative.hpp>
#include <primal/testing/examples.hpp>

namespace primal::testing {

/// A law that an operator breaks.
struct failure {
  std::string op, law, example, what;

  std::string text() const { return op + " " + example + ": " + law + ": " + what; }
};

/// An operator on one example, with numbers for its inputs.
class trial {
 public:
  trial(const op_info& op, const example& e) : op_(op), example_(e) {}

  /// Tries all laws. False: the operator does not take such inputs.
  template <class OnFailure> bool run(const OnFailure& on_failure) {
    auto fails = [&](std::string law, std::string what) {
      on_failure(failure{std::string(op_.name), std::move(law), example_.title, std::move(what)});
    };
    if (!is_accepted()) return false;
    const auto attempt = [&](const char* law, auto check) {
      try {
        if (const std::string what = check(); !what.empty()) fails(law, what);
      } catch (const error& e) {
        fails(law, e.what());
      }
    };
    attempt("its results are finite somewhere", [&] { return choose_domain(); });
    if (inputs_.empty() && !example_.inputs.empty()) return true;
    attempt("unknown extents change nothing", [&] { return unknown_extents_agree(); });
    attempt("decomposed equals whole", [&] { return decomposed_agrees(); });
    for (const auto d : {dtype::float32, dtype::float16, dtype::bfloat16})
      attempt("every floating type is taken", [&] { return agrees_in(d); });
    if (cotangents_.empty()) return true;
    attempt("gradients have the shapes of the inputs", [&] { return gradients_fit(); });
    attempt("gradients equal differences", [&] { return gradients_equal_differences(); });
    attempt("gradients are linear in the cotangent", [&] { return gradients_are_linear(); });
    attempt("second derivatives equal differences",
            [&] { return second_derivatives_equal_differences(); });
    return true;
  }

 private:
  using arrays = std::vector<dense>;
  using model = std::function<tensors(const tensors&)>;

  bool is_accepted() const {
    try {
      record(draw(example_.inputs, domains[0], 1), example_.model);
      return true;
    } catch (const shape_error&) {
      return false;
    }
  }

  /// Draws inputs at which values and gradients are finite, and cotangents.
  std::string choose_domain() {
    for (const auto& d : domains) {
      auto inputs = draw(example_.inputs, d, 1);
      const auto results = interpret(record(inputs, example_.model), inputs);
      const bool nothing = is_nothing(inputs);
      if (!nothing && !finite(results)) continue;
      inputs_ = std::move(inputs);
      results_ = results;
      if (op_.differentiable) draw_cotangents();
      if (nothing || cotangents_.empty() || finite(gradients(cotangents_))) return {};
    }
    inputs_.clear();
    cotangents_.clear();
    return "no inputs were found that give finite values and gradients";
  }
  void draw_cotangents() {
    std::vector<example::input> wanted;
    bool any = false;
    for (const auto& y : results_) {
      wanted.push_back({y.extents, y.dtype});
      any = any || is_floating(y.dtype);
    }
    bool differentiable_input = false;
    for (const auto& x : inputs_)
      differentiable_input = differentiable_input || is_floating(x.dtype);
    if (any && differentiable_input) cotangents_ = draw(wanted, domains[0], 2);
  }
  static arrays joined(arrays a, const arrays& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  /// Inputs and cotangents to the gradients of all floating-point inputs.
  model gradient_model() const {
    const auto count = static_cast<std::ptrdiff_t>(inputs_.size());
    return [f = example_.model, count](const tensors& x) {
      tensors in, ct, out;
      in.assign(x.begin(), x.begin() + count);
      ct.assign(x.begin() + count, x.end());
      for (auto& t : ct)
        if (!is_floating(t.dtype())) t = tensor{};
      for (const auto& g : record_vjp(*x[0].owner, in, ct, f))
        if (g.has_value()) out.push_back(g);
      return out;
    };
  }
  arrays gradients(const arrays& cotangents, extents_are mode = extents_are::known) const {
    const auto in = joined(inputs_, cotangents);
    return interpret(record(in, gradient_model(), mode), in);
  }

  std::string unknown_extents_agree() const {
    auto wrong = differ(interpret(record(inputs_, example_.model, extents_are::unknown), inputs_),
                        results_, 1e-13);
    if (wrong.empty() && !cotangents_.empty())
      wrong = differ(gradients(cotangents_, extents_are::unknown), gradients(cotangents_), 1e-13);
    return wrong;
  }

  /// The same model, recorded in pieces.
  static model in_pieces(const model& f) {
    return [f](const tensors& x) {
      static constexpr policy everything{};
      x[0].owner->expanding = &everything;
      auto out = f(x);
      x[0].owner->expanding = nullptr;
      return out;
    };
  }
  std::string decomposed_agrees() const {
    const example pieces{example_.title, example_.inputs, in_pieces(example_.model)};
    trial other(op_, pieces);
    other.inputs_ = inputs_;
    auto wrong = differ(interpret(record(inputs_, pieces.model), inputs_), results_, 1e-11);
    if (wrong.empty() && !cotangents_.empty()) {
      const auto gradients_of_pieces = other.gradients(cotangents_);
      if (finite(
              gradients_of_pieces))  // else a kink of the pieces, for which the whole may have a rule
        wrong = differ(gradients_of_pieces, gradients(cotangents_), 1e-9);
    }
    return wrong;
  }

  /// The same in another floating type: values, types of gradients, and those of the decomposition.
  std::string agrees_in(dtype d) const {
    trial other(op_, example_);
    other.inputs_ = inputs_;
    for (auto& x : other.inputs_)
      if (is_floating(x.dtype)) x.dtype = d;
    other.results_ = interpret(record(other.inputs_, example_.model), other.inputs_);
    if (op_.differentiable) other.draw_cotangents();
    const auto wrong = differ(other.results_, results_, 1e-6, types_are::free);
    return !wrong.empty() || other.cotangents_.empty() ? wrong : other.gradients_fit();
  }

  std::string gradients_fit() const {
    std::size_t k = 0;
    const auto all = gradients(cotangents_);
    for (const auto& x : inputs_)
      if (is_floating(x.dtype)) {
        if (all[k].extents != x.extents || all[k].dtype != x.dtype)
          return "gradient " + std::to_string(k) + " has another type";
        ++k;
      }
    return {};
  }

  std::string gradients_are_linear() const {
    auto other = cotangents_, combined = cotangents_;
    for (auto& y : other) y = draw({{y.extents, y.dtype}}, domains[0], 3)[0];
    for (std::size_t k = 0; k < other.size(); ++k)
      for (std::size_t i = 0; i < other[k].values.size(); ++i)
        combined[k].values[i] = 2 * cotangents_[k].values[i] - 3 * other[k].values[i];
    auto sum = gradients(cotangents_);
    const auto second = gradients(other);
    for (std::size_t k = 0; k < sum.size(); ++k)
      for (std::size_t i = 0; i < sum[k].values.size(); ++i)
        sum[k].values[i] = 2 * sum[k].values[i] - 3 * second[k].values[i];
    return differ(gradients(combined), sum, 1e-10);
  }

  std::string gradients_equal_differences() const {
    return differ_from_differences(example_.model, inputs_, gradients(cotangents_), cotangents_,
                                   12);
  }
  std::string second_derivatives_equal_differences() const {
    example second{example_.title, example_.inputs, gradient_model()};
    trial derived(op_, second);
    derived.inputs_ = joined(inputs_, cotangents_);
    derived.results_ = gradients(cotangents_);
    derived.draw_cotangents();
    return differ_from_differences(second.model, derived.inputs_,
                                   derived.gradients(derived.cotangents_), derived.cotangents_, 5);
  }

  const op_info& op_;
  const example& example_;
  arrays inputs_, results_, cotangents_;
};

}  // namespace primal::testing
