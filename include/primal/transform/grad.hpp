// grad: gradients of models, as models.
#pragma once

#include <primal/expr/symbolic_tree.hpp>
#include <primal/transform/reverse.hpp>

namespace primal {

/// An argument of a differentiated model: its operand under a new name, so that the gradient goes to this
/// argument alone when the model captures the same tensor or takes it twice.
struct argument_op : composite<argument_op> {
  static constexpr op_name name{"argument"};
  static constexpr tensor decompose(tensor x) { return x; }
  static constexpr tensor vjp(saved, tensor dy) { return dy; }
};

namespace gradient {

/// Is this a call inside a model?
template <class... A>
concept in_model = (symbolic_tree<A> || ...);

template <class... A> constexpr recorder& recorder_of(const A&... arguments) {
  recorder* r = nullptr;
  auto visit = [&](const auto& leaf) {
    using type = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (std::is_base_of_v<tensor, type>) r = r ? r : leaf.owner;
    else if constexpr (std::is_same_v<type, extent>) r = r ? r : leaf.owner();
  };
  (for_each_leaf(arguments, visit), ...);
  if (!r) core::refuse("primal: a gradient needs at least one tensor of the model");
  return *r;
}

/// Which tensors were seen.
class value_set {
 public:
  constexpr bool insert(int v) {
    if (v >= seen_.size()) seen_.resize(v + 1, 0);
    return !std::exchange(seen_[v], 1);
  }

 private:
  sequence<char> seen_;
};

/// An argument that is differentiated becomes a tree of tensors, any other stays what it is.
template <bool Wanted, class A> using taken_as = std::conditional_t<Wanted, to_symbolic<A>, A>;

template <bool Wanted, class A> constexpr taken_as<Wanted, A> take(recorder& r, const A& argument) {
  if constexpr (!Wanted || std::is_same_v<taken_as<Wanted, A>, A>) {
    return argument;
  } else {
    taken_as<Wanted, A> out;
    for_each_leaf_pair(argument, out, [&](const auto& from, tensor& to) {
      to = operand(from).t;
      if (!to.owner) to = attach(r, to.constant);
    });
    return out;
  }
}

constexpr tensor renamed(const tensor& x) {
  inside_rule inside(x.owner->report);
  return op<argument_op>{}(x);
}

/// Makes every leaf of a wanted argument a recorded tensor of its own.
template <class A> constexpr void separate(recorder& r, A& argument, value_set& seen, bool always) {
  for_each_leaf(argument, [&](tensor& x) {
    if (!x.owner) x = attach(r, x.constant);
    if (!seen.insert(x.id) || always) x = renamed(x);
  });
}

/// Reports an input without a gradient, by its name.
template <class A> constexpr void require_floating(recorder& r, const A& argument, int index) {
  for_each_named_leaf(argument, [&](const tensor& x, const text& path) {
    if (is_floating(x.dtype()) || r.report.failed()) return;
    if (r.report.depth == 0) r.report.where = {};
    r.report.fail(join("grad: ", path, path.empty() ? "" : " of ", "argument ", index, " is ",
                       describe(r, x.type()), "; only floating-point inputs have gradients"));
  });
}

/// Cotangents in the places of the leaves: zeros where nothing depends on a leaf.
template <class A> constexpr A cotangents_of(const reverse_sweep& sweep, const A& argument) {
  A out = argument;
  for_each_leaf(out, [&](tensor& x) {
    const tensor ct = sweep.cotangent(x);
    x = ct.has_value() ? ct : attach(*x.owner, zeros_like(x).constant);
  });
  return out;
}

/// One tree, or a tuple of several.
template <class... Trees> constexpr auto one_or_tuple(const Trees&... trees) {
  if constexpr (sizeof...(Trees) == 1) return (trees, ...);
  else return std::tuple<Trees...>(trees...);
}

/// A call of a model whose arguments `Wanted` are differentiated.
template <class F, std::size_t... Wanted> struct differentiated {
  template <std::size_t K> static constexpr bool is_wanted = ((K == Wanted) || ...);

  template <class Indices, class... A> struct taken;
  template <std::size_t... K, class... A> struct taken<std::index_sequence<K...>, A...> {
    using arguments = std::tuple<taken_as<is_wanted<K>, A>...>;
    static constexpr bool callable = ((Wanted < sizeof...(A)) && ...) &&
                                     std::is_invocable_v<const F&, taken_as<is_wanted<K>, A>&...>;
    template <class Model = F>
    using result =
        std::remove_cvref_t<std::invoke_result_t<const Model&, taken_as<is_wanted<K>, A>&...>>;

    recorder& r;
    arguments in;
    reverse_sweep sweep;

    constexpr explicit taken(recorder& own, const A&... a)
        : r(own), in(take<is_wanted<K>>(own, a)...), sweep(own, prepare(own, in)) {}

    /// Everything up to the call of the model; returns where its statements begin.
    static constexpr int prepare(recorder& r, arguments& in) {
      (require_floating(r, std::get<Wanted>(in), static_cast<int>(Wanted)), ...);
      value_set seen;
      auto note = [&](const auto& argument) {
        for_each_leaf(argument, [&](const auto& leaf) {
          if constexpr (std::is_base_of_v<tensor, std::remove_cvref_t<decltype(leaf)>>)
            if (leaf.owner) seen.insert(leaf.id);
        });
      };
      ((is_wanted<K> ? void() : note(std::get<K>(in))), ...);
      (separate(r, std::get<Wanted>(in), seen, !std::is_empty_v<F>), ...);
      return r.size();
    }
    constexpr auto call(const F& f) {
      (for_each_leaf(std::get<Wanted>(in), [this](const tensor& x) { this->sweep.want(x); }), ...);
      return f(std::get<K>(in)...);
    }
    constexpr auto cotangents() const {
      return one_or_tuple(cotangents_of(sweep, std::get<Wanted>(in))...);
    }
  };
  template <class... A> using of = taken<std::index_sequence_for<A...>, A...>;
};

/// The result of a model that is differentiated: reports what is not one number.
template <class Result> constexpr tensor one_number(recorder& r, const Result& result) {
  tensor value;
  for_each_leaf(result, [&](const auto& leaf) {
    if (!value.has_value()) value = operand(leaf).t;
  });
  if (!value.owner) value = attach(r, value.constant);
  const auto type = value.type();
  if (tree::is_branch<Result>)
    r.report.fail(join("grad: the value must be of rank 0, but the model returns ",
                       leaf_count<Result>, " tensors; use vjp"));
  else if (type.rank() != 0)
    r.report.fail(
        join("grad: the value must be of rank 0, but it is ", describe(r, type), "; use vjp"));
  else if (!is_floating(type.dtype))
    r.report.fail(join("grad: the value must be floating-point, but it is ", describe(r, type)));
  return value;
}

}  // namespace gradient

template <class F, std::size_t... I> struct value_and_grad_of {
  [[no_unique_address]] F f{};

  template <class... A>
    requires(gradient::in_model<A...> &&
             gradient::differentiated<F, I...>::template of<A...>::callable)
  constexpr auto operator()(const A&... arguments) const {
    recorder& r = gradient::recorder_of(arguments...);
    typename gradient::differentiated<F, I...>::template of<A...> call(r, arguments...);
    const tensor value = gradient::one_number(r, call.call(f));
    call.sweep.seed(value, ones_like(value));
    if (!r.report.failed()) call.sweep.run();
    return std::tuple<tensor, decltype(call.cotangents())>(value, call.cotangents());
  }
  template <class... A>
    requires(!gradient::in_model<A...>)
  auto operator()(const A&... arrays) const {
    return run_now<value_and_grad_of>{}(arrays...);
  }
};

template <class F, std::size_t... I> struct grad_of {
  [[no_unique_address]] F f{};

  template <class... A>
    requires(gradient::in_model<A...> &&
             gradient::differentiated<F, I...>::template of<A...>::callable)
  constexpr auto operator()(const A&... arguments) const {
    return std::get<1>(value_and_grad_of<F, I...>{f}(arguments...));
  }
  template <class... A>
    requires(!gradient::in_model<A...>)
  auto operator()(const A&... arrays) const {
    return run_now<grad_of>{}(arrays...);
  }
};

namespace gradient {
/// No positions mean the first.
template <template <class, std::size_t...> class Transform, std::size_t... I> struct positions {
  template <class F> using of = Transform<F, I...>;
};
template <template <class, std::size_t...> class Transform>
struct positions<Transform> : positions<Transform, 0> {};
}  // namespace gradient

/// The gradient of a model of rank 0 with respect to the arguments at these positions: a model.
template <std::size_t... I, class F>
constexpr typename gradient::positions<grad_of, I...>::template of<F> grad(F f) {
  return {f};
}

/// The same with the value: a tuple of value and gradient.
template <std::size_t... I, class F>
constexpr typename gradient::positions<value_and_grad_of, I...>::template of<F> value_and_grad(
    F f) {
  return {f};
}

}  // namespace primal
