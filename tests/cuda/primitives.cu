// Every primitive of single elements that the catalogue lists has code for a GPU, in float32 and float64.
#include <primal/testing/device_code.hpp>
#include <support/device.hpp>
#include <support/primitives.hpp>

namespace pm = primal;

static_assert(pm::testing::have_device_code(pm::library_operators{}));

namespace {

template <class T> void check_type(const char* name, double bound, cudaStream_t stream) {
  std::vector<T> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(0.1 + 0.8 * static_cast<double>(i) / 1000);
  pm::test::check(name, pm::testing::differs_on_device<pm::array<T, pm::dyn>>(
                            pm::test::all_primitives, stream, bound,
                            pm::device_array<T, 1>({1000}, values.data())));
}

}  // namespace

int main() {
  return pm::test::on_a_device([](cudaStream_t stream) {
    check_type<float>("all primitives in float32", 1e-5, stream);
    check_type<double>("all primitives in float64", 1e-5, stream);  // some add up in float32
  });
}
