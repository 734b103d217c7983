// custom_vjp: a piece of a model with a gradient rule of its own.
#pragma once

#include <primal/expr/symbolic_tree.hpp>
#include <primal/op/attach.hpp>

namespace primal {

namespace custom {

/// The leaves of a tree in a row, and back.
template <class Tree> constexpr void flatten(const Tree& tree, tensors& out) {
  for_each_leaf(tree, [&](const auto& leaf) { out.push_back(operand(leaf).t); });
}
template <class Tree>
constexpr void unflatten(Tree& tree, const tensors& leaves, std::size_t& next) {
  for_each_leaf(tree, [&](tensor& leaf) { leaf = leaves[next++]; });
}

template <class Rule>
concept rule = requires(Rule r, saved s, tensor dy) { r(s, dy); } ||
               requires(Rule r, saved s, cotangents dy) { r(s, dy); };

}  // namespace custom

/// The operator that F and Rule make: F decomposes it, Rule differentiates it. A are the arguments, as trees of
/// tensors; the rule sees their leaves.
template <class F, class Rule, class... A>
struct custom_vjp_op : composite<custom_vjp_op<F, Rule, A...>> {
  static constexpr op_name name{"custom_vjp"};
  using result = std::remove_cvref_t<std::invoke_result_t<const F&, A&...>>;
  static constexpr std::size_t result_count = static_cast<std::size_t>(leaf_count<result>);

  static constexpr results<result_count> decompose(tensors leaves) {
    const outside_rule outside(leaves[0].owner->report);
    std::tuple<A...> arguments{};
    std::size_t next = 0;
    tensors out;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (custom::unflatten(std::get<I>(arguments), leaves, next), ...);
      custom::flatten(F{}(std::get<I>(arguments)...), out);
    }(std::index_sequence_for<A...>{});
    results<result_count> found;
    for (std::size_t i = 0; i < result_count; ++i) found[i] = out[i];
    return found;
  }

  static constexpr tensors vjp(saved s, cotangents dy) {
    const outside_rule outside(s.owner().report);
    if constexpr (requires(Rule rule) { rule(s, dy); }) return Rule{}(s, dy);
    else return Rule{}(s, dy[0]);
  }
};

template <class F, class Rule> struct with_custom_vjp {
  template <class... A>
    requires((symbolic_tree<A> || ...) && std::is_invocable_v<const F&, to_symbolic<A>&...>)
  constexpr auto operator()(const A&... arguments) const {
    using own = custom_vjp_op<F, Rule, to_symbolic<A>...>;
    tensors leaves;
    (custom::flatten(arguments, leaves), ...);
    constexpr std::source_location unknown{};  // a pack of arguments cannot know its line
    const auto outputs = op<own>{}.outputs({leaves, unknown});
    typename own::result result{};
    std::size_t next = 0;
    if constexpr (own::result_count == 1) custom::unflatten(result, {outputs}, next);
    else custom::unflatten(result, tensors(outputs.begin(), outputs.end()), next);
    return result;
  }
  template <class... A>
    requires(!(symbolic_tree<A> || ...))
  auto operator()(const A&... arrays) const {
    return run_now<with_custom_vjp>{}(arrays...);
  }
};

/// The model f with the gradient rule `rule(saved, dy)`, which gives one cotangent for each tensor among the
/// arguments; `dy` is a tensor, or `cotangents` for several results. Both are stateless.
template <class F, class Rule> constexpr with_custom_vjp<F, Rule> custom_vjp(F, Rule) {
  static_assert(std::is_empty_v<F> && std::is_empty_v<Rule>,
                "primal: custom_vjp: the model and its rule must not capture anything");
  static_assert(
      custom::rule<Rule>,
      "primal: custom_vjp: a rule takes (pm::saved, pm::tensor) or (pm::saved, pm::cotangents)");
  return {};
}

}  // namespace primal
