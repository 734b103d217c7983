// digits: the training step of the examples `digits` and `explain` for xtensor's arrays.
#pragma once

#include "digits_model.hpp"

/// Arrays in the places of the parameters.
template <std::size_t Rank> using f32 = xt::xtensor<float, Rank>;
using parameters = mlp<f32>;

/// The step as a function of arrays: one batch is 64 images.
inline constexpr auto train_step =
    pm::compile<parameters, parameters, parameters, int, pm::array<float, batch, pixels>,
                pm::array<std::int32_t, batch>>(step);
