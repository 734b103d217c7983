// The smallest program that uses the CUDA back end. Exits with 77 where there is no GPU.
#include <primal/cuda.hpp>

#include <cstdio>

namespace pm = primal;

inline constexpr auto twice = [](auto x) { return x + x; };

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return 77;

  float* x = nullptr;
  cudaMallocManaged(&x, 2 * sizeof(float));
  x[0] = 1;
  x[1] = 2;
  pm::compile(twice, pm::cuda{}).into(pm::view(x, 2))(pm::view(x, 2));
  cudaDeviceSynchronize();
  std::printf("twice 1, 2: %g, %g\n", static_cast<double>(x[0]), static_cast<double>(x[1]));
  return x[0] == 2 && x[1] == 4 ? 0 : 1;
}
