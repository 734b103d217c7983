// vjp: the cotangents of a model's arguments from those of its results.
#pragma once

#include <primal/transform/grad.hpp>

namespace primal {

namespace gradient {

/// The first arguments of a call as those of the model, the others as the cotangents of its results.
template <class Indices, class... A> struct leading;
template <std::size_t... K, class... A> struct leading<std::index_sequence<K...>, A...> {
  template <class F, std::size_t... I>
  using call =
      typename differentiated<F, I...>::template of<std::tuple_element_t<K, std::tuple<A...>>...>;
  static constexpr int cotangent_leaves =
      (0 + ... + leaf_count<A>)-(0 + ... + leaf_count<std::tuple_element_t<K, std::tuple<A...>>>);
};

/// How many arguments the model itself takes: the most that leave as many cotangents as it has results.
template <class F, class Wanted, std::size_t Count, class... A> struct model_arguments {
  static constexpr std::size_t value = [] {
    if constexpr (Count == 0) {
      return std::size_t{0};
    } else {
      using split = leading<std::make_index_sequence<Count>, A...>;
      using call = typename Wanted::template call<F, split>;
      if constexpr (call::callable) {
        if constexpr (leaf_count<typename call::template result<>> == split::cotangent_leaves)
          return Count;
        else return model_arguments<F, Wanted, Count - 1, A...>::value;
      } else {
        return model_arguments<F, Wanted, Count - 1, A...>::value;
      }
    }
  }();
};

template <std::size_t... I> struct wanted {
  template <class F, class Leading> using call = typename Leading::template call<F, I...>;
};

/// Reports a cotangent that is not of the type of its result.
constexpr void require_fit(recorder& r, const tensor& y, const tensor& dy) {
  const auto result = y.type(), given = dy.type();
  bool same = result.dtype == given.dtype && result.rank() == given.rank();
  for (int i = 0; same && i < result.rank(); ++i)
    same = same_extent(r, result.dims[i], given.dims[i], "vjp");
  if (!same)
    r.report.fail(join("vjp: the result is ", describe(r, result), ", but its cotangent ",
                       describe(r, given)));
}

}  // namespace gradient

template <class F, std::size_t... I> struct vjp_of {
  [[no_unique_address]] F f{};

  template <class... A>
  static constexpr std::size_t count =
      gradient::model_arguments<F, gradient::wanted<I...>, sizeof...(A) - 1, A...>::value;

  template <class... A>
    requires(gradient::in_model<A...> && (count<A...> > 0))
  constexpr auto operator()(const A&... arguments) const {
    using split = gradient::leading<std::make_index_sequence<count<A...>>, A...>;
    return run<typename split::template call<F, I...>>(
        std::make_index_sequence<count<A...>>{},
        std::make_index_sequence<sizeof...(A) - count<A...>>{}, std::tie(arguments...));
  }
  template <class... A>
    requires(!gradient::in_model<A...>)
  auto operator()(const A&... arrays) const {
    return run_now<vjp_of>{}(arrays...);
  }

 private:
  template <class Call, std::size_t... K, std::size_t... C, class Arguments>
  constexpr auto run(std::index_sequence<K...>, std::index_sequence<C...>,
                     const Arguments& arguments) const {
    recorder& r =
        gradient::recorder_of(std::get<K>(arguments)..., std::get<sizeof...(K) + C>(arguments)...);
    Call call(r, std::get<K>(arguments)...);
    auto results = gradient::take<true>(r, call.call(f));
    tensors given;
    auto append = [&](const auto& leaf) { given.push_back(operand(leaf).t); };
    (for_each_leaf(std::get<sizeof...(K) + C>(arguments), append), ...);
    std::size_t next = 0;
    for_each_leaf(results, [&](tensor& y) {
      tensor dy = given[next++];
      if (!y.owner) y = attach(r, y.constant);
      if (!dy.owner && dy.constant.weak()) dy.constant.set_dtype(y.dtype());
      if (!dy.owner) dy = attach(r, dy.constant);
      gradient::require_fit(r, y, dy);
      call.sweep.seed(y, dy);
    });
    if (!r.report.failed()) call.sweep.run();
    return std::tuple<decltype(results), std::remove_cvref_t<decltype(std::get<I>(call.in))>...>(
        results, gradient::cotangents_of(call.sweep, std::get<I>(call.in))...);
  }
};

/// Results and cotangents: `auto [y, ct_x] = pm::vjp<0>(f)(x, w, ct_y)`. The cotangents of the results, one
/// or a tree for each, follow the arguments of the model.
template <std::size_t... I, class F>
constexpr typename gradient::positions<vjp_of, I...>::template of<F> vjp(F f) {
  return {f};
}

}  // namespace primal
