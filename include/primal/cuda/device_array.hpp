// device_array: elements on a device that belong to whoever holds them.
#pragma once

#include <primal/cuda/error.hpp>
#include <primal/runtime/declaration.hpp>

#include <array>
#include <utility>
#include <vector>

namespace primal {

/// A row-major array in the memory of the current device. Copies are copies of the elements. Unlike calls, all
/// of this waits for the device.
///
/// `template <std::size_t Rank> using f32 = pm::device_array<float, Rank>;` makes structs of parameters of it.
template <element_type T, std::size_t Rank> class device_array {
 public:
  using extents_type = std::array<std::int64_t, Rank>;

  device_array() = default;
  /// All elements are 0.
  explicit device_array(const extents_type& extents) : extents_(extents) {
    allocate();
    if (!data_) return;
    on_cuda::check(cudaMemset(data_, 0, bytes()), "cudaMemset");
    wait();
  }
  /// Copies as many elements from the host.
  device_array(const extents_type& extents, const T* values) : extents_(extents) {
    allocate();
    copy_from(values);
  }
  device_array(const device_array& other) : extents_(other.extents_) {
    allocate();
    move(data_, other.data_, cudaMemcpyDeviceToDevice);
    wait();
  }
  device_array(device_array&& other) noexcept
      : extents_(std::exchange(other.extents_, extents_type{})),
        data_(std::exchange(other.data_, nullptr)) {}
  device_array& operator=(device_array other) noexcept {
    std::swap(extents_, other.extents_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~device_array() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  const extents_type& extents() const { return extents_; }
  std::size_t size() const {
    std::size_t n = data_ ? 1 : 0;
    for (const auto e : extents_) n *= static_cast<std::size_t>(e);
    return n;
  }

  /// size() elements from and to the host.
  void copy_from(const T* values) {
    move(data_, values, cudaMemcpyHostToDevice);
    wait();  // it may still be on its way from a buffer of the driver
  }
  void copy_to(T* values) const { move(values, data_, cudaMemcpyDeviceToHost); }

 private:
  extents_type extents_{};
  T* data_ = nullptr;

  std::size_t bytes() const { return size() * sizeof(T); }
  void allocate() {
    std::size_t needed = sizeof(T);
    for (const auto e : extents_) needed *= static_cast<std::size_t>(e);
    if (needed > 0) on_cuda::check(cudaMalloc(&data_, needed), "cudaMalloc");
  }
  /// Other streams see what was written here. (What is copied to the host is there anyway.)
  static void wait() { on_cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize"); }
  void move(T* to, const T* from, cudaMemcpyKind direction) const {
    if (data_) on_cuda::check(cudaMemcpy(to, from, bytes(), direction), "cudaMemcpy");
  }
};

template <class T, std::size_t Rank> struct array_traits<device_array<T, Rank>> : holds_elements {
  using element = T;
  static constexpr declared_extents extents = declaration::unknown(static_cast<int>(Rank));

  template <class Array> static auto* data(Array& a) { return a.data(); }
  static void layout(const device_array<T, Rank>& a, std::int64_t* e, std::int64_t* s) {
    std::int64_t step = 1;
    for (std::size_t i = Rank; i-- > 0; step *= e[i]) e[i] = a.extents()[i], s[i] = step;
  }
};

}  // namespace primal
