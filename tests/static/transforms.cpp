// What recording and differentiating give, as programs.
#include <primal/primal.hpp>

namespace pm = primal;

namespace {

using V = pm::array<float, pm::dyn>;
using M = pm::array<float, 3, pm::dyn>;
using I = pm::array<std::int32_t, 3>;
using S = pm::array<double>;

/// The types of the results of F as text: "f32[3,n] f32[]". Which symbol stands for equal extents does not matter.
template <class F, class... A> constexpr auto types_of(F) {
  std::array<char, 64> out{};
  const auto p = pm::recorded_model<F, A...>::run();
  std::size_t n = 0;
  for (int v : p.outputs) {
    if (n > 0) out[n++] = ' ';
    const pm::text type = pm::to_text(p.type(v), p.extents);
    for (char c : type.view())
      if (c < '0' || c > '9' || out[n - 1] != 'n') out[n++] = c;
  }
  return out;
}
template <class... A, class F> constexpr bool gives(F f, std::string_view expected) {
  const auto out = types_of<F, A...>(f);
  return std::string_view(out.data()) == expected;
}

inline constexpr auto cube = [](auto x) { return x * x * x; };
inline constexpr auto total = [](auto x) { return pm::sum(x * x); };
inline constexpr auto weighted = [](auto x, auto w) { return pm::sum(x * w); };

// ---- inputs and symbols -------------------------------------------------------------------------

static_assert(gives<M>([](auto x) { return x; }, "f32[3,n]"));
static_assert(gives<M, V>([](auto x, auto v) { return x * v; }, "f32[3,n]"));
static_assert(gives<pm::array<float, pm::dim<"batch">>>([](auto x) { return x; }, "f32[batch]"));
static_assert(gives<V>([](auto x) { return pm::reshape(x, {x.extent(0), 1}); }, "f32[n,1]"));
static_assert(gives<std::tuple<V, S>>([](auto t) { return std::get<1>(t); }, "f64[]"));

// ---- gradients ----------------------------------------------------------------------------------

static_assert(gives<M>(pm::grad(total), "f32[3,n]"));
static_assert(gives<M, V>(pm::grad<1>(weighted), "f32[n]"));
static_assert(gives<M, V>(pm::value_and_grad<0, 1>(weighted), "f32[] f32[3,n] f32[n]"));
static_assert(gives<S>(pm::grad(pm::grad(pm::grad(cube))), "f64[]"));
static_assert(gives<pm::array<float, 3>, I>(pm::grad<0>(weighted), "f32[3]"));
static_assert(gives<M, M>(pm::vjp<0>(cube), "f32[3,n] f32[3,n]"));

// The derivatives of what does not depend on the input are not recorded.
constexpr auto unused = pm::program_of<V, V>(
    pm::grad<0>([](auto x, auto y) { return pm::sum(x) + pm::sum(pm::exp(y)); }));
static_assert(unused.count("exp") == 1);

// An operator with a rule of its own is not decomposed for a gradient, whatever a policy does later.
constexpr auto whole = pm::program_of<M>(pm::grad([](auto x) { return pm::sum(pm::softmax(x)); }));
static_assert(whole.count("softmax") == 1 && whole.count("exp") == 0);

// What is sliced alike again and again has one gradient, padded once.
constexpr auto sliced = pm::program_of<V>(pm::grad([](auto x) {
  auto y = x(0);
  for (int i = 0; i < 4; ++i) y = y * x(1) + pm::sum(x(pm::range(2, 4)));
  return y;
}));
static_assert(sliced.count("slice") == 9 && sliced.count("pad") == 3);

// So has everything that a model calculates alike.
constexpr auto alike = pm::program_of<V>(pm::grad([](auto x) {
  auto y = pm::sum(x);
  for (int i = 0; i < 4; ++i) y = y * pm::sum(pm::exp(pm::square(x)));
  return y;
}));
static_assert(alike.count("exp") == 4 && alike.count("broadcast_to") == 2);

// A stateless model with distinct arguments needs no renaming.
constexpr auto plain = pm::program_of<S>(pm::grad(cube));
static_assert(plain.count("argument") == 0);
constexpr auto twice =
    pm::program_of<S>([](auto x) { return pm::grad([](auto a, auto b) { return a * b; })(x, x); });
static_assert(twice.count("argument") == 1);

// ---- trees --------------------------------------------------------------------------------------

static_assert(pm::leaf_count<std::tuple<V, std::array<S, 2>>> == 3);
static_assert(pm::symbolic_tree<std::pair<pm::tensor, float>> &&
              !pm::symbolic_tree<std::pair<float, float>>);
static_assert(std::is_same_v<pm::to_symbolic<std::array<V, 2>>, std::array<pm::tensor, 2>>);

}  // namespace
