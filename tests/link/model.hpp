// What both translation units use: it must be one entity in the linked program.
#pragma once

#include "everything.hpp"

inline constexpr auto shared_model = [](auto x) { return primal::softmax(x * 2); };

struct unit_result {
  xt::xtensor<float, 1> value;
  const void* model;
};

unit_result result_of_one();
unit_result result_of_two();

/// 37 numbers: a length that leaves a remainder for each vector width.
inline xt::xtensor<float, 1> shared_input() {
  auto x = xt::xtensor<float, 1>::from_shape({37});
  for (std::size_t i = 0; i < x.size(); ++i) x(i) = 0.1f * static_cast<float>(i);
  return x;
}
