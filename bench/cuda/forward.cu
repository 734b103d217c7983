// Forward passes over rows.
#include "rows.hpp"

namespace bench::on_cuda {

[[maybe_unused]] static const bool registered = [] {
  const std::vector<std::int64_t> lengths{256, 1024, 4096, 16384, 65536};
  layer_norm.forward(models::layer_norm, lengths, elements);
  rms_norm.forward(models::rms_norm, lengths, elements);
  auto longer = lengths;
  longer.push_back(1 << 22);  // several blocks share a row
  softmax.forward(models::softmax, longer, elements);
  gelu.forward(models::gelu, lengths, elements);
  cross_entropy.forward(models::cross_entropy, {1024, 8192, 32768}, elements);
  return true;
}();

}  // namespace bench::on_cuda
