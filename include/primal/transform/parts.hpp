// parts: which values need never be whole, because all who use them take regions of them.
//
// A value is cut where a `concat` behind it joins parts. It is given in parts if nobody needs it whole but memory, to
// which parts are written one by one. What is read in regions alone need not be cut anywhere: each region is calculated
// by itself, as long as that calculates nothing twice that is not cheap.
#pragma once

#include <primal/op/cast.hpp>
#include <primal/op/extreme.hpp>
#include <primal/op/input.hpp>
#include <primal/op/joining.hpp>
#include <primal/op/matmul.hpp>
#include <primal/op/reduction.hpp>
#include <primal/transform/region.hpp>
#include <primal/transform/statement_kinds.hpp>

namespace primal {

/// Is something sliced, or joined, that is calculated?
constexpr bool has_parts(const program& p) {
  bool joins = false;
  const auto joined = [&](const statement& s) {
    for (int u : p.operands_of(s))
      if (u >= 0 && is<concat_op>(p.maker(u).op)) return true;
    return false;
  };
  for (const auto& s : p.statements) {
    if (s.op->elementwise) {
      if (joins && joined(s)) return true;
    } else if (is<concat_op>(s.op)) {
      joins = true;
    } else if (is<slice_op>(s.op)) {
      const auto& from = p.maker(p.operand(s, 0));
      if (from.op->elementwise || is<concat_op>(from.op) || is_reduction(from.op) ||
          renames_axes(p, from))
        return true;
    } else if (joins && (is<sum_op>(s.op) || renames_axes(p, s)) && joined(s)) {
      return true;
    }
  }
  return false;
}

class parts {
 public:
  static constexpr int most = 16;  // of one value: each is calculated by statements of its own

  region_table regions;

  constexpr parts(const program& from, extent_space& extents, const sequence<char>& live)
      : p(from), space(extents), about(from.values.size()) {
    for (int i = 0; i < p.size(); ++i)
      if (live[i] && p.at(i).result_count == 1) find_cut(p.at(i));
    for (int v : p.outputs) about[v].whole = true;
    for (int i = p.size() - 1; i >= 0; --i)
      if (live[i]) find_uses(p.at(i));
    for (int i = 0; i < p.size(); ++i)
      if (live[i] && p.at(i).result_count == 1) decide(p.at(i));
  }

  /// Is the value calculated part by part?
  constexpr bool given(int v) const { return v >= 0 && about[v].given; }
  constexpr int axis(int v) const { return cuts[about[v].cut].axis; }
  constexpr int count(int v) const { return cuts[about[v].cut].sizes.size(); }
  constexpr int part(int v, int i) { return part_of(about[v].cut, i); }
  constexpr int number(int v, const region& r) {
    return regions.number(p.value_at(v).shape, p.shape_of(v), r);
  }
  /// Where region number `n` of the result is found in operand k. The statement is elementwise, renames or reduces.
  constexpr int behind(const statement& s, int k, int n) {
    const int u = p.operand(s, k);
    if (s.op->elementwise && p.value_at(u).shape == p.value_at(s.first_result).shape) return n;
    return number(u, behind(p, s, k, regions[n].where));
  }
  /// Does a sum add up the equal parts of its operand?
  constexpr bool adds_parts(const statement& s) const {
    return given(p.operand(s, 0)) && adds_parts(s, p.operand(s, 0));
  }
  /// May a region of it be calculated from regions of its operands?
  constexpr bool in_regions(int v) const { return about[v].in_regions; }
  /// Those that are asked for of a value that is needed in regions alone.
  constexpr const auto& wanted(int v) const { return about[v].wanted; }
  constexpr bool is_whole(int v) const { return about[v].whole; }
  constexpr bool never_whole(int v) const { return about[v].in_regions && !about[v].whole; }

 private:
  struct cut {
    int axis = 0;
    list<std::int64_t, most> sizes;
    int of = -1;                // a value that is cut there
    list<int, most> numbers{};  // of the parts, as soon as somebody has asked
  };
  struct facts {
    int cut = -1;
    unsigned zeros = 0;      // parts that are nothing but zeros
    int cone = 0;            // statements from memory to it
    bool given = true;       // as long as nobody needs it whole in a kernel
    bool in_regions = true;  // as long as somebody can use a region
    bool whole = false;
    bool joins_zeros = false;
    bool compared = false;  // a comparison depends on it through elements and extremes alone
    list<int, most> wanted;
    bool many = false;  // more than that
  };
  const program& p;
  extent_space& space;
  sequence<facts> about;
  sequence<cut> cuts;

  /// Where the region `r` of the result is found in operand k. The statement is elementwise, renames or reduces.
  static constexpr region behind(const program& p, const statement& s, int k, const region& r) {
    const auto& dims = p.shape_of(p.operand(s, k));
    if (s.op->elementwise || is<broadcast_to_op>(s.op)) return unrepeated(r, dims);
    region own = whole_of(dims);
    const auto& to = p.shape_of(s.first_result);
    for (int i = 0; i < to.size(); ++i)
      if (const int a = axis_behind(p, s, i); a >= 0) own.set(a, r.start[i], r.size[i], r.step[i]);
    return own;
  }

  static constexpr int cheap = 6;  // as what fusion calculates again

  /// The operand's axis that is axis i of the result of what renames or reduces; -1: none.
  static constexpr int axis_behind(const program& p, const statement& s, int i) {
    if (!is_reduction(s.op)) return operand_axis(p, s, 0, i);
    const auto& from = p.shape_of(p.operand(s, 0));
    const auto a = attributes_in<sum_op>(p.attributes_of(s));
    int kept = 0;
    for (int axis = 0; axis < from.size(); ++axis) {
      const bool gone = a.axes.contains(axis);
      if (gone && !a.keepdims) continue;
      if (kept++ == i) return gone ? -1 : axis;
    }
    return -1;
  }
  /// The result's axis for axis a of operand k; -1: none.
  constexpr int result_axis(const statement& s, int k, int a) const {
    const int rank = p.shape_of(s.first_result).size();
    if (s.op->elementwise) return a + rank - p.shape_of(p.operand(s, k)).size();
    for (int i = 0; i < rank; ++i)
      if (axis_behind(p, s, i) == a) return i;
    return -1;
  }
  constexpr int part_of(int c, int i) {
    auto& own = cuts[c];
    if (own.numbers.empty()) {
      region r = whole_of(p.shape_of(own.of));
      std::int64_t start = 0;
      for (auto size : own.sizes) {
        r.set(own.axis, start, size);
        own.numbers.push_back(number(own.of, r));
        start = space.add(start, size);
      }
    }
    return own.numbers[i];
  }
  static constexpr bool is_even(const cut& c) {
    for (auto size : c.sizes)
      if (size != c.sizes[0]) return false;
    return true;
  }

  // ---- where values are cut -------------------------------------------------------------------------

  constexpr void find_cut(const statement& s) {
    const int v = s.first_result;
    if (s.op->elementwise) {
      about[v].cone = 1 + (s.op->expensive ? cheap : 0);
      for (int k = 0; k < s.operand_count; ++k) about[v].cone += cone_of(p.operand(s, k));
      return cut_elementwise(s, v);
    }
    if (is<concat_op>(s.op)) return cut_concat(s, v);
    const bool renames = renames_axes(p, s);
    if (!renames && !is_reduction(s.op)) return;
    const int u = p.operand(s, 0);
    if (renames) about[v].cone = cone_of(u);
    if (about[u].cut < 0) return;
    cut c = cuts[about[u].cut];
    c.axis = result_axis(s, 0, c.axis);
    if (c.axis >= 0) keep(v, c, renames ? about[u].zeros : 0);
  }
  constexpr int cone_of(int u) const {
    return u < 0 ? 0 : about[u].cone > cheap ? cheap : about[u].cone;
  }
  constexpr void keep(int v, cut& c, unsigned zeros) {
    if (c.sizes.size() < 2) return;
    c.of = v;
    c.numbers = {};
    about[v].cut = cuts.size();
    about[v].zeros = zeros;
    cuts.push_back(c);
  }
  constexpr void cut_concat(const statement& s, int v) {
    cut c;
    unsigned zeros = 0;
    c.axis = attributes_in<concat_op>(p.attributes_of(s)).axis;
    for (int u : p.operands_of(s)) {
      const auto& own = about[u];
      const bool inner = own.cut >= 0 && cuts[own.cut].axis == c.axis;
      if (p.shape_of(u)[c.axis] == 0) continue;
      const int more = inner ? cuts[own.cut].sizes.size() : 1;
      if (c.sizes.size() + more > most) return;
      for (int i = 0; i < more; ++i) {
        if (inner ? (own.zeros >> i & 1) != 0 : is_zero(u)) zeros |= 1u << c.sizes.size();
        c.sizes.push_back(inner ? cuts[own.cut].sizes[i] : p.shape_of(u)[c.axis]);
      }
    }
    keep(v, c, zeros);
  }
  constexpr bool is_zero(int u) const {
    const auto& s = p.maker(u);
    return is<full_op>(s.op) && full_op::value(attributes_in<full_op>(p.attributes_of(s))) == 0;
  }
  constexpr void cut_elementwise(const statement& s, int v) {
    int first = -1, kept = -1;  // a cut, if it is that of all
    unsigned zeros = 0;
    cut common;
    bool apart = s.operand_count == 2;  // is one of both zero in each part?
    for (int u : p.operands_of(s)) {
      // What is repeated is small, and may as well lie in memory.
      if (u < 0 || about[u].cut < 0 || p.value_at(u).shape != p.value_at(v).shape) {
        apart = false;
        continue;
      }
      const auto& own = about[u];
      if (first < 0) {
        first = kept = own.cut, zeros = own.zeros;
        continue;
      }
      if (kept == own.cut) {
        apart = apart && is_complete(zeros | own.zeros, cuts[kept]);
        zeros &= own.zeros;
        continue;
      }
      if (kept >= 0) common = cuts[kept];
      kept = -1;
      cut both;
      if (common.axis != cuts[own.cut].axis ||
          !refine(common, zeros, cuts[own.cut], own.zeros, both, apart))
        return;
      common = both;
    }
    if (first < 0) return;
    const bool adds = is<add_op>(s.op) || is<subtract_op>(s.op);
    if (!adds && !is<negative_op>(s.op) && !is_scaled(s)) zeros = 0;
    about[v].joins_zeros = adds && apart;
    about[v].zeros = zeros;
    // Parts of one size are calculated in one kernel.
    if (!about[v].joins_zeros && !is_even(kept >= 0 ? cuts[kept] : common)) return;
    if (kept >= 0) about[v].cut = kept;
    else keep(v, common, zeros);
  }
  static constexpr bool is_complete(unsigned zeros, const cut& c) {
    return zeros == (1u << c.sizes.size()) - 1;
  }
  /// Is something multiplied with a number that is not infinite?
  constexpr bool is_scaled(const statement& s) const {
    if (!is<multiply_op>(s.op)) return false;
    for (int u : p.operands_of(s))
      if (is<full_op>(p.maker(u).op)) {
        const double x = full_op::value(attributes_in<full_op>(p.attributes_of(p.maker(u))));
        return x - x == 0;
      }
    return false;
  }
  /// The parts of both cuts. `zeros` become those of both; `apart`: not where both are something else.
  constexpr bool refine(const cut& a, unsigned& zeros, const cut& b, unsigned other_zeros, cut& out,
                        bool& apart) {
    out.axis = a.axis;
    int i = 0, k = 0;
    unsigned both_zero = 0;
    std::int64_t left = a.sizes[0], right = b.sizes[0];  // what is left of both parts
    while (i < a.sizes.size() && k < b.sizes.size()) {
      if (out.sizes.size() == most) return false;
      const bool first = at_least(space, right, left),
                 second = first || at_least(space, left, right);
      if (!second) return false;
      const auto size = first ? left : right;
      const bool zero_a = (zeros >> i & 1) != 0, zero_b = (other_zeros >> k & 1) != 0;
      apart = apart && (zero_a || zero_b);
      if (zero_a && zero_b) both_zero |= 1u << out.sizes.size();
      out.sizes.push_back(size);
      left = space.subtract(left, size), right = space.subtract(right, size);
      if (left == 0 && ++i < a.sizes.size()) left = a.sizes[i];
      if (right == 0 && ++k < b.sizes.size()) right = b.sizes[k];
    }
    zeros = both_zero;
    return i == a.sizes.size() && k == b.sizes.size();
  }

  // ---- who needs them whole -------------------------------------------------------------------------

  constexpr void find_uses(const statement& s) {
    if (s.result_count != 1) {
      for (int u : p.operands_of(s)) use_whole(u, false);
      return;
    }
    const int v = s.first_result;
    auto& own = about[v];
    const bool renames = !s.op->elementwise && renames_axes(p, s), slices = is<slice_op>(s.op),
               joins = is<concat_op>(s.op), reduces = is_reduction(s.op);
    const bool passes =
        s.op->elementwise || renames || slices || joins || is<max_op>(s.op) || is<min_op>(s.op);
    const bool compared =
        passes && (own.compared || (p.dtype_of(v) == dtype::bool_ && compares(p, s)));
    own.given = own.cut >= 0 && (own.given || own.joins_zeros || joins);
    for (int k = 0; k < s.operand_count; ++k) {
      const int u = p.operand(s, k);
      if (u < 0) continue;
      about[u].compared = about[u].compared || compared;
      if (slices) want(u, number(u, region_of(attributes_in<slice_op>(p.attributes_of(s)))));
      else if (reduces && is<sum_op>(s.op) && adds_parts(s, u)) want_parts(u, about[u].cut);
      else if (s.op->elementwise || renames || reduces) use_along(s, k, u);
      else use_whole(u, true);
    }
  }
  /// Does a sum add up equal parts?
  constexpr bool adds_parts(const statement& s, int u) const {
    const int c = about[u].cut;
    return c >= 0 && is_even(cuts[c]) && result_axis(s, 0, cuts[c].axis) < 0 &&
           is_floating(p.dtype_of(u)) && size_of(p.dtype_of(u)) >= 4;
  }
  /// Somebody needs all of it, in memory or not.
  constexpr void use_whole(int u, bool in_memory) {
    if (u < 0) return;
    about[u].whole = true;
    if (!in_memory) about[u].given = false;
  }
  constexpr void want(int u, int n) {
    auto& own = about[u];
    if (own.many || own.wanted.contains(n)) return;
    if (own.wanted.size() == most) own.many = true;
    else own.wanted.push_back(n);
  }
  constexpr void want_parts(int u, int c) {
    for (int i = 0; i < cuts[c].sizes.size(); ++i) want(u, part_of(c, i));
  }
  constexpr void use_along(const statement& s, int k, int u) {
    const auto& own = about[s.first_result];
    const bool regions_do = !own.whole && !own.many && !own.wanted.empty();
    if (own.given)
      for (int i = 0; i < cuts[own.cut].sizes.size(); ++i)
        want(u, behind(s, k, part_of(own.cut, i)));
    if (regions_do)
      for (int r : own.wanted) want(u, behind(s, k, r));
    if (!own.given && !regions_do) use_whole(u, false);
  }

  // ---- what is calculated in regions ------------------------------------------------------------------

  constexpr void decide(const statement& s) {
    auto& own = about[s.first_result];
    const bool reduces = !s.op->elementwise && is_reduction(s.op);
    if (is<concat_op>(s.op)) return;
    bool found = s.op->elementwise || reduces || renames_axes(p, s);
    for (int u : p.operands_of(s)) found = found && (u < 0 || is_found(u));
    own.given = own.given && found;
    // What is compared must have the same bits wherever it is calculated.
    const bool again = !reduces && own.cone <= cheap && !own.compared;
    own.in_regions =
        found && (own.given || again ||
                  (!own.whole && !own.many && !own.wanted.empty() && calculates_less(s)));
  }
  /// Is a region of it in memory, or calculated as one?
  constexpr bool is_found(int u) const {
    const auto& s = p.maker(u);
    return !(s.op->elementwise || renames_axes(p, s)) || about[u].in_regions;
  }
  /// Are the regions no more than the whole?
  constexpr bool calculates_less(const statement& s) {
    const int v = s.first_result;
    std::int64_t calculated = 0;
    if (about[v].cut >= 0 && about[v].wanted == cuts[about[v].cut].numbers) return true;
    for (int r : about[v].wanted)
      calculated = space.add(calculated, size_of_shape(regions[r].where.size));
    return at_least(space, size_of_shape(p.shape_of(v)), calculated);
  }
  constexpr std::int64_t size_of_shape(const shape& dims) {
    std::int64_t n = 1;
    for (auto e : dims) n = space.multiply(n, e);
    return n;
  }
};

}  // namespace primal
