// epilogue_product: products of matrices that add one row to all of theirs or take gelu, by cuBLASLt.
#pragma once

#include <primal/cuda/blas.hpp>

#include <cublasLt.h>

namespace primal::on_cuda {

namespace lt {

/// A matrix as cuBLAS reads it, `rows` x `columns` after `transposed`.
template <class T>
cublasLtMatrixLayoutOpaque_t layout(std::int64_t rows, std::int64_t columns,
                                    cublasOperation_t transposed, std::int64_t leading) {
  if (transposed == CUBLAS_OP_T) std::swap(rows, columns);
  cublasLtMatrixLayoutOpaque_t own;
  check(cublasLtMatrixLayoutInit(&own, blas_type<T>(), static_cast<std::uint64_t>(rows),
                                 static_cast<std::uint64_t>(columns), leading),
        "cublasLtMatrixLayoutInit");
  return own;
}

template <class Value>
void set(cublasLtMatmulDescOpaque_t& d, cublasLtMatmulDescAttributes_t which, const Value& x) {
  check(cublasLtMatmulDescSetAttribute(&d, which, &x, sizeof x), "cublasLtMatmulDescSetAttribute");
}

/// The power of 2 up to 256 that an address is a multiple of. (Algorithms are chosen for 256 otherwise.)
inline std::uint32_t alignment(const void* p) {
  const auto bits = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p)) | 256;
  return bits & (~bits + 1);
}
inline void set(cublasLtMatmulPreferenceOpaque_t& wish, cublasLtMatmulPreferenceAttributes_t which,
                const void* p) {
  const auto bytes = alignment(p);
  check(cublasLtMatmulPreferenceSetAttribute(&wish, which, &bytes, sizeof bytes),
        "cublasLtMatmulPreferenceSetAttribute");
}

/// (Its gelu is the form with tanh.)
constexpr cublasLtEpilogue_t name_of(epilogue e) {
  switch (e) {
    case epilogue::only_bias:     return CUBLASLT_EPILOGUE_BIAS;
    case epilogue::only_gelu:     return CUBLASLT_EPILOGUE_GELU;
    case epilogue::bias_and_gelu: return CUBLASLT_EPILOGUE_GELU_BIAS;
    default:                      return CUBLASLT_EPILOGUE_DEFAULT;
  }
}

}  // namespace lt

/// The first product of a batch with its epilogue. Without memory of its own. False if cuBLASLt has no
/// algorithm for it, and nothing was done.
template <class T>
bool multiply_with_epilogue(const product_batch<T>& products, const blas_operand& a,
                            const blas_operand& b, std::int64_t leading, bool tf32, int device,
                            cudaStream_t stream) {
  const auto& p = products.first;
  // A handle of cuBLAS is one of cuBLASLt.
  const auto handle = reinterpret_cast<cublasLtHandle_t>(blas_handle::of(device));
  cublasLtMatmulDescOpaque_t operation;
  check(cublasLtMatmulDescInit(&operation, compute_type<T>(tf32), CUDA_R_32F),
        "cublasLtMatmulDescInit");
  // c = a b in rows is c' = b' a' in columns.
  lt::set(operation, CUBLASLT_MATMUL_DESC_TRANSA, b.transposed);
  lt::set(operation, CUBLASLT_MATMUL_DESC_TRANSB, a.transposed);
  lt::set(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, lt::name_of(products.after));
  if (adds_bias(products.after))
    lt::set(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(products.bias));
  auto left = lt::layout<T>(p.columns, p.inner, b.transposed, b.leading),
       right = lt::layout<T>(p.inner, p.rows, a.transposed, a.leading),
       result = lt::layout<T>(p.columns, p.rows, CUBLAS_OP_N, leading);
  cublasLtMatmulPreferenceOpaque_t wish;
  check(cublasLtMatmulPreferenceInit(&wish), "cublasLtMatmulPreferenceInit");
  lt::set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.b);
  lt::set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.a);
  lt::set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.c);
  lt::set(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.c);
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  const auto status = cublasLtMatmulAlgoGetHeuristic(handle, &operation, &left, &right, &result,
                                                     &result, &wish, 1, &best, &found);
  if (status != CUBLAS_STATUS_SUCCESS || found == 0) return false;
  const float one = 1, zero = 0;
  check(cublasLtMatmul(handle, &operation, &one, p.b, &left, p.a, &right, &zero, p.c, &result, p.c,
                       &result, &best.algo, nullptr, 0, stream),
        "cublasLtMatmul");
  return true;
}

/// The epilogue of what is there already.
template <class T>
__global__ void finish_elements(const __grid_constant__ product_batch<T> products) {
  using scalar = typename product_batch<T>::scalar;
  const auto& p = products.first;
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       at < p.rows * p.columns; at += step) {
    const auto j = at % p.columns;
    T& element = p.c[at / p.columns * p.c_row + j];
    element = products.finished(static_cast<scalar>(element), j);
  }
}
template <class T> void finish(const product_batch<T>& products, cudaStream_t stream) {
  constexpr std::int64_t threads = 256;
  const auto size = products.first.rows * products.first.columns;
  const auto blocks = std::min<std::int64_t>((size + threads - 1) / threads, 65535);
  finish_elements<<<static_cast<unsigned>(blocks), threads, 0, stream>>>(products);
  check_launch("the launch of what follows a product");
}

}  // namespace primal::on_cuda
