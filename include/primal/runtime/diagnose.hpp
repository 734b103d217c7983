// diagnose: a mistake in a model as one short compile error.
//
// What reaches the user is one static_assert in the function that they call. Its condition names the message,
// cut into pieces of at most 32 characters: clang prints an array of characters as text only if it has no
// more than 36, all of which were assigned. The caller then goes on with the result type that the model has
// all the same, so that no second error follows.
#pragma once

#include <primal/plan/pipeline.hpp>
#include <primal/runtime/model.hpp>

namespace primal {

/// The message of an ill-formed model, in pieces; without any the model is well-formed.
#if defined(__CUDACC__)
// nvcc prints the source of an assertion and not its values, but the arguments of a class that asserts.
template <literal... Message> struct model_error {
  static_assert(sizeof...(Message) == 0, "primal: this model is ill-formed, see Message");
  static constexpr bool none = true;
};
#else
template <literal... Message> struct model_error {
  static constexpr bool none = false;
};
template <> struct model_error<> {
  static constexpr bool none = true;
};
#endif

namespace diagnose {

/// From where to where the K-th piece reaches: whole words, if they are not longer than a piece.
struct cut {
  int begin = 0, end = 0;

  constexpr cut(const char* s, int size, int k) {
    for (int piece = 0; piece <= k; ++piece) {
      begin = end;
      while (begin < size && s[begin] == ' ') ++begin;
      end = begin;
      for (int i = begin; i <= size && i - begin <= 32; ++i)
        if (i == size || s[i] == ' ') end = i;
      if (end == begin) end = begin + 32 < size ? begin + 32 : size;
    }
  }
};

template <class Attempt, std::size_t K> struct piece {
  static constexpr cut range{Attempt::value.message, Attempt::value.message_size,
                             static_cast<int>(K)};
  static consteval auto make() {
    literal<static_cast<std::size_t>(range.end - range.begin + 1)> t;
    for (int i = range.begin; i < range.end; ++i)
      t.chars[i - range.begin] = Attempt::value.message[i];
    t.chars[range.end - range.begin] = 0;
    return t;
  }
  static constexpr auto value =
      make();  // of deduced type: g++ prints the name that is written here
};

template <class Attempt> consteval std::size_t piece_count() {
  std::size_t n = 0;
  for (int end = 0; end < Attempt::value.message_size; ++n)
    end = cut(Attempt::value.message, Attempt::value.message_size, static_cast<int>(n)).end;
  return n;
}

template <class Attempt, class Pieces = std::make_index_sequence<piece_count<Attempt>()>>
struct error_of;
template <class Attempt, std::size_t... K> struct error_of<Attempt, std::index_sequence<K...>> {
  using type = model_error<piece<Attempt, K>::value...>;
};

/// What is wrong with the rules that a model uses.
template <class Model> struct decomposition {
  struct message_alone {
    int message_size;
    char message[480];
  };
  static constexpr message_alone run() {
    message_alone out{};
    diagnostics report;
    decompose(thaw(stage<Model>::value), {}, report);
    for (char c : report.message.view())
      if (out.message_size < 480) out.message[out.message_size++] = c;
    return out;
  }
  static constexpr message_alone value = run();
};
template <class Model, bool Fit> struct error_of_rules : error_of<decomposition<Model>> {};
template <class Model> struct error_of_rules<Model, true> {
  using type = model_error<>;
};

template <class Leaf> struct is_array_of_known_rank : std::bool_constant<declares_array<Leaf>> {};
template <class Leaf> struct is_array_of_unknown_rank : std::bool_constant < requires {
  array_traits<std::remove_cvref_t<Leaf>>::has_unknown_rank;
}>{};

template <class Symbolic>
inline constexpr bool is_result =
    count_leaves<tree::stands_in_model, Symbolic> == leaf_count<Symbolic>;

}  // namespace diagnose

/// Are these arguments trees of arrays, and are the ranks of those known?
template <class... A>
inline constexpr bool known_ranks =
    (0 + ... + count_leaves<diagnose::is_array_of_unknown_rank, A>) == 0;
template <class... A>
inline constexpr bool all_arrays =
    !known_ranks<A...> ||
    (0 + ... + count_leaves<diagnose::is_array_of_known_rank, A>) == (0 + ... + leaf_count<A>);

/// Can F be called with this many arguments? (std::is_invocable adds 5 lines to errors in F with g++, 16 with clang.)
template <class F, class... A>
inline constexpr bool callable = requires(const F& f, to_symbolic<A>&... a) { f(a...); };

/// Does it return tensors? Asked only if it is callable.
template <class F, class... A>
inline constexpr bool returns_tensors = diagnose::is_result<symbolic_result<F, A...>>;

namespace diagnose {
template <class F, class... A> struct probe {
  template <class Attempt = model::usual<F, A...>, int = Attempt::value.message_size>
  static constexpr bool records(int) {
    return true;
  }
  template <class = void> static constexpr bool records(long) { return false; }
};
}  // namespace diagnose

/// Is recording it a constant expression? If not, the compiler says why where this is first asked, and
/// nothing more should be asked. Asked only if it returns tensors.
template <class F, class... A> inline constexpr bool records = diagnose::probe<F, A...>::records(0);

/// What recording it finds: `model_error<"...", ...>`. Asked only if it records.
template <class F, class... A>
using error_of_model = typename diagnose::error_of<stage<recorded_model<F, A...>>>::type;

/// What decomposing it finds. Asked only if recording finds nothing.
template <class Model>
using error_of_rules = typename diagnose::error_of_rules<Model, rules_fit<Model>>::type;

/// What a call gives after an error that leaves no result type.
struct no_result {};

}  // namespace primal
