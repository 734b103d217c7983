// registers: the values of a piece or of a row, one bank per dtype, always indexed by constants.
#pragma once

#include <primal/kernel/facts.hpp>

#include <array>
#include <utility>

namespace primal {

template <dtype D, class V, int N> struct bank {
  V items[N];
};

/// How many values of a dtype there are.
struct bank_size {
  dtype type = dtype::bool_;
  int count = 0;
};
template <bank_size... Sizes> struct bank_sizes {};

namespace kernel_facts {
template <class T, auto Counts> struct sizes {
  static constexpr auto& facts = facts_about<T>::value;
  static constexpr std::size_t count = [] {
    std::size_t n = 0;
    for (int c : facts.*Counts) n += c > 0;
    return n;
  }();
  static constexpr std::array<bank_size, count + 1> items = [] {
    std::array<bank_size, count + 1> found{};
    std::size_t n = 0;
    for (int d = 0; d < dtype_count; ++d)
      if (const int c = (facts.*Counts)[d]; c > 0) found[n++] = {static_cast<dtype>(d), c};
    return found;
  }();
  template <std::size_t... I> static bank_sizes<items[I]...> listed(std::index_sequence<I...>);
  using type = decltype(listed(std::make_index_sequence<count>{}));
};
}  // namespace kernel_facts

/// The counts of a phase or kernel that are not 0: `banks_of<phase, &phase_facts::locals>`.
template <class T, auto Counts> using banks_of = typename kernel_facts::sizes<T, Counts>::type;

/// `Value<D>` is the type of a value of dtype D. Value number i of dtype D in `b` is
/// `static_cast<typename B::template of<D>&>(b).items[i]`.
template <template <dtype> class Value, class Sizes> struct bank_set;
template <template <dtype> class Value, bank_size... Sizes>
struct bank_set<Value, bank_sizes<Sizes...>> : bank<Sizes.type, Value<Sizes.type>, Sizes.count>... {
  using sizes = bank_sizes<Sizes...>;
  static constexpr int count_of(dtype d) {
    int n = 0;
    ((n += Sizes.type == d ? Sizes.count : 0), ...);
    return n;
  }
  template <dtype D> using of = bank<D, Value<D>, count_of(D)>;
};

/// Value number i of dtype D. (Of a bank, not of a statement: one function for all its values.)
template <dtype D, class Bank> PRIMAL_INLINE auto& item(Bank& b, int i) {
  using own = typename std::remove_const_t<Bank>::template of<D>;
  return static_cast<std::conditional_t<std::is_const_v<Bank>, const own, own>&>(b).items[i];
}

/// The C++ type in which one element of a dtype is calculated.
template <dtype D> using scalar_value = element_of<compute_dtype(D)>;

}  // namespace primal
