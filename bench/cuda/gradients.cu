// Values and gradients, each pair in one kernel.
#include "rows.hpp"

namespace bench::on_cuda {

[[maybe_unused]] static const bool registered = [] {
  const std::vector<std::int64_t> lengths{1024, 4096, 8192};
  layer_norm.value_grad(models::layer_norm, lengths, elements);
  rms_norm.value_grad(models::rms_norm, lengths, elements);
  softmax.value_grad(models::softmax, lengths, elements);
  gelu.value_grad(models::gelu, lengths, elements);
  cross_entropy.value_grad(models::cross_entropy, lengths, elements);
  norm_gelu.value_grad(models::norm_gelu, lengths, elements);
  return true;
}();

}  // namespace bench::on_cuda
