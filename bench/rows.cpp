// Kernels over rows of 768 floats beside what a person would write: forward, and value and gradients
// in one kernel. 64 rows lie in the second-level cache, 8192 in memory. Names end in `fixed` where
// the length of a row is known at compile time, in `free` where every extent is known at the call.
//
// x_copy is the time over that of copying as many bytes as must be read and written at least,
// x_hand over that of the loops in hand/, which write the same arrays. All are least times of runs
// that take turns.
#include "hand/cross_entropy.hpp"
#include "hand/gelu.hpp"
#include "hand/layer_norm.hpp"
#include "hand/norm_gelu.hpp"
#include "hand/softmax.hpp"
#include "models.hpp"
#include "work.hpp"

namespace {

namespace pm = primal;
namespace models = bench::models;

constexpr std::int64_t row_length = 768;

/// Declarations of the arrays, with rows of a known length or not.
struct fixed {
  static constexpr const char* name = "fixed";
  using rows = pm::array<float, pm::dyn, row_length>;
  using row = pm::array<float, row_length>;
};
struct free {
  static constexpr const char* name = "free";
  using rows = pm::array<float, pm::dyn, pm::dyn>;
  using row = pm::array<float, pm::dyn>;
};
using labels = pm::array<std::int32_t, pm::dyn>;
using loss = pm::array<float>;

alignas(64) float buffer[row_length];

// Loops by hand: how a work's arrays are passed to them.
template <class A> hand::index rows_of(const A& a) { return a.extent(0, 0); }
template <class A> hand::index columns_of(const A& a) { return a.extent(0, 1); }
template <class A> hand::index size_of(const A& a) { return rows_of(a) * columns_of(a); }

template <class D> void add(std::int64_t n) {
  using rows = typename D::rows;
  using row = typename D::row;
  const bench::shape whole{n, row_length}, one{row_length};

  bench::work<rows(rows, row, row)>{
      "layer_norm",
      D::name,
      whole,
      {whole, one, one},
      {.forward = {{"x_hand",
                    [](auto& a) {
                      hand::layer_norm(a.template x<0>(), a.template x<1>(), a.template x<2>(),
                                       a.out.data, rows_of(a), columns_of(a));
                    }}},
       .value_grad = {{"x_hand",
                       [](auto& a) {
                         hand::layer_norm_gradient(a.template x<0>(), a.template x<1>(),
                                                   a.template x<2>(), a.cotangent.data, a.out.data,
                                                   a.template dx<0>(), a.template dx<1>(),
                                                   a.template dx<2>(), rows_of(a), columns_of(a));
                       }}}}}
      .add(models::layer_norm);

  bench::work<rows(rows)>{"softmax",
                          D::name,
                          whole,
                          {whole},
                          {.forward = {{"x_hand",
                                        [](auto& a) {
                                          hand::softmax(a.template x<0>(), a.out.data, buffer,
                                                        rows_of(a), columns_of(a));
                                        }}},
                           .value_grad = {{"x_hand",
                                           [](auto& a) {
                                             hand::softmax_gradient(a.template x<0>(),
                                                                    a.cotangent.data, a.out.data,
                                                                    a.template dx<0>(), buffer,
                                                                    rows_of(a), columns_of(a));
                                           }}}}}
      .add(models::softmax);

  bench::work<rows(rows)>{
      "gelu",
      D::name,
      whole,
      {whole},
      {.forward = {{"x_hand",
                    [](auto& a) { hand::gelu(a.template x<0>(), a.out.data, size_of(a)); }}},
       .value_grad = {{"x_hand",
                       [](auto& a) {
                         hand::gelu_gradient(a.template x<0>(), a.cotangent.data, a.out.data,
                                             a.template dx<0>(), size_of(a));
                       }}}}}
      .add(models::gelu);

  bench::work<loss(rows, labels)>{
      "cross_entropy",
      D::name,
      {},
      {whole, {n}},
      {.forward = {{"x_hand",
                    [](auto& a) {
                      hand::cross_entropy(a.template x<0>(), a.template x<1>(), a.out.data,
                                          rows_of(a), columns_of(a));
                    }}},
       .value_grad = {{"x_hand",
                       [](auto& a) {
                         hand::cross_entropy_gradient(a.template x<0>(), a.template x<1>(),
                                                      a.out.data, a.template dx<0>(), buffer,
                                                      rows_of(a), columns_of(a));
                       }}}}}
      .add(models::cross_entropy);

  bench::work<rows(rows, row)>{"norm_gelu",
                               D::name,
                               whole,
                               {whole, one},
                               {.value_grad = {{"x_hand",
                                                [](auto& a) {
                                                  hand::norm_gelu_gradient(
                                                      a.template x<0>(), a.template x<1>(),
                                                      a.cotangent.data, a.out.data,
                                                      a.template dx<0>(), a.template dx<1>(),
                                                      buffer, rows_of(a), columns_of(a));
                                                }}}}}
      .add(models::norm_gelu);
}

/// Those that nobody wrote by hand.
void add_others(std::int64_t n) {
  using rows = fixed::rows;
  const bench::shape whole{n, row_length};
  bench::work<rows(rows, fixed::row)>{"rms_norm", "fixed", whole, {whole, {row_length}}}.add(
      models::rms_norm);
  bench::work<rows(rows)>{"log_softmax", "fixed", whole, {whole}}.add(models::log_softmax);
  bench::work<rows(rows)>{"gelu_tanh", "fixed", whole, {whole}}.add(models::gelu_tanh);
  bench::work<rows(rows)>{"silu", "fixed", whole, {whole}}.add(models::silu);
}

[[maybe_unused]] const bool registered = [] {
  for (const std::int64_t n : {64, 8192}) {
    add<fixed>(n);
    add<free>(n);
    add_others(n);
  }
  return true;
}();

}  // namespace
