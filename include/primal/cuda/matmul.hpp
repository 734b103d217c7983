// matmul: products of matrices on the device: cuBLAS, and plain loops for what it has not.
#pragma once

#include <primal/cuda/epilogue_product.hpp>

namespace primal::on_cuda {

/// One thread an element of c.
template <class T>
__global__ void multiply_elements(const __grid_constant__ product_batch<T> products) {
  using scalar = typename product_batch<T>::scalar;
  const auto size = products.first.rows * products.first.columns;
  const auto step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       at < products.count * size; at += step) {
    const auto p = products[at / size];
    const auto i = at % size / p.columns, j = at % p.columns;
    scalar total(0);
    for (std::int64_t k = 0; k < p.inner; ++k) {
      const auto x = static_cast<scalar>(p.a[i * p.a_row + k * p.a_inner]),
                 y = static_cast<scalar>(p.b[k * p.b_inner + j * p.b_column]);
      if constexpr (std::is_same_v<T, bool>) total = total || (x && y);
      else total = math_of<scalar>::fma(x, y, total);
    }
    T& c = p.c[i * p.c_row + j];
    c = products.finished(p.accumulates ? static_cast<scalar>(c) + total : total, j);
  }
}

/// `count` products whose matrices lie equally far apart.
template <class T>
void multiply_by_blas(const cpu::matrix_product<T>& p, const blas_operand& a, const blas_operand& b,
                      std::int64_t count, std::int64_t a_step, std::int64_t b_step,
                      std::int64_t c_step, std::int64_t leading, bool tf32, int device,
                      cudaStream_t stream) {
  constexpr auto type = blas_type<T>();
  constexpr bool wide = std::is_same_v<T, double>;
  const double one = 1, before = p.accumulates;
  const float float_one = 1, float_before = p.accumulates;
  const auto handle = blas_handle::of(device);
  check(cublasSetStream(handle, stream), "cublasSetStream");
  // c = a b in rows is c' = b' a' in columns.
  check(cublasGemmStridedBatchedEx_64(
            handle, b.transposed, a.transposed, p.columns, p.rows, p.inner,
            wide ? static_cast<const void*>(&one) : &float_one, p.b, type, b.leading, b_step, p.a,
            type, a.leading, a_step, wide ? static_cast<const void*>(&before) : &float_before, p.c,
            type, leading, c_step, count, compute_type<T>(tf32), CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx");
}

template <class T>
void multiply(const product_batch<T>& products, bool tf32, int device, cudaStream_t stream) {
  const auto& p = products.first;
  const auto size = p.rows * p.columns;
  if (products.count * size == 0) return;
  if constexpr (has_blas<T>) {
    const blas_operand a(p.rows, p.inner, p.a_row, p.a_inner),
        b(p.inner, p.columns, p.b_inner, p.b_column), c(p.rows, p.columns, p.c_row, 1);
    if (a.fits && b.fits && c.fits && c.transposed == CUBLAS_OP_N && p.inner > 0) {
      // The innermost axes that are walked with one step for each operand are one call.
      int first = products.axes;
      std::int64_t count = 1, a_step = 0, b_step = 0, c_step = 0;
      for (; first > 0; --first) {
        const int x = first - 1;
        if (products.extent[x] == 1) continue;
        if (count > 1 &&
            (products.a_step[x] != count * a_step || products.b_step[x] != count * b_step ||
             products.c_step[x] != count * c_step))
          break;
        if (count == 1)
          a_step = products.a_step[x], b_step = products.b_step[x], c_step = products.c_step[x];
        count *= products.extent[x];
      }
      const bool ends_plainly = products.after == epilogue::empty;
      if constexpr (!std::is_same_v<T, double>)
        if (!ends_plainly &&
            multiply_with_epilogue(products, a, b, c.leading, tf32, device, stream))
          return;
      for (std::int64_t i = 0; i < products.count; i += count)
        multiply_by_blas(products[i], a, b, count, a_step, b_step, c_step, c.leading, tf32, device,
                         stream);
      if (!ends_plainly) finish(products, stream);
      return;
    }
  }
  constexpr std::int64_t threads = 256;
  multiply_elements<<<static_cast<unsigned>(std::min<std::int64_t>(
                          (products.count * size + threads - 1) / threads, 65535)),
                      threads, 0, stream>>>(products);
  check_launch("the launch of a product");
}

}  // namespace primal::on_cuda
