// explain: what a compiled model became, as text, and as numbers while compiling.
//
// The text is made while compiling as well: operators' rules, which print their attributes, stay out of the
// object file.
#pragma once

#include <primal/core/constant_text.hpp>
#include <primal/expr/interface.hpp>
#include <primal/expr/print.hpp>
#include <primal/plan/pipeline.hpp>
#include <primal/plan/print.hpp>
#include <primal/runtime/compile.hpp>
#include <primal/transform/grad.hpp>

#include <iosfwd>
#include <string>

namespace primal {

namespace explaining {

/// A program after a pass.
template <class Pass> struct program_section {
  static constexpr text make() { return to_text(stage<Pass>::value); }
};
template <class Model, class Backend> struct plan_section {
  static constexpr text make() {
    return to_text(plan_pass<Model, Backend::has_epilogues>::make(),
                   input_names_of<stage<Model>>::value);
  }
};

/// The model that a transform was made from.
template <class F> struct differentiated_model {};
template <class F, std::size_t... I> struct differentiated_model<grad_of<F, I...>> {
  using type = F;
};
template <class F, std::size_t... I> struct differentiated_model<value_and_grad_of<F, I...>> {
  using type = F;
};

template <class Backend, class F, class... A> std::string explanation_of() {
  using model = recorded_model<F, A...>;
  std::string all;
  const auto add = [&](std::string_view title, std::string_view body) {
    all += all.empty() ? "== " : "\n== ";
    all += title;
    all += '\n';
    all += body;
  };
  if constexpr (requires { typename differentiated_model<F>::type; }) {
    add("model",
        constant_text<
            program_section<recorded_model<typename differentiated_model<F>::type, A...>>>::view);
    add("with its gradient", constant_text<program_section<model>>::view);
  } else {
    add("program", constant_text<program_section<model>>::view);
  }
  add("decomposed", constant_text<program_section<decomposed_pass<model>>>::view);
  add("simplified", constant_text<program_section<simplified_pass<model>>>::view);
  add("plan", constant_text<plan_section<model, Backend>>::view);
  return all;
}

}  // namespace explaining

/// What `pm::explain` gives: text that can be printed.
class explanation {
 public:
  explicit explanation(std::string t) : text_(std::move(t)) {}
  const std::string& str() const { return text_; }

  template <class Traits>
  friend std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out,
                                                      const explanation& e) {
    return out << std::basic_string_view<char, Traits>(e.text_.data(), e.text_.size());
  }

 private:
  std::string text_;
};

/// The program as recorded, after decomposition and simplification, and its plan: kernels with what they
/// read, write and calculate, matrix products, and the bytes and operations of each.
template <class F, class... A, class Options, class... Rest>
explanation explain(const compiled<F, declarations<A...>, Options, Rest...>&) {
  static_assert(
      sizeof...(A) > 0,
      "primal: explain: declare the arguments: pm::compile<pm::array<float, pm::dyn>>(f)");
  using backend = typename backend_of<Options>::type;
  if constexpr (sizeof...(A) > 0)
    return explanation(explaining::explanation_of<backend, F, A...>());
  else return explanation("");
}
inline explanation explain(const not_compiled&) { return explanation(""); }

/// The plan of a model in numbers.
template <int Kernels> struct plan_numbers {
  int recorded = 0;    // statements as recorded, without inputs
  int primitives = 0;  // after decomposition
  int simplified = 0;  // after simplification
  int kernels = 0, matmuls = 0, fills = 0, temporaries = 0;
  int sweeps_of[Kernels + 1] = {}, statements_of[Kernels + 1] = {};

  /// How often kernel `k` goes over its rows.
  constexpr int sweeps(int k) const { return sweeps_of[k]; }
  constexpr int statements(int k) const { return statements_of[k]; }
};

namespace explaining {

template <class Model, bool HasEpilogues> struct numbers_of {
  using plan = plan_of<Model, HasEpilogues>;
  static constexpr const auto& data = plan::table.data;
  static constexpr int rows(int table) { return static_cast<int>(data[data[table]]); }
  static constexpr int kernels = rows(plan_layout::kernels);

  template <class Stage> static constexpr int statements() {
    return Stage::value.used.statements - inputs_of<Stage>::count;
  }
  static constexpr plan_numbers<kernels> make() {
    plan_numbers<kernels> n;
    n.recorded = statements<stage<Model>>();
    n.primitives = statements<stage<decomposed_pass<Model>>>();
    n.simplified = statements<stage<simplified_pass<Model>>>();
    n.kernels = kernels;
    n.matmuls = rows(plan_layout::matmuls);
    n.fills = rows(plan_layout::fills);
    n.temporaries = static_cast<int>(data[plan_layout::temporaries]);
    for (int k = 0; k < kernels; ++k) {
      const int row = plan::row_of(k);
      for (int p = 0; p < data[row + plan_layout::kernel_phases]; ++p) {
        const auto* phase = data + row + plan_layout::kernel_tables + 2 * p;
        n.sweeps_of[k] += phase[0] != 0;
        n.statements_of[k] += static_cast<int>(phase[1]);
      }
    }
    return n;
  }
  static constexpr plan_numbers<kernels> value = make();
};

template <bool HasEpilogues, class F, class... A> constexpr auto summary() {
  if constexpr (stateless<F> && callable<F, A...>) {
    if constexpr (records<F, A...>) {
      static_assert(error_of_model<F, A...>::none, "primal: this model is ill-formed");
      return numbers_of<recorded_model<F, A...>, HasEpilogues>::value;
    }
  }
}

}  // namespace explaining

/// The plan of a model for these arguments, on the CPU: `static_assert(pm::plan_summary<A, B>(f).kernels == 1)`.
template <class... A, class F> constexpr auto plan_summary(F) {
  static_assert(
      stateless<F>,
      "primal: a model must be stateless: a lambda without captures, or pm::fn<function>");
  static_assert(
      callable<F, A...>,
      "primal: the model cannot be called with this many arguments, if no error above says why");
  return explaining::summary<false, F, A...>();
}

/// The same for declared arguments, and the back end of the options: `pm::plan_summary(pm::compile<A, B>(f))`.
template <class F, class... A, class Options, class... Rest>
constexpr auto plan_summary(const compiled<F, declarations<A...>, Options, Rest...>&) {
  return explaining::summary<backend_of<Options>::type::has_epilogues, F, A...>();
}

}  // namespace primal
