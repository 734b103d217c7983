// What models become: kernels, how often each goes over its rows, and products of matrices.

#include <primal/primal.hpp>

namespace pm = primal;

namespace {

constexpr std::int64_t n = 64, m = 768;
using rows = pm::array<float, n, m>;
using row = pm::array<float, m>;
using labels = pm::array<std::int32_t, n>;
using any_rows = pm::array<float, pm::dyn, m>;
using any_labels = pm::array<std::int32_t, pm::dyn>;

template <class Numbers> constexpr bool one_kernel(const Numbers& p, int sweeps) {
  return p.kernels == 1 && p.matmuls == 0 && p.temporaries == 0 && p.sweeps(0) == sweeps;
}

// ---- forward -------------------------------------------------------------------------------------

constexpr auto gelu = [](auto x) { return pm::gelu(x); };
constexpr auto softmax = [](auto x) { return pm::softmax(x); };
constexpr auto layer_norm = [](auto x, auto scale, auto bias) {
  return pm::layer_norm(x, scale, bias);
};

static_assert(one_kernel(pm::plan_summary<rows>(gelu), 1));
static_assert(one_kernel(pm::plan_summary<rows>(softmax), 3));
static_assert(one_kernel(pm::plan_summary<rows, row, row>(layer_norm), 3));

// Known ahead or not, extents give the same kernels.
static_assert(one_kernel(pm::plan_summary<any_rows>(softmax), 3));
static_assert(one_kernel(pm::plan_summary<any_rows, row, row>(layer_norm), 3));

// ---- forward and backward --------------------------------------------------------------------------

constexpr auto layer_norm_vjp = [](auto x, auto scale, auto bias, auto dy) {
  return pm::vjp<0, 1, 2>(layer_norm)(x, scale, bias, dy);
};
constexpr auto layer_norm_loss = [](auto x, auto scale, auto bias, auto weight) {
  return pm::sum(pm::layer_norm(x, scale, bias) * weight);
};
constexpr auto cross_entropy = [](auto x, auto y) { return pm::cross_entropy(x, y); };

// The backward pass alone has the sums that depend on the mean; they are taken in the sweep that finds the
// variance, so that three sweeps are enough for the values and all gradients.
static_assert(one_kernel(pm::plan_summary<rows, row, row, rows>(layer_norm_vjp), 3));
static_assert(one_kernel(pm::plan_summary<any_rows, row, row, any_rows>(layer_norm_vjp), 3));
static_assert(one_kernel(
    pm::plan_summary<rows, row, row, rows>(pm::value_and_grad<0, 1, 2>(layer_norm_loss)), 3));
static_assert(one_kernel(pm::plan_summary<rows, labels>(pm::value_and_grad(cross_entropy)), 3));
static_assert(one_kernel(pm::plan_summary<any_rows, any_labels>(pm::value_and_grad(cross_entropy)),
                         3));

// The factor of all rows goes into the row's and into the choice of the label: per element the gradient is one
// product less the chosen number, and a row has one division.
constexpr auto slope = pm::plan_summary<any_rows, any_labels>(pm::grad(cross_entropy));
static_assert(slope.kernels == 1 && slope.statements(0) == 24);
constexpr auto chosen = [](auto y, auto condition, auto s) {
  return (y - pm::cast(condition, pm::dtype::float32)) * s;
};
// Three loads, a number, a selection, a product with a difference, a store.
static_assert(pm::plan_summary<rows, pm::array<bool, n, m>, float>(chosen).statements(0) == 7);

// One element per row of what is never in memory: of a sum that broadcasts along rows and columns, too.
constexpr auto shifted_loss = [](auto x, auto b, auto c, auto y) {
  return pm::cross_entropy(x * b + pm::exp(c), y);
};
static_assert(one_kernel(pm::plan_summary<any_rows, row, pm::array<float, pm::dyn, 1>, any_labels>(
                             pm::value_and_grad<0, 1, 2>(shifted_loss)),
                         3));

// ---- products that are sums ------------------------------------------------------------------------

// The sum of a product of matrices is a product of the sums of rows and columns, and so is its gradient: no product of
// three times n numbers. One that is a result itself is calculated, and then added up.
using left_matrix = pm::array<float, n, m>;
using right_matrix = pm::array<float, m, 10>;
constexpr auto sum_of_product = [](auto a, auto b) { return pm::sum(pm::matmul(a, b)); };
constexpr auto summed = pm::plan_summary<left_matrix, right_matrix>(sum_of_product);
static_assert(summed.matmuls == 1 && summed.kernels == 2);
constexpr auto summed_slope =
    pm::plan_summary<left_matrix, right_matrix>(pm::value_and_grad<0, 1>(sum_of_product));
static_assert(summed_slope.matmuls == 1 && summed_slope.kernels == 4);
constexpr auto product_and_sum = [](auto a, auto b) {
  const auto y = pm::matmul(a, b);
  return std::tuple(y, pm::sum(y));
};
static_assert(pm::plan_summary<left_matrix, right_matrix>(product_and_sum).kernels == 1);

// A column times a row is no step of its own.
constexpr auto outer = [](auto x, auto y) { return pm::matmul(x, y) + 1; };
static_assert(one_kernel(pm::plan_summary<pm::array<float, n, 1>, pm::array<float, 1, m>>(outer),
                         1));

// The gradient of a sum is ones, which the kernel of the sum writes; where they are added up, that is an extent.
using any_row = pm::array<float, pm::dyn>;
constexpr auto sum = [](auto x) { return pm::sum(x); };
static_assert(one_kernel(pm::plan_summary<any_row>(pm::value_and_grad(sum)), 1));
constexpr auto shifted_sum = [](auto x, auto b) { return pm::sum(x * x - b); };
static_assert(pm::plan_summary<any_row, pm::array<float, 1>>(pm::grad<1>(shifted_sum)).sweeps(0) ==
              0);

// ---- more than one kernel can hold -----------------------------------------------------------------

template <int Rounds>
constexpr auto chain = [](auto x, auto y) {
  auto t = x;
  for (int i = 0; i < Rounds; ++i) t = pm::minimum(pm::maximum(t * y + x, y) - x, x);
  return t;
};
template <int Rounds>
constexpr auto chain_vjp =
    pm::plan_summary<any_row, any_row, any_row>(pm::vjp<0, 1>(chain<Rounds>));
static_assert(chain_vjp<4>.kernels == 1 && chain_vjp<4>.temporaries == 0);

// Of the 60 values forward that the gradient compares, the kernels keep one every few rounds; from those they
// calculate the others again. What passes between two backward are the cotangents of t, x and y.
static_assert(chain_vjp<20>.kernels == 5 && chain_vjp<20>.temporaries == 8);

// ---- equal extents ---------------------------------------------------------------------------------

// From `x + y` on both extents are one: two loads, a place, a sum, a square with a sum, a store.
constexpr auto alike = [](auto x, auto y) {
  const auto place = [](auto count) { return pm::arange(count, {pm::dtype::float32}); };
  return (x + place(x.extent(0))) * (x + place(y.extent(0))) + y;
};
static_assert(pm::plan_summary<any_row, any_row>(alike).statements(0) == 6);

// ---- a training step -------------------------------------------------------------------------------

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<A>, first), (linear<A>, second));
};
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;

constexpr auto loss = [](auto p, auto x, auto y) {
  auto h = pm::gelu(pm::layer_norm(pm::matmul(x, p.first.w) + p.first.b));
  return pm::cross_entropy(pm::matmul(h, p.second.w) + p.second.b, y);
};
constexpr auto step = [](auto p, auto first, auto second, auto t, auto x, auto y) {
  auto [value, gradient] = pm::value_and_grad(loss)(p, x, y);
  auto [p2, m2, v2] = pm::adam(p, gradient, first, second, t);
  return std::tuple(value, p2, m2, v2);
};

constexpr auto trained =
    pm::plan_summary<mlp<f32>, mlp<f32>, mlp<f32>, int, pm::array<float, 64, 64>,
                     pm::array<std::int32_t, 64>>(step);
// Products: two forward, one for the hidden layer's cotangent, two for the weights. Kernels: after each
// product forward (the second one is the loss with its gradient), before the last product backward, and Adam once
// for each of four arrays.
static_assert(trained.matmuls == 5);
static_assert(trained.kernels == 7);

// Rows of a batch that one matrix multiplies are one product, heads are read and written where they lie, and the
// three cotangents of the tokens are added up by their products: what is left is the softmax and its slope.
constexpr auto heads = [](auto x) {
  return pm::transpose(pm::reshape(x, {x.extent(0), x.extent(1), 4, 16}), {0, 2, 1, 3});
};
constexpr auto attention = [](auto x, auto q, auto k, auto v) {
  const auto scores =
      pm::matmul(heads(pm::matmul(x, q)), pm::transpose(heads(pm::matmul(x, k)), {0, 1, 3, 2}));
  const auto mixed = pm::matmul(pm::softmax(scores), heads(pm::matmul(x, v)));
  return pm::reshape(pm::transpose(mixed, {0, 2, 1, 3}), x.shape());
};
using tokens = pm::array<float, pm::dyn, pm::dyn, 64>;
using square = pm::array<float, 64, 64>;
constexpr auto attended = pm::plan_summary<tokens, square, square, square>(attention);
static_assert(attended.matmuls == 5 && attended.kernels == 1);
constexpr auto attention_vjp =
    pm::plan_summary<tokens, square, square, square, tokens>(pm::vjp<0, 1, 2, 3>(attention));
static_assert(attention_vjp.matmuls == 15 && attention_vjp.kernels == 2);

// Axes of one extent keep their order: the shares of a square are read as they lie.
constexpr auto shares = [](auto x) { return x / pm::sum(x, {.keepdims = true}); };
static_assert(pm::plan_summary<square>(shares).kernels == 1);

// Steps of a loop: the sums that are the gradients of what all steps use do not end a kernel each, and meet before they
// are added up; gradients of single elements are parts of one array, also where its length is free.
constexpr auto walk = [](auto p, auto z) {
  auto x = p(0) + 0 * z(0);
  for (int i = 0; i < 16; ++i) x = x + pm::tanh(x) * p(1) + pm::sqrt(pm::abs(x)) * p(2) * z(i);
  return pm::mean(x);
};
using paths = pm::array<float, pm::dyn, pm::dyn>;
constexpr auto walked = pm::plan_summary<any_row, paths>(pm::grad<0>(walk));
static_assert(walked.kernels <= 8);

// A call evaluates the extents that its kernels ask for, not all those that led to them.
constexpr auto product = [](auto x) { return pm::prod(x); };
using product_slope = primal::recorded_model<decltype(pm::value_and_grad(product)), any_row>;
static_assert(primal::plan_extents<primal::plan_of<product_slope>>::count < 40);

// The same numbers from a compiled model.
static_assert(pm::plan_summary(pm::compile<rows>(gelu)).statements(0) == 3);

}  // namespace
