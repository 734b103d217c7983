// compile: a model as a function of arrays.
#pragma once

#include <primal/runtime/call.hpp>
#include <primal/runtime/diagnose.hpp>
#include <primal/runtime/options.hpp>
#include <primal/runtime/result.hpp>
#include <primal/runtime/small_call.hpp>

namespace primal {

/// Argument types that were declared ahead of a call; none: those of the call count.
template <class... A> struct declarations {};

namespace compiling {

/// The types that a model is recorded with.
template <class Declared, class... Arrays> struct recorded_types {
  using type = Declared;
};
template <class... Arrays> struct recorded_types<declarations<>, Arrays...> {
  using type = declarations<Arrays...>;
};

/// Do the arrays of a call have the dtypes and ranks of the declarations?
template <class Declared, class... Arrays> inline constexpr bool fits_declaration = true;
template <class D, class... Declared, class... Arrays>
inline constexpr bool fits_declaration<declarations<D, Declared...>, Arrays...> = [] {
  if constexpr (leaf_types<D, Declared...>::count != leaf_types<Arrays...>::count) {
    return false;
  } else {
    const auto& declared = leaf_types<D, Declared...>::value;
    const auto& given = leaf_types<Arrays...>::value;
    bool same = true;
    for (std::size_t i = 0; i < declared.size(); ++i)
      same = same && declared[i].dtype == given[i].dtype && declared[i].rank == given[i].rank;
    return same;
  }
}();

/// Do the arrays of `.into` have the dtypes and ranks of the results?
template <class Results, class... Outputs> consteval bool fits_results() {
  if constexpr (!known_ranks<Outputs...> || !all_arrays<Outputs...>) return false;
  else return leaf_types<Outputs...>::match(Results::types);
}

template <class Leaf> struct is_writable : std::bool_constant < requires(Leaf& leaf) {
  requires !std::is_const_v<
      std::remove_pointer_t<decltype(array_traits<std::remove_const_t<Leaf>>::data(leaf))>>;
}>{};
template <class... Outputs>
inline constexpr bool all_writable =
    (0 + ... + tree::sum_over_leaves<is_writable>::of<std::remove_reference_t<Outputs>>::value) ==
    (0 + ... + leaf_count<Outputs>);

template <class F, class Types, class Outputs, class... Arrays> struct result_of_call;
template <class F, class... A, class Outputs, class... Arrays>
struct result_of_call<F, declarations<A...>, Outputs, Arrays...> {
  using type = result_type<symbolic_result<F, A...>, Outputs, Arrays...>;
};

/// Everything about a model and its argument types. What may be asked only of models that are in order has a
/// parameter, so that it is looked at only where it is used.
template <class F, class Types> struct facts;
template <class F, class... A> struct facts<F, declarations<A...>> {
  using model = recorded_model<F, A...>;
  using outputs = outputs_of<stage<model>>;

  static constexpr bool callable = primal::callable<F, A...>;
  template <class = void> static constexpr bool gives_tensors = returns_tensors<F, A...>;
  template <class = void> static constexpr bool records = primal::records<F, A...>;
  template <class Model = model> using error = typename diagnose::error_of<stage<Model>>::type;
  template <class Model = model> using rule_error = error_of_rules<Model>;
  template <class... Arrays>
  using result = typename result_of_call<F, declarations<A...>, outputs, Arrays...>::type;
};

/// The leaves of a result become arrays of these extents.
template <class Result, class F> void make_arrays(Result& result, const F& extents_of) {
  int i = 0;
  for_each_leaf(result,
                [&]<class Leaf>(Leaf& leaf) { leaf = array_traits<Leaf>::make(extents_of(i++)); });
}

/// Runs a call that is small and makes its results, or says that it is not. (Its arrays are its own, here as below: of
/// these nothing need lie in memory.)
template <class Model, class Backend, class Result, class... Arrays>
PRIMAL_HOST_INLINE bool make_small(Result& result, const Arrays&... arrays) {
  using small = small_call<Model, Backend>;
  if constexpr (!small::possible) {
    return false;
  } else if constexpr (small::template always_fit<std::tuple<Arrays...>, std::tuple<Result>>()) {
    small::run(typename small::input_places(arrays...), typename small::output_places(result));
    return true;
  } else {
    const flat_arrays<const Arrays...> in(arrays...);
    if (!small::inputs_fit(in.data())) return false;
    make_arrays(result, small::result_extents);
    const flat_arrays<Result> out(result);
    const bool fits = small::outputs_fit(out.data());
    if (fits) small::run(in.data(), out.data());
    return fits;
  }
}

/// Runs a model that is in order, and returns new arrays.
template <class Result, class Model, class Backend, class Options, class... Arrays>
Result run(const Options& options, typename Backend::workspace* shared, const Arrays&... arrays) {
  Result result{};
  if (make_small<Model, Backend>(result, arrays...)) return result;
  Backend backend(options);
  const flat_arrays<const Arrays...> in(arrays...);
  const model_call<Model, Backend> call(in.data());
  make_arrays(result, [&](int i) { return call.result_extents(i); });
  const flat_arrays<Result> out(result);
  auto own = backend.new_workspace();
  call.run_into(out.data(), backend, shared ? *shared : own);
  return result;  // the only name that is returned: it must not be copied
}

/// f(inputs, outputs) with the arrays of a call.
template <class... Arrays, class... Outputs, class F>
PRIMAL_HOST_INLINE auto with_arrays(std::tuple<Outputs...>& outputs, const F& f,
                                    const Arrays&... arrays) {
  const flat_arrays<const Arrays...> in(arrays...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) PRIMAL_LAMBDA_INLINE {
    const flat_arrays<std::remove_reference_t<Outputs>...> out(std::get<I>(outputs)...);
    return f(in.data(), out.data());
  }(std::index_sequence_for<Outputs...>{});
}

template <class Model, class Backend, class Options, class... Arrays, class... Outputs>
void run_into(std::tuple<Outputs...>& outputs, const Options& options,
              typename Backend::workspace* shared, const Arrays&... arrays) {
  const auto run = [&](const array_ref* in, const array_ref* out) {
    Backend backend(options);
    const model_call<Model, Backend> call(in);
    if (shared) return call.run_into(out, backend, *shared);
    auto own = backend.new_workspace();
    call.run_into(out, backend, own);
  };
  with_arrays(outputs, run, arrays...);
}

/// Runs a call that is small, or says that it is not.
template <class Model, class Backend, class... Arrays, class... Outputs>
PRIMAL_HOST_INLINE bool run_small(std::tuple<Outputs...>& outputs, const Arrays&... arrays) {
  using small = small_call<Model, Backend>;
  if constexpr (!small::possible) {
    return false;
  } else if constexpr (small::template always_fit<std::tuple<Arrays...>,
                                                  std::tuple<Outputs...>>()) {
    const typename small::input_places in(arrays...);
    const auto out = std::apply(
        [](auto&... trees) PRIMAL_LAMBDA_INLINE { return typename small::output_places(trees...); },
        outputs);
    const bool fits = small::apart(in, out);
    if (fits) small::run(in, out);
    return fits;
  } else {
    const auto run = [](const array_ref* in, const array_ref* out) PRIMAL_LAMBDA_INLINE {
      const bool fits = small::inputs_fit(in) && small::outputs_fit(out) && small::apart(in, out);
      if (fits) small::run(in, out);
      return fits;
    };
    return with_arrays(outputs, run, arrays...);
  }
}

}  // namespace compiling

/// A model that takes arrays. `Declared` are declarations, `Outputs` what `.into` named.
template <class F, class Declared = declarations<>, class Options = options, class... Outputs>
class compiled {
  using backend = typename backend_of<Options>::type;
  using workspace = typename backend::workspace;

 public:
  constexpr compiled() = default;
  constexpr explicit compiled(const Options& o) : options_(o) {}
  constexpr compiled(const Options& o, workspace* shared, std::tuple<Outputs...> outputs)
      : options_(o), shared_(shared), outputs_(std::move(outputs)) {}

  /// Calls write to these arrays instead of returning new ones: one for each leaf of the result.
  template <class... Y> constexpr compiled<F, Declared, Options, Y...> into(Y&&... outputs) const {
    static_assert(sizeof...(Outputs) == 0, "primal: into was called already");
    static_assert(!(makes_arrays<Y> || ...), "primal: into: an output must outlive the call");
    return {options_, shared_, std::tuple<Y...>(std::forward<Y>(outputs)...)};
  }
  /// Calls use this workspace.
  constexpr compiled with(workspace& shared) const { return {options_, &shared, outputs_}; }

  /// How many bytes of workspace a call with these arrays needs, unless an output shares memory with an input.
  template <class... X> std::size_t workspace_bytes(const X&... arrays) const {
    using types = typename compiling::recorded_types<Declared, X...>::type;
    const flat_arrays<const X...> in(arrays...);
    return executable<typename compiling::facts<F, types>::model, backend>(in.data(),
                                                                           backend(options_))
        .workspace_bytes();
  }

  /// Inside a model it is the model that was compiled.
  template <class... X>
    requires(symbolic_tree<X> || ...)
  constexpr auto operator()(const X&... tensors) const {
    constexpr bool is_model = std::is_same_v<Declared, declarations<>> && sizeof...(Outputs) == 0;
    static_assert(
        is_model,
        "primal: with declarations or outputs it takes arrays; inside a model call the model");
    return F{}(tensors...);
  }

  /// Runs the model.
  template <class... X>
    requires(!(symbolic_tree<X> || ...))
  auto operator()(const X&... arrays) const {
    using types = typename compiling::recorded_types<Declared, X...>::type;
    using facts = compiling::facts<F, types>;
    if constexpr (!stateless<F>) {
      static_assert(
          stateless<F>,
          "primal: a model must be stateless: a lambda without captures, or pm::fn<function>");
      return no_result{};
    } else if constexpr (!backend::compiles) {
      static_assert(backend::compiles,
                    "primal: nvcc does not compile models for the CPU: call them in a .cpp file, "
                    "or with pm::cuda");
      return no_result{};
    } else if constexpr (!known_ranks<X...> || !all_arrays<X...>) {
      static_assert(known_ranks<X...>,
                    "primal: xt::xarray has no rank at compile time; pass an xt::xtensor");
      static_assert(all_arrays<X...>,
                    "primal: an argument is not an array; expressions need xt::eval first");
      return no_result{};
    } else if constexpr (!backend::template takes<X...> ||
                         !(backend::returns_arrays || sizeof...(Outputs) > 0)) {
      static_assert(backend::template takes<X...>,
                    "primal: CUDA calls take pm::view of device memory");
      static_assert(backend::returns_arrays || sizeof...(Outputs) > 0,
                    "primal: CUDA calls write .into(views)");
      return no_result{};
    } else if constexpr (!compiling::fits_declaration<Declared, X...>) {
      static_assert(compiling::fits_declaration<Declared, X...>,
                    "primal: the arguments differ from the declaration in number, dtype or rank");
      return no_result{};
    } else if constexpr (!facts::callable) {
      static_assert(facts::callable,
                    "primal: the model cannot be called with this many arguments, if no error "
                    "above says why");
      return no_result{};
    } else if constexpr (!facts::template gives_tensors<>) {
      static_assert(facts::template gives_tensors<>,
                    "primal: a model returns tensors, or trees of them");
      return no_result{};
    } else if constexpr (!facts::template records<>) {
      return no_result{};
    } else if constexpr (!facts::template error<>::none) {
      // With declarations compile() has said so already.
      constexpr bool said = !std::is_same_v<Declared, declarations<>>;
      static_assert(said || facts::template error<>::none, "primal: this model is ill-formed");
      if constexpr (sizeof...(Outputs) == 0) return typename facts::template result<X...>{};
    } else if constexpr (!facts::template rule_error<>::none) {
      constexpr bool said = !std::is_same_v<Declared, declarations<>>;
      static_assert(said || facts::template rule_error<>::none,
                    "primal: a rule of an operator is ill-formed");
      if constexpr (sizeof...(Outputs) == 0) return typename facts::template result<X...>{};
    } else if constexpr (sizeof...(Outputs) == 0) {
      using result = typename facts::template result<X...>;
      constexpr bool fits = leaf_types<result>::match(facts::outputs::types);
      static_assert(fits,
                    "primal: the leaves of a struct that is returned need one dtype and its ranks");
      if constexpr (fits)
        return compiling::run<result, typename facts::model, backend>(options_, shared_, arrays...);
    } else {
      constexpr bool fit = compiling::fits_results<typename facts::outputs, Outputs...>();
      constexpr bool writable = compiling::all_writable<Outputs...>;
      static_assert(fit,
                    "primal: into: the outputs differ from the results in number, dtype or rank");
      static_assert(writable || !fit, "primal: into: an output is read-only");
      if constexpr (fit && writable) {
        auto outputs = outputs_;  // references, and views that are not const
        if (!compiling::run_small<typename facts::model, backend>(outputs, arrays...))
          compiling::run_into<typename facts::model, backend>(outputs, options_, shared_,
                                                              arrays...);
      }
    }
  }

 private:
  Options options_{};
  workspace* shared_ = nullptr;
  std::tuple<Outputs...> outputs_;
};

/// What compile gives after an error: it can be called, and its results are of no type that is used.
struct not_compiled {
  template <class... X> constexpr not_compiled operator()(const X&...) const { return {}; }
  template <class... X> constexpr not_compiled into(X&&...) const { return {}; }
  template <class X> constexpr not_compiled with(X&) const { return {}; }
};

/// The callable of a model: `pm::compile(f)(arrays...)`. With declarations of the arguments, errors of the
/// model appear here and known extents make better code.
template <class... Declared, class F, class Options = options>
constexpr auto compile(F, Options o = {}) {
  if constexpr (!stateless<F>) {
    static_assert(
        stateless<F>,
        "primal: a model must be stateless: a lambda without captures, or pm::fn<function>");
    return not_compiled{};
  } else if constexpr (sizeof...(Declared) == 0) {
    return compiled<F, declarations<>, Options>(o);
  } else {
    using facts = compiling::facts<F, declarations<Declared...>>;
    if constexpr (!facts::callable) {
      static_assert(facts::callable,
                    "primal: the model cannot be called with this many arguments, if no error "
                    "above says why");
      return not_compiled{};
    } else if constexpr (!facts::template gives_tensors<>) {
      static_assert(facts::template gives_tensors<>,
                    "primal: a model returns tensors, or trees of them");
      return not_compiled{};
    } else if constexpr (!facts::template records<>) {
      return not_compiled{};
    } else {
      static_assert(facts::template error<>::none, "primal: this model is ill-formed");
      if constexpr (facts::template error<>::none)
        static_assert(facts::template rule_error<>::none,
                      "primal: a rule of an operator is ill-formed");
      return compiled<F, declarations<Declared...>, Options>(o);
    }
  }
}

}  // namespace primal
