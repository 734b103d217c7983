// floating: values that depend on memory alone, and can be calculated wherever they are needed. Where it
// would take many statements they are cut into pieces, each a kernel.
#pragma once

#include <primal/plan/clusters.hpp>
#include <primal/plan/narrowest_cut.hpp>

namespace primal {

/// Counts what it takes to calculate floating values, and settles those that take too much.
class floating_values : public cluster_space {
 public:
  using cluster_space::cluster_space;

 protected:
  constexpr void float_value(const statement& s, int v) {
    int ready = 0, cone = price_of(v);
    bool reads = false;
    for (int u : p.operands_of(s)) {
      if (state(u).ready > ready) ready = state(u).ready;
      if (!is_read(u)) cone += state(u).cone;
      reads = reads || state(u).reads_pieces;
    }
    state(v).reads_pieces = reads;
    state(v).floating = true;
    state(v).ready = ready;
    state(v).cone = cone;
    if (state(v).cone <= most_floating) return;
    // What operands share was counted twice, and again by every user: exponentially.
    next_mark();
    state(v).cone = statements_of(v, 0);
    if (state(v).cone > most_floating) settle(is_view(s.op) ? p.operand(s, 0) : v);
  }

  /// Calculates a floating value, and what hangs together with it, in a kernel of its own. Later kernels read what is
  /// worth it, and calculate the rest again.
  constexpr void settle(int v) {
    const auto piece = piece_around(v);
    const int level = state(v).ready, c = new_cluster(level);
    const auto map = axes_for(c, v);
    choose_read(piece, c);
    for (int u : piece) node_in(c, u, map);
    for (int u : piece) {
      state(u).settled = true;
      state(u).ready = level + 1;
      state(u).reads_pieces = true;
    }
  }

  /// Settles what would read from other pieces, because that wants a choice.
  constexpr void settle_user(int v) {
    if (is_cut_later(v)) settle(v);
  }
  constexpr bool is_cut_later(int v) { return is_unsettled(v) && state(v).reads_pieces; }
  constexpr bool is_settled(int v) { return !in_memory(v) && state(v).settled; }

  constexpr void next_mark() {
    ++mark_;
    marked_.resize(values.size(), 0);
  }
  /// True the first time since next_mark().
  constexpr bool visit_once(int v) {
    if (marked_[v] == mark_) return false;
    marked_[v] = mark_;
    return true;
  }

 private:
  static constexpr int most_floating = 96, most_again = 96;
  static constexpr int price_of_memory = 8, price_of_reading = 2;  // in statements
  sequence<int> marked_;                                           // the last mark that saw a value
  int mark_ = 0;

  constexpr int price_of(int v) {
    const auto* op = p.maker(v).op;
    return op->elementwise && costs_much(op) ? 9 : 1;
  }
  /// Will a kernel read the value rather than calculate it?
  constexpr bool is_read(int v) {
    return in_memory(v) || (state(v).settled && state(v).cone > cheap_cone);
  }

  /// `n` and how many statements calculate a floating value, each once; counts no further than needed.
  constexpr int statements_of(int v, int n) {
    if (is_read(v) || n > most_floating || !visit_once(v)) return n;
    ++n;
    for (int u : p.operands_of(p.maker(v)))
      if (u >= 0) n = statements_of(u, n);
    return n;
  }
  constexpr bool is_unsettled(int v) {
    return v >= 0 && state(v).floating && !in_memory(v) && !state(v).settled;
  }
  constexpr void mark_unsettled(int v) {
    if (!is_unsettled(v) || !visit_once(v)) return;
    for (int u : p.operands_of(p.maker(v))) mark_unsettled(u);
  }

  /// What floats along the axes of `v` and calculates `v`, or is calculated with it, in order.
  constexpr sequence<int> piece_around(int v) {
    next_mark();
    mark_unsettled(v);
    sequence<int> piece;
    for (int u = 0; u <= v && piece.size() < most_nodes; ++u) {
      if (!is_unsettled(u) || !p.maker(u).op->elementwise ||
          p.value_at(u).shape != p.value_at(v).shape)
        continue;
      bool hangs_together = marked_[u] == mark_;
      for (int w : p.operands_of(p.maker(u)))
        hangs_together = hangs_together || (w >= 0 && is_unsettled(w) && marked_[w] == mark_ &&
                                            p.value_at(w).shape == p.value_at(v).shape);
      if (!hangs_together || state(u).ready > state(v).ready) continue;
      marked_[u] = mark_;
      piece.push_back(u);
    }
    return piece;
  }

  /// Which settled values a piece reads, and which it calculates again: what moves and calculates least.
  constexpr void choose_read(const sequence<int>& piece, int c) {
    narrowest_cut cut;
    sequence<int> found, number(values.size(), -1), wanted;
    const auto numbered = [&](int u) {
      if (number[u] < 0) {
        number[u] = found.size();
        found.push_back(u);
        const bool reached = found.size() <= most_again;
        cut.add(in_memory(u) || (state(u).settled && !reached) ? narrowest_cut::never : price_of(u),
                in_memory(u)       ? price_of_reading
                : state(u).settled ? price_of_memory
                                   : narrowest_cut::never);
      }
      return number[u];
    };
    next_mark();
    for (int u : piece) marked_[u] = mark_;
    for (int u : piece)
      for (int w : p.operands_of(p.maker(u)))
        if (w >= 0 && marked_[w] != mark_ && number[w] < 0 && !is_source(p.maker(w).op))
          wanted.push_back(numbered(w));
    for (int i = 0; i < found.size(); ++i) {
      const int u = found[i];
      if (in_memory(u) || (state(u).settled && i >= most_again)) continue;
      for (int w : p.operands_of(p.maker(u)))
        if (w >= 0 && !is_source(p.maker(w).op)) cut.add_use(i, numbered(w));
    }
    cut.choose(wanted);
    for (int i = 0; i < found.size(); ++i)
      if (is_settled(found[i]) && cut.is_calculated(i)) state(found[i]).again = c;
  }
};

}  // namespace primal
