// testing: is what a model gives on the device what the interpreter gives? For tests in .cu files.
#pragma once

#include <primal/cuda.hpp>
#include <primal/interpret/interpret.hpp>
#include <primal/testing/comparison.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace primal::testing {

inline bool has_device() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

/// A copy of an array of the device.
template <class T, std::size_t Rank> dense dense_of(const device_array<T, Rank>& array) {
  std::vector<T> values(array.size());
  array.copy_to(values.data());
  dense copy{{array.extents().begin(), array.extents().end()}, {}, dtype_of<T>};
  copy.values.reserve(values.size());
  for (const T& x : values) {
    if constexpr (is_half(dtype_of<T>))
      copy.values.push_back(static_cast<double>(static_cast<float>(x)));
    else copy.values.push_back(static_cast<double>(x));
  }
  return copy;
}
/// Of all leaves of some trees.
template <class... Trees> std::vector<dense> dense_leaves(const Trees&... trees) {
  std::vector<dense> copies;
  (for_each_leaf(trees, [&](const auto& leaf) { copies.push_back(dense_of(leaf)); }), ...);
  return copies;
}

/// Arrays for the results of a model, of these extents.
template <class Outputs> auto results_on_device(const std::vector<dense>& like) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto array = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      constexpr auto rank = static_cast<std::size_t>(Outputs::types[K].rank());
      std::array<std::int64_t, rank> extents{};
      std::copy(like[K].extents.begin(), like[K].extents.end(), extents.begin());
      return device_array<element_of<Outputs::types[K].dtype>, rank>(extents);
    };
    return std::tuple(array(std::integral_constant<std::size_t, I>{})...);
  }(std::make_index_sequence<Outputs::types.size()>{});
}

/// Runs a model on arrays of the device, and compares with the interpreter: empty if they agree within
/// `tolerance` times the greatest element of a result, else what differs.
template <class... Declared, class F, class... Trees>
std::string differs_on_device(F model, cudaStream_t stream, double tolerance, const Trees&... in) {
  using facts = compiling::facts<F, declarations<Declared...>>;
  constexpr auto program = program_of<Declared...>(F{});
  const auto wanted = interpret(thaw(program), dense_leaves(in...));
  auto out = results_on_device<typename facts::outputs>(wanted);
  cuda_workspace room(stream);
  std::apply(
      [&](auto&... y) {
        compile<Declared...>(model, cuda{.stream = stream}).with(room).into(y...)(in...);
      },
      out);
  on_cuda::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  return differ(std::apply([](const auto&... y) { return dense_leaves(y...); }, out), wanted,
                tolerance);
}

}  // namespace primal::testing
