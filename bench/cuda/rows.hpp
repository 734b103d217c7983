// rows: the works over rows and the lengths that they are measured with.
#pragma once

#include "work.hpp"

#include "../models.hpp"

namespace bench::on_cuda {

using matrix = pm::array<float, pm::dyn, pm::dyn>;
using row = pm::array<float, pm::dyn>;
using labels = pm::array<std::int32_t, pm::dyn>;
using number = pm::array<float>;

/// More than the second-level cache of any GPU holds.
inline constexpr std::int64_t elements = std::int64_t{1} << 25;

inline const work<matrix(matrix, row, row)> layer_norm{
    "layer_norm", [](std::int64_t n, std::int64_t length) -> shapes {
      return {{n, length}, {{n, length}, {length}, {length}}};
    }};
inline const work<matrix(matrix, row)> rms_norm{"rms_norm",
                                                [](std::int64_t n, std::int64_t length) -> shapes {
                                                  return {{n, length}, {{n, length}, {length}}};
                                                }};
inline const work<matrix(matrix, row)> norm_gelu{"norm_gelu",
                                                 [](std::int64_t n, std::int64_t length) -> shapes {
                                                   return {{n, length}, {{n, length}, {length}}};
                                                 }};
inline const work<matrix(matrix)> softmax{
    "softmax",
    [](std::int64_t n, std::int64_t length) -> shapes { return {{n, length}, {{n, length}}}; }};
inline const work<matrix(matrix)> gelu{"gelu", [](std::int64_t n, std::int64_t length) -> shapes {
                                         return {{n, length}, {{n, length}}};
                                       }};
inline const work<number(matrix, labels)> cross_entropy{
    "cross_entropy",
    [](std::int64_t n, std::int64_t length) -> shapes { return {{}, {{n, length}, {n}}}; }};

}  // namespace bench::on_cuda
