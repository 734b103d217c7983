// The training of `digits` on a GPU: the same model, on arrays of the device.
#include "digits.hpp"

#include "../digits_model.hpp"

#include <stdexcept>

namespace {

template <std::size_t Rank> using f32 = pm::device_array<float, Rank>;

/// Steps are counted on the device, where nobody waits for the number.
constexpr auto counted_step = [](auto p, auto m, auto v, auto t, auto x, auto labels) {
  return std::tuple(step(p, m, v, t + 1, x, labels), t + 1);
};

mlp<f32> zeros() {
  return {{f32<2>({pixels, hidden}), f32<1>({hidden})},
          {f32<2>({hidden, classes}), f32<1>({classes})}};
}

}  // namespace

struct device_training::state {
  mlp<f32> p = zeros(), m = zeros(), v = zeros();
  f32<0> t{{}}, value{{}};
  f32<2> images{{batch, pixels}};
  pm::device_array<std::int32_t, 1> labels{{batch}};
  pm::cuda_workspace room;

  static constexpr auto call =
      pm::compile<mlp<f32>, mlp<f32>, mlp<f32>, f32<0>, pm::array<float, batch, pixels>,
                  pm::array<std::int32_t, batch>>(counted_step, pm::cuda{});
};

device_training::device_training(const std::vector<host_numbers>& parameters) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    throw std::runtime_error("there is no GPU here");
  state_ = std::make_unique<state>();
  std::size_t i = 0;
  pm::for_each_leaf(state_->p, [&](auto& leaf) { leaf.copy_from(parameters.at(i++).data); });
}
device_training::~device_training() = default;

float device_training::step(const float* images, const std::int32_t* labels) {
  auto& [p, m, v, t, value, batch_images, batch_labels, room] = *state_;
  batch_images.copy_from(images);
  batch_labels.copy_from(labels);
  // Results go where the arguments are: a step replaces the parameters in place.
  state::call.with(room).into(value, p, m, v, t)(p, m, v, t, batch_images, batch_labels);
  float loss = 0;
  value.copy_to(&loss);
  return loss;
}

void device_training::read(const std::vector<host_numbers>& parameters) const {
  std::size_t i = 0;
  pm::for_each_leaf(state_->p, [&](const auto& leaf) { leaf.copy_to(parameters.at(i++).data); });
}
