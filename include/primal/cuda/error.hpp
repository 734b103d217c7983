// error: what the CUDA libraries report, as exceptions.
#pragma once

#include <primal/core/error.hpp>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

namespace primal {

/// A CUDA call that failed. The message names the call.
struct cuda_error : error {
  using error::error;
};

namespace on_cuda {

inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that the next call starts clean
  raise<cuda_error>(join("primal: ", call, ": ", cudaGetErrorString(status)).str());
}
inline void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  raise<cuda_error>(join("primal: ", call, ": ", cublasGetStatusString(status)).str());
}
/// After a launch, which returns nothing.
inline void check_launch(const char* what) { check(cudaPeekAtLastError(), what); }

}  // namespace on_cuda

}  // namespace primal
