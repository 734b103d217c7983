// arrays: memory for the inputs, outputs and gradients of a model, by its declared arrays.
#pragma once

#include "library.hpp"

#include <primal/runtime/workspace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace bench {

namespace pm = primal;

using shape = std::vector<std::int64_t>;

inline std::int64_t size_of(const shape& s) {
  std::int64_t n = 1;
  for (const auto e : s) n *= e;
  return n;
}

inline std::string text_of(const shape& s) {
  std::string text;
  for (const auto e : s) text.append(text.empty() ? "" : "x").append(std::to_string(e));
  return text;
}

/// Pieces of memory that begin at different places of a page: at equal ones, loads would wait for
/// stores of other arrays that look the same.
class blocks {
 public:
  template <class T> T* take(std::int64_t count) {
    constexpr std::size_t page = 4096, line = 64;
    const std::size_t turn = 7 * blocks_.size() % 32,
                      needed = static_cast<std::size_t>(count) * sizeof(T);
    std::size_t room = needed + 2 * page + turn * line;
    blocks_.emplace_back(new std::byte[room]);
    void* first = blocks_.back().get();
    std::align(page, needed, first, room);
    return reinterpret_cast<T*>(static_cast<std::byte*>(first) + turn * line);
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// What pm::array<T, E...> declares.
template <class Declared> struct declared;
template <class T, auto... E> struct declared<pm::array<T, E...>> {
  using element = T;
  static constexpr std::size_t rank = sizeof...(E);
  static constexpr bool floating = std::is_floating_point_v<T>;

  static auto view(T* data, const shape& s) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return pm::view(data, s[I]...);
    }(std::make_index_sequence<rank>{});
  }
  using view_type = decltype(view(nullptr, {}));
};
template <class Declared> using view_of = typename declared<Declared>::view_type;
template <class Declared> using element_of = typename declared<Declared>::element;

/// Calls f<Which[0], Which[1], ...>().
template <auto Which, class F> auto with_each_of(const F& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return f.template operator()<Which[I]...>();
  }(std::make_index_sequence<Which.size()>{});
}

inline constexpr std::size_t all = 99;

/// All the arrays of a model: Out(In...), each a pm::array<...>. Of the first `Wanted` inputs those that
/// hold floating-point numbers have a gradient.
template <class Signature, std::size_t Wanted = all> struct arrays;
template <class Out, class... In, std::size_t Wanted> struct arrays<Out(In...), Wanted> {
  /// Which inputs have a gradient.
  static constexpr auto wanted = [] {
    constexpr bool floating[] = {declared<In>::floating...};
    constexpr std::size_t first = std::min(Wanted, sizeof...(In));
    constexpr auto count = std::count(floating, floating + first, true);
    std::array<int, count> which{};
    for (std::size_t i = 0, n = 0; i < first; ++i)
      if (floating[i]) which[n++] = static_cast<int>(i);
    return which;
  }();

  blocks memory;
  std::vector<shape> extents;  // of the inputs
  view_of<Out> out, cotangent;
  std::tuple<view_of<In>...> in, gradient;
  pm::workspace workspace;

  arrays(const shape& out_extents, const std::vector<shape>& in_extents)
      : extents(in_extents), out(taken<Out>(out_extents)), cotangent(taken<Out>(out_extents)) {
    fill<Out>(cotangent, out_extents, 1, 0.11);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((std::get<I>(in) = taken<In>(extents[I]), std::get<I>(gradient) = taken<In>(extents[I]),
        fill<In>(std::get<I>(in), extents[I], 2 - 0.5 * I, 0.37 + 0.1 * I)),
       ...);
    }(std::index_sequence_for<In...>{});
  }

  template <std::size_t I> auto* x() { return std::get<I>(in).data; }
  template <std::size_t I> auto* dx() { return std::get<I>(gradient).data; }
  std::int64_t extent(std::size_t input, std::size_t axis) const { return extents[input][axis]; }

  /// What must be read and written at least.
  double bytes(bool with_gradient) const {
    const double y = bytes_of(out);
    const double x = std::apply([](const auto&... v) { return (bytes_of(v) + ...); }, in);
    if (!with_gradient) return x + y;
    double all_bytes = x + (declared<Out>::rank == 0 ? 1 : 2) * y;
    for_each_gradient([&](const auto& v) { all_bytes += bytes_of(v); });
    return all_bytes;
  }

  /// What was written: the value, and the gradient where it was calculated.
  std::vector<double> results(bool with_gradient) const {
    std::vector<double> numbers(out.data, out.data + size(out));
    if (with_gradient)
      for_each_gradient(
          [&](const auto& v) { numbers.insert(numbers.end(), v.data, v.data + size(v)); });
    return numbers;
  }

  template <class F> void for_each_gradient(const F& f) const {
    with_each_of<wanted>([&]<int... I> { (f(std::get<I>(gradient)), ...); });
  }

  template <class View> static std::int64_t size(const View& v) {
    std::int64_t n = 1;
    for (const auto e : v.extents) n *= e;
    return n;
  }

 private:
  template <class View> static double bytes_of(const View& v) {
    return static_cast<double>(size(v)) * sizeof(*v.data);
  }
  template <class D> view_of<D> taken(const shape& s) {
    return declared<D>::view(memory.take<element_of<D>>(size_of(s)), s);
  }
  /// Waves; integers are labels of the last axis of the first input.
  template <class D>
  void fill(const view_of<D>& v, const shape& s, double size, double step) const {
    using T = element_of<D>;
    for (std::int64_t i = 0; i < size_of(s); ++i)
      if constexpr (declared<D>::floating)
        v.data[i] =
            static_cast<T>(size) * std::sin(static_cast<T>(step) * static_cast<T>(i % 100'003));
      else v.data[i] = static_cast<T>(i * 131 % extents[0].back());
  }
};

}  // namespace bench
