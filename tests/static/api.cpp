// What API.md promises about names, types and programs, as far as it is decided while compiling.
#include <primal/primal.hpp>

namespace pm = primal;

namespace {

using A = pm::array<float, pm::dyn, 768>;
using B = pm::array<float, 768, 10>;

template <template <std::size_t> class Array> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (Array<2>, w), (Array<1>, b));
};
template <template <std::size_t> class Array> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<Array>, first), (linear<Array>, second));
};
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;

// ---- models ------------------------------------------------------------------------------------

inline constexpr auto net = [](auto p, auto x) {
  auto h = pm::gelu(pm::matmul(x, p.first.w) + p.first.b);
  return pm::matmul(h, p.second.w) + p.second.b;
};
inline constexpr auto net_loss = [](auto p, auto x, auto y) {
  return pm::cross_entropy(net(p, x), y);
};
inline constexpr auto train = [](auto p, auto m, auto v, auto t, auto x, auto y) {
  auto [value, g] = pm::value_and_grad<0>(net_loss)(p, x, y);
  auto [p2, m2, v2] = pm::adam(p, g, m, v, t, {.learning_rate = 1e-3});
  return std::tuple(value, p2, m2, v2);
};
inline constexpr auto softmax_of_product = [](auto x, auto w) {
  return pm::softmax(pm::matmul(x, w));
};
inline constexpr auto loss = [](auto x, auto w) {
  return pm::sum(pm::gelu(pm::layer_norm(pm::matmul(x, w))));
};

// Values of handles are values for if, for and switch; extents work beside tensors and in attributes.
inline constexpr auto handles = [](auto x) {
  int turns = 0;
  for (int i = 0; i < x.rank(); ++i) turns += x.dtype() == pm::dtype::float32;
  std::vector<pm::tensor> parts(static_cast<std::size_t>(x.rank()), x);
  if (x.rank() != 3) parts.clear();
  const auto flat = pm::reshape(x, {x.extent(0) * x.extent(1), -1});
  const auto mean = pm::sum(x, {.axes = {0, 2}, .keepdims = true}) / (x.extent(0) * x.extent(2));
  return std::tuple(flat, mean * turns, pm::transpose(x, {1, 0, 2}),
                    x(pm::all, pm::range(2, -1), pm::newaxis), pm::concat({x, x}, {.axis = 1}),
                    pm::cast<double>(x), pm::stack(parts, {.axis = -1}),
                    pm::concat(pm::split<2>(x, {.axis = 2}), {.axis = 1}));
};
constexpr auto h = pm::program_of<pm::array<float, pm::dyn, 5, 6>>(handles);
static_assert(h.count("reshape") >= 1 && h.count("concat") == 2 && h.count("transpose") == 1);

// Optional inputs, attributes, several results, constants that stand alone.
inline constexpr auto calls = [](auto x, auto w) {
  auto a = pm::layer_norm(x);
  auto b = pm::layer_norm(x, pm::none, w, {.epsilon = 1e-3});
  auto [y, mean, variance] = pm::layer_norm.outputs(x, w, w);
  auto c = pm::zeros({2, 3}) + 1;
  auto d = pm::full({3}, 0.5, {.dtype = pm::dtype::float64});
  return std::tuple(a, b, y, mean, variance, c * pm::ones({3}), d, pm::zeros_like(x), 1 - x, x % 2,
                    x > 0);
};
constexpr auto c = pm::program_of<pm::array<pm::float16, 4, 8>, pm::array<pm::float16, 8>>(calls);
static_assert(c.count("layer_norm") == 3);

// ---- types of results ---------------------------------------------------------------------------

template <class F, class... X>
using result = decltype(pm::compile(F{})(std::declval<const X&>()...));

static_assert(std::is_same_v<result<decltype(softmax_of_product), f32<2>, f32<2>>, f32<2>>);
static_assert(std::is_same_v<result<decltype(loss), f32<2>, f32<2>>, float>);
static_assert(std::is_same_v<result<decltype(train), mlp<f32>, mlp<f32>, mlp<f32>, float, f32<2>,
                                    xt::xtensor<std::int32_t, 1>>,
                             std::tuple<float, mlp<f32>, mlp<f32>, mlp<f32>>>);

// ---- declarations -------------------------------------------------------------------------------

constexpr auto g = pm::compile<A, B>(softmax_of_product);
constexpr auto named =
    pm::compile<pm::array<float, pm::dim<"batch">, 768>, pm::array<float, 768, pm::dim<"batch">>>(
        softmax_of_product, pm::options{.threads = 2});
static_assert(!std::is_same_v<decltype(g), decltype(named)>);

// ---- looking inside -----------------------------------------------------------------------------

constexpr auto p = pm::program_of<A, B>(softmax_of_product);
static_assert(p.size() == 4 && p.count("softmax") == 1 && p.count("matmul") == 1 &&
              !p.is_primitive());
constexpr auto kept = pm::decompose<A, B>(loss, pm::policy{.keep = {"gelu"}});
static_assert(kept.count("gelu") == 1 && kept.count("layer_norm") == 0 && !kept.is_primitive());
constexpr auto only = pm::decompose<A, B>(loss, pm::policy{.only = {"gelu"}});
static_assert(only.count("gelu") == 0 && only.count("layer_norm") == 1);
constexpr auto expanded = pm::decompose<A, B>(loss, pm::policy{.require_primitive = true});
static_assert(expanded.is_primitive());
constexpr auto gradient = pm::program_of<A, B>(pm::value_and_grad<1>(loss));
static_assert(gradient.size() > 8);

static_assert(pm::has_decomp_rule("softmax") && !pm::has_decomp_rule("exp") &&
              pm::has_vjp_rule("exp"));
static_assert(pm::has_decomp_rule<pm::softmax_op>());

// ---- operators of one's own ---------------------------------------------------------------------

struct mish_op : pm::composite<mish_op> {
  static constexpr pm::op_name name{"mish"};
  static constexpr pm::tensor decompose(pm::tensor x) { return x * pm::tanh(pm::softplus(x)); }
};
inline constexpr pm::op<mish_op> mish{};
constexpr auto own = pm::program_of<A>(pm::grad<0>([](auto x) { return pm::sum(mish(x)); }));
static_assert(own.count("mish") == 1);
constexpr auto own_expanded = pm::decompose<A>(mish);
static_assert(own_expanded.is_primitive() && own_expanded.count("tanh") == 1);

}  // namespace
