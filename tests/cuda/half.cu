// Rows of 16-bit floats, which are calculated in float32, on a GPU; and of doubles.
#include <support/device.hpp>

namespace pm = primal;

namespace {

using pm::test::check, pm::test::wave;

constexpr auto model = [](auto x, auto scale) {
  return pm::softmax(pm::gelu(pm::rms_norm(x, scale)));
};
constexpr auto gradient = [](auto x, auto scale, auto ct) {
  return pm::vjp<0, 1>(model)(x, scale, ct);
};

template <class T> pm::device_array<T, 2> rows(std::int64_t n, std::int64_t m) {
  const auto exact = wave<double>(n, m);
  std::vector<double> values(exact.size());
  exact.copy_to(values.data());
  std::vector<T> out;
  for (const double x : values) out.push_back(static_cast<T>(static_cast<float>(x)));
  return {{n, m}, out.data()};
}
template <class T> pm::device_array<T, 1> row(std::int64_t m) {
  const auto all = rows<T>(1, m);
  std::vector<T> values(all.size());
  all.copy_to(values.data());
  return {{m}, values.data()};
}

/// Rows of whole packs and of others, held in registers, in shared memory and not at all.
template <class T> void check_rows(const std::string& type, double bound, cudaStream_t stream) {
  using matrix = pm::array<T, pm::dyn, pm::dyn>;
  for (const std::int64_t m : {1, 24, 250, 1024, 4096, 9000, 20'000})
    check("value and gradient of rows of " + std::to_string(m) + " of " + type,
          pm::testing::differs_on_device<matrix, pm::array<T, pm::dyn>, matrix>(
              gradient, stream, bound, rows<T>(5, m), row<T>(m), rows<T>(5, m)));
}

}  // namespace

int main() {
  return pm::test::on_a_device([](cudaStream_t stream) {
    check_rows<pm::float16>("float16", 2e-3, stream);
    check_rows<pm::bfloat16>("bfloat16", 2e-2, stream);
    check_rows<double>("float64", 1e-10, stream);
  });
}
