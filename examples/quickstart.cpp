// quickstart: first steps: a model, a call, a gradient, and what is known ahead

#include <primal/primal.hpp>

#include <iostream>

#if __has_include(<xtensor/io/xio.hpp>)
#include <xtensor/io/xio.hpp>
#else
#include <xtensor/xio.hpp>
#endif

namespace pm = primal;

// A model is an ordinary function of tensors. It is recorded while this file compiles; what is left in the
// program are a few loops.
inline constexpr auto predict = [](auto x, auto w, auto b) {
  return pm::softmax(pm::gelu(pm::matmul(x, w) + b));
};

inline constexpr auto loss = [](auto x, auto w, auto b, auto labels) {
  auto h = pm::gelu(pm::layer_norm(pm::matmul(x, w) + b));
  return pm::cross_entropy(h, labels);  // one number
};

int main() {
  xt::xtensor<float, 2> X = {{0.1f, 0.2f, 0.3f, 0.4f}, {1, -1, 1, -1}};
  xt::xtensor<float, 2> W = {{1, 0, 2}, {0, 1, 1}, {1, 1, 0}, {-1, 2, 1}};
  xt::xtensor<float, 1> B = {0.5f, 0, -0.5f};
  xt::xtensor<int, 1> labels = {2, 0};

  // An operator runs at once on arrays.
  std::cout << "softmax(X)\n" << pm::softmax(X) << "\n\n";

  // A model becomes a function of arrays: ranks and dtypes come from the types, extents from the call.
  std::cout << "predict(X, W, B)\n" << pm::compile(predict)(X, W, B) << "\n\n";

  // The gradient of a model is a model.
  const auto dW = pm::grad<1>(loss)(X, W, B, labels);
  std::cout << "the gradient of the loss for W\n" << dW << "\n\n";

  const auto [value, gradients] = pm::value_and_grad<1, 2>(loss)(X, W, B, labels);
  const auto& [gW, gB] = gradients;
  std::cout << "loss " << value << ", its gradient for B " << gB << "\n\n";

  // Extents that are declared ahead make better code, and a call with others throws.
  constexpr auto fixed =
      pm::compile<pm::array<float, pm::dyn, 4>, pm::array<float, 4, 3>, pm::array<float, 3>>(
          predict);
  auto Y = fixed(X, W, B);
  try {
    fixed(W, W, B);
  } catch (const pm::shape_error& e) {
    std::cout << "pm::shape_error: " << e.what() << "\n\n";
  }

  // Into memory of yours, with a workspace of yours: such a call allocates nothing.
  pm::workspace room;
  fixed.with(room).into(Y)(X, W, B);

  // Programs are values: they can be asked while compiling, and printed.
  constexpr auto program =
      pm::program_of<pm::array<float, pm::dyn, 4>, pm::array<float, 4, 3>, pm::array<float, 3>>(
          predict);
  static_assert(program.count("softmax") == 1 && !program.is_primitive());
  std::cout << "predict, as recorded\n" << pm::to_text(program);

  // A mistake is one compile error that names the operator, the shapes and the line of the model. With the
  // extents of W swapped,
  //
  //   pm::compile<pm::array<float, 2, 4>, pm::array<float, 3, 4>, pm::array<float, 3>>(predict);
  //
  // g++ says:
  //
  //   error: static assertion failed: primal: this model is ill-formed
  //   note: 'primal::model_error<{"matmul: inner dimensions differ:"}, {"f32[2,4] x f32[3,4] at"},
  //         {"quickstart.cpp:18"}>::none' evaluates to false
}
