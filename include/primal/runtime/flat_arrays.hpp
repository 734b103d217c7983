// flat_arrays: the arrays of a call in a row, as the back ends take them.
#pragma once

#include <primal/expr/tree.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/declaration.hpp>

namespace primal {

namespace flat {
template <class Leaf> struct rank : std::integral_constant<int, rank_of<Leaf>> {};
}  // namespace flat

/// The leaves of some trees of arrays. It points into itself, so it stays where it is.
template <class... Trees> class flat_arrays {
 public:
  static constexpr int count = (0 + ... + leaf_count<Trees>);
  static constexpr int axes = (0 + ... + count_leaves<flat::rank, Trees>);

  explicit flat_arrays(Trees&... trees) {
    (for_each_leaf(trees, [this](auto& leaf) { this->add(leaf); }), ...);
  }
  flat_arrays(const flat_arrays&) = delete;
  flat_arrays& operator=(const flat_arrays&) = delete;

  const array_ref* data() const { return refs_.data(); }
  const array_ref& operator[](int i) const { return refs_[static_cast<std::size_t>(i)]; }

 private:
  template <class Leaf> void add(Leaf& leaf) {
    using traits = array_traits<std::remove_const_t<Leaf>>;
    std::int64_t* extents = extents_.data() + used_axes_;
    std::int64_t* strides = strides_.data() + used_axes_;
    traits::layout(leaf, extents, strides);
    constexpr int rank = rank_of<Leaf>;
    for (int i = rank; i-- > 0;)
      if (extents[i] == 1) strides[i] = i + 1 < rank ? strides[i + 1] * extents[i + 1] : 1;
    const void* elements = traits::data(leaf);
    refs_[static_cast<std::size_t>(used_++)] = {const_cast<void*>(elements), extents, strides};
    used_axes_ += rank;
  }

  std::array<array_ref, static_cast<std::size_t>(count)> refs_{};
  std::array<std::int64_t, static_cast<std::size_t>(axes) + 1> extents_{}, strides_{};
  int used_ = 0, used_axes_ = 0;
};

/// Where the elements of so many arrays begin.
template <int Count> class array_places {
 public:
  PRIMAL_HOST_INLINE array_places(const array_ref* arrays) {
    for (int i = 0; i < Count; ++i) begin_[i] = static_cast<std::byte*>(arrays[i].data);
  }
  /// Of the leaves of some trees.
  template <class... Trees> PRIMAL_HOST_INLINE explicit array_places(Trees&... trees) {
    int i = 0;
    [[maybe_unused]] const auto note = [&]<class Leaf>(Leaf& leaf) PRIMAL_LAMBDA_INLINE {
      const void* elements = array_traits<std::remove_const_t<Leaf>>::data(leaf);
      begin_[i++] = static_cast<std::byte*>(const_cast<void*>(elements));
    };
    (for_each_leaf(trees, note), ...);
  }

  PRIMAL_HOST_INLINE std::byte* operator[](int i) const { return begin_[i]; }

 private:
  std::byte* begin_[Count > 0 ? Count : 1] = {};
};

/// Are all arrays of these trees dense, with the extents of `types`, whatever a call brings?
template <class... Trees, std::size_t N>
constexpr bool always_fit(std::type_identity<std::tuple<Trees...>>,
                          const std::array<tensor_type, N>& types) {
  bool fit = true;
  std::size_t i = 0;
  [[maybe_unused]] const auto look = [&]<class Leaf>(const text&) {
    using traits = array_traits<std::remove_cvref_t<Leaf>>;
    fit = fit && traits::is_dense && i < N && traits::extents.size() == types[i].rank();
    for (int axis = 0; fit && axis < types[i].rank(); ++axis)
      fit = traits::extents[axis].number == types[i].dims[axis];
    ++i;
  };
  (for_each_leaf_type<std::remove_cvref_t<Trees>>(look), ...);
  return fit && i == N;
}

/// Element type and rank of the leaves of some trees.
template <class... Trees> struct leaf_types {
  struct type {
    primal::dtype dtype = dtype::float32;
    int rank = 0;
  };
  static constexpr int count = (0 + ... + leaf_count<Trees>);
  static constexpr std::array<type, static_cast<std::size_t>(count)> make() {
    std::array<type, static_cast<std::size_t>(count)> types{};
    std::size_t i = 0;
    auto append = [&]<class Leaf>(const text&) {
      types[i++] = {element_dtype<Leaf>, rank_of<Leaf>};
    };
    (for_each_leaf_type<std::remove_cvref_t<Trees>>(append), ...);
    return types;
  }
  static constexpr std::array<type, static_cast<std::size_t>(count)> value = make();

  /// Are these the dtypes and ranks of `types`?
  template <std::size_t N> static constexpr bool match(const std::array<tensor_type, N>& types) {
    bool same = N == value.size();
    for (std::size_t i = 0; same && i < N; ++i)
      same = value[i].dtype == types[i].dtype && value[i].rank == types[i].rank();
    return same;
  }
};

}  // namespace primal
