// Models on emulated lanes, beside the interpreter and the SIMD team.
#pragma once

#include <primal/runtime/emulated.hpp>
#include <support/kernels.hpp>

#include <algorithm>
#include <bit>
#include <vector>

namespace primal::test {

template <class Tree> std::vector<dense> leaves(const Tree& tree) {
  std::vector<dense> out;
  for_each_leaf(tree, [&](const auto& leaf) { out.push_back(to_dense(leaf)); });
  return out;
}

inline bool same_bits(const std::vector<dense>& a, const std::vector<dense>& b) {
  constexpr auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return std::ranges::equal(a, b, [&](const dense& x, const dense& y) {
    return std::ranges::equal(x.values, y.values, same);
  });
}

template <class Team> struct on_team {
  template <class F, class... X> static void agrees(const F& f, double bound, const X&... x) {
    CAPTURE(Team::lanes, Team::width);
    const auto expected = interpret(recorded_model<F, X...>::run(), {to_dense(x)...});
    const auto simd = leaves(compile(f)(x...));
    const auto run = [&](const Team& team) { return leaves(compile(f, team)(x...)); };
    const auto fits = [&](const std::vector<dense>& own) {
      REQUIRE(own.size() == expected.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        CAPTURE(i);
        CHECK(own[i].extents == expected[i].extents);
        CHECK(distance(own[i], expected[i], bound) <= bound);
        CHECK(distance(own[i], simd[i], bound) <= bound);
      }
    };
    const auto check_orders = [&](row_walk walk, const std::vector<dense>& own) {
      for (auto order : {lane_order::forwards, lane_order::backwards, lane_order::odd_first}) {
        CAPTURE(walk, order);
        CHECK(same_bits(own, run({.order = order, .walk = walk})));
      }
    };
    fits(run({}));
    const auto block_a_row = run({.walk = row_walk::again});
    fits(block_a_row);
    for (auto walk : {row_walk::again, row_walk::shared, row_walk::registers})
      check_orders(walk, block_a_row);
    const auto blocks_a_row = run({.walk = row_walk::by_sweeps});
    fits(blocks_a_row);
    check_orders(row_walk::by_sweeps, blocks_a_row);
  }
};

/// On few lanes, each with several pieces of a row.
template <class F, class... X> void agrees(const F& f, double bound, const X&... x) {
  on_team<emulated<4, 2>>::agrees(f, bound, x...);
}
/// On two warps as well, with values of a width that few rows are a multiple of.
template <class F, class... X> void agrees_on_warps(const F& f, double bound, const X&... x) {
  agrees(f, bound, x...);
  on_team<emulated<64, 3>>::agrees(f, bound, x...);
}

}  // namespace primal::test
