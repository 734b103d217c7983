// blas: what cuBLAS must be told about matrices.
#pragma once

#include <primal/core/dtype.hpp>
#include <primal/core/math.hpp>
#include <primal/cuda/error.hpp>
#include <primal/runtime/product_batch.hpp>

#include <algorithm>
#include <limits>
#include <memory>

namespace primal::on_cuda {

/// The cuBLAS handle of this thread for a device. Making one takes milliseconds.
class blas_handle {
 public:
  static cublasHandle_t of(int device) {
    static thread_local std::unique_ptr<blas_handle> handles[most_devices];
    if (device >= most_devices) raise<cuda_error>("primal: matmul: more than 64 devices");
    auto& own = handles[device];
    if (!own) own.reset(new blas_handle);
    return own->handle_;
  }
  ~blas_handle() { cublasDestroy(handle_); }

 private:
  static constexpr int most_devices = 64;
  cublasHandle_t handle_{};
  blas_handle() { check(cublasCreate(&handle_), "cublasCreate"); }
};

template <class T>
inline constexpr bool has_blas = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                                 std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T> constexpr cudaDataType_t blas_type() {
  if (std::is_same_v<T, double>) return CUDA_R_64F;
  if (std::is_same_v<T, float16>) return CUDA_R_16F;
  return std::is_same_v<T, bfloat16> ? CUDA_R_16BF : CUDA_R_32F;
}

/// How sums of products are calculated. `tf32`: factors of float32 may be rounded to 11 bits, which is 8 times as fast.
template <class T> constexpr cublasComputeType_t compute_type(bool tf32) {
  if (std::is_same_v<T, double>) return CUBLAS_COMPUTE_64F;
  return std::is_same_v<T, float> && tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

/// A row-major matrix as cuBLAS reads it, column by column: then it is the transpose.
struct blas_operand {
  cublasOperation_t transposed = CUBLAS_OP_N;
  std::int64_t leading = 1;
  bool fits = false;

  blas_operand(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t column) {
    if ((column == 1 || columns == 1) && (row >= columns || rows == 1)) {
      leading = rows == 1 ? columns : row;
      fits = true;
    } else if ((row == 1 || rows == 1) && (column >= rows || columns == 1)) {
      transposed = CUBLAS_OP_T;
      leading = columns == 1 ? rows : column;
      fits = true;
    }
  }
};

}  // namespace primal::on_cuda
