// program_of: programs as constants, to be looked at and asked.
#pragma once

#include <primal/runtime/diagnose.hpp>
#include <primal/transform/decompose.hpp>

namespace primal {

namespace programs {

/// Room for the program of a model under any policy: as recorded, and with everything expanded.
template <class Model, class Recorded = stage<Model>,
          class Expanded = stage<decomposed_pass<Model>>>
using any_policy =
    frozen_program<Recorded::value.used.words + Expanded::value.used.words + 256,
                   Recorded::value.used.statements + Expanded::value.used.statements + 16,
                   Recorded::value.used.names + Expanded::value.used.names + 32>;

}  // namespace programs

/// The program of a model for these arguments: `constexpr auto p = pm::program_of<A, B>(f)`.
template <class... A, class F> constexpr auto program_of(F) {
  static_assert(
      stateless<F>,
      "primal: a model must be stateless: a lambda without captures, or pm::fn<function>");
  static_assert(
      callable<F, A...>,
      "primal: the model cannot be called with this many arguments, if no error above says why");
  if constexpr (stateless<F> && callable<F, A...>) {
    if constexpr (records<F, A...>) {
      static_assert(error_of_model<F, A...>::none, "primal: this model is ill-formed");
      return core::exact<stage<recorded_model<F, A...>>>::value;
    }
  }
}

/// The same with its composites expanded, except those that the policy keeps.
template <class... A, class F> constexpr auto decompose(F, const policy& rules = {}) {
  static_assert(
      stateless<F>,
      "primal: a model must be stateless: a lambda without captures, or pm::fn<function>");
  static_assert(
      callable<F, A...>,
      "primal: the model cannot be called with this many arguments, if no error above says why");
  if constexpr (stateless<F> && callable<F, A...>) {
    if constexpr (records<F, A...>) {
      static_assert(error_of_model<F, A...>::none, "primal: this model is ill-formed");
      using model = recorded_model<F, A...>;
      static_assert(error_of_rules<model>::none, "primal: a rule of an operator is ill-formed");
      if constexpr (error_of_rules<model>::none) {
        using frozen = programs::any_policy<model>;
        const auto out = freeze<frozen>(decompose(model::run(), rules));
        if (!out.used.fits(frozen::room))
          core::refuse("primal: decompose: the program has no room");
        return out;
      } else {
        return core::exact<stage<model>>::value;
      }
    }
  }
}

}  // namespace primal
