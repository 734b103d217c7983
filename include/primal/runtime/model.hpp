// model: from a callable and the types of its arguments to the recorded program.
#pragma once

#include <primal/expr/frozen.hpp>
#include <primal/expr/symbolic_tree.hpp>
#include <primal/op/creation.hpp>
#include <primal/op/input.hpp>
#include <primal/runtime/declaration.hpp>

namespace primal {

/// A function as a model: `pm::compile(pm::fn<f>)`.
template <auto Function> struct function_model {
  template <class... A> constexpr auto operator()(const A&... a) const -> decltype(Function(a...)) {
    return Function(a...);
  }
};
template <auto Function> inline constexpr function_model<Function> fn{};

namespace model {

/// The names of all leaves of the arguments: "argument 0", "first.w of argument 1". Kept in a constant,
/// because programs refer to them.
template <class... A> struct input_names {
  static constexpr text joined() {
    text names;
    int argument = 0;
    [[maybe_unused]] auto append = [&]<class Tree>(std::type_identity<Tree>) {
      for_each_leaf_type<Tree>([&]<class>(const text& path) {
        if (!path.empty()) names += join(path, " of ");
        names += join("argument ", argument, std::string_view("\0", 1));
      });
      ++argument;
    };
    (append(std::type_identity<A>{}), ...);
    return names;
  }
  static constexpr std::size_t size = joined().size();
  static constexpr std::array<char, size + 1> make() {
    std::array<char, size + 1> copied{};
    const text names = joined();
    for (std::size_t i = 0; i < size; ++i) copied[i] = names.view()[i];
    return copied;
  }
  static constexpr std::array<char, size + 1> chars = make();
};

/// Symbols of one name are equal: the first of them stands for all.
struct named_symbols {
  struct entry {
    std::string_view name;
    std::int64_t code = 0;
  };
  std::vector<entry> known;

  constexpr std::int64_t add(recorder& r, const char* name, std::int64_t code) {
    r.extents.names.back() = name;
    for (const auto& e : known)
      if (e.name == name) {
        r.extents.unify(code, e.code, name, {});
        return e.code;
      }
    known.push_back({name, code});
    return code;
  }
};

/// Records an input for every leaf of an argument of type Tree.
template <class Tree>
constexpr void record_inputs(recorder& r, to_symbolic<Tree>& out, named_symbols& symbols,
                             const char*& name) {
  std::vector<tensor> leaves;
  for_each_leaf_type<Tree>([&]<class Leaf>(const text&) {
    tensor_type type{{}, element_dtype<Leaf>};
    const int input = static_cast<int>(r.inputs.size());
    for (const auto& e : array_traits<Leaf>::extents) {
      const int axis = type.rank();
      if (e.known()) {
        type.dims.push_back(e.number);
        continue;
      }
      const auto code = r.extents.symbol(input, axis);
      type.dims.push_back(*e.name ? symbols.add(r, e.name, code) : code);
    }
    leaves.push_back(record_input(r, type, name));
    while (*name++) {
    }
  });
  std::size_t next = 0;
  for_each_leaf(out, [&](tensor& t) { t = leaves[next++]; });
}

/// A result as a value of `r`: a constant is recorded.
constexpr int output_id(recorder& r, const tensor& t) {
  if (!t.owner && !t.has_value()) {
    r.report.fail("model: a result is empty");
    return r.inputs.empty() ? attach(r, {constant_source::number, dtype::float32, 0}).id
                            : r.inputs[0];
  }
  return t.owner ? t.id : attach(r, t.constant).id;
}

/// Records F on arguments of these types.
template <class F, class... A> constexpr recorder record_model() {
  recorder r;
  std::tuple<to_symbolic<A>...> arguments{};
  named_symbols symbols;
  const char* name = input_names<A...>::chars.data();
  if constexpr (is_operator<F>) ++r.report.depth;  // no place
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (record_inputs<A>(r, std::get<I>(arguments), symbols, name), ...);
    auto results = F{}(std::get<I>(arguments)...);
    for_each_leaf(results,
                  [&](const auto& leaf) { r.outputs.push_back(output_id(r, operand(leaf).t)); });
  }(std::index_sequence_for<A...>{});
  return r;
}

/// The outcome of recording: the program, and the error if there was one.
template <class Room> struct recording : Room {
  static constexpr int message_room = 480;
  int message_size;
  char message[message_room];
};

// Both in one evaluation: recording is what takes the time.
template <class Room, class F, class... A> struct recorded {
  static constexpr recording<Room> run() {
    const recorder r = record_model<F, A...>();
    recording<Room> out{freeze<Room>(r), 0, {}};
    for (char c : r.report.message.view())
      if (out.message_size < recording<Room>::message_room) out.message[out.message_size++] = c;
    return out;
  }
  static constexpr recording<Room> value = run();
};

template <class F, class... A> using usual = recorded<core::usual_program, F, A...>;
template <class F, class... A> using large = recorded<core::large_program, F, A...>;

}  // namespace model

/// The program of model F for arguments of the types A: arrays, declarations of arrays, trees of them.
template <class F, class... A> struct recorded_model {
  static constexpr program run();
};

namespace model {

template <bool Fits, class F, class... A> struct stage : usual<F, A...> {};
template <class F, class... A> struct stage<false, F, A...> : large<F, A...> {};

template <class F, class... A>
inline constexpr bool fits_usual = usual<F, A...>::value.used.fits(core::usual_program::room);

}  // namespace model

template <class F, class... A>
struct stage<recorded_model<F, A...>> : model::stage<model::fits_usual<F, A...>, F, A...> {};

template <class F, class... A> constexpr program recorded_model<F, A...>::run() {
  return thaw(stage<recorded_model>::value);
}

/// What the model returns: a tree of tensors.
template <class F, class... A>
using symbolic_result =
    std::remove_cvref_t<decltype(std::declval<const F&>()(std::declval<to_symbolic<A>&>()...))>;

/// A model without captures or state: it can be made anew while the program compiles.
template <class F>
inline constexpr bool stateless =
    std::conjunction_v<std::is_empty<F>, std::is_default_constructible<F>>;

}  // namespace primal
