// narrowest_cut: which values are read and which are calculated again, where both have a price.
#pragma once

#include <primal/core/sequence.hpp>

namespace primal {

/// A minimum cut of a graph of values, by augmenting paths: on one side what is calculated again, on the other what
/// is not; a value that one side has and the other uses is read.
class narrowest_cut {
 public:
  static constexpr int never = 1 << 20;

  /// The next value, from number 0 on.
  constexpr void add(int price_of_calculating, int price_of_reading) {
    values_.push_back({price_of_calculating, price_of_reading});
  }
  constexpr void add_use(int user, int operand) {
    uses_.push_back({user, operand, values_[user].operands, values_[operand].users, 0});
    values_[user].operands = values_[operand].users = uses_.size() - 1;
  }
  /// Chooses the cheapest way to all that is wanted.
  constexpr void choose(const sequence<int>& wanted) {
    for (int v : wanted) {
      do ++mark_;
      while (pull_result(v, never) > 0);
    }
    ++mark_;
    for (int v : wanted)
      if (values_[v].seen_result != mark_) pull_result(v, never);
  }
  constexpr bool is_calculated(int v) const { return values_[v].seen == mark_; }

 private:
  struct value {
    int calculating, reading;       // what is left of the prices
    int read = 0;                   // what went into reading it
    int operands = -1, users = -1;  // the last ones
    int seen = 0, seen_result = 0;  // by which search
  };
  struct use {
    int user, operand, next_operand, next_user, flow;
  };
  sequence<value> values_;
  sequence<use> uses_;
  int mark_ = 0;

  static constexpr int least(int a, int b) { return a < b ? a : b; }

  /// How much of `amount` can still be paid for the calculation of `v`, by itself or by its operands.
  constexpr int pull(int v, int amount) {
    auto& x = values_[v];
    x.seen = mark_;
    if (x.calculating > 0) {
      const int n = least(amount, x.calculating);
      if (x.calculating < never) x.calculating -= n;
      return n;
    }
    for (int e = x.operands; e >= 0; e = uses_[e].next_operand)
      if (values_[uses_[e].operand].seen_result != mark_)
        if (const int n = pull_result(uses_[e].operand, amount); n > 0) {
          uses_[e].flow += n;
          return n;
        }
    if (x.read > 0 && x.seen_result != mark_)
      if (const int n = pull_result(v, least(amount, x.read)); n > 0) {
        x.read -= n;
        x.reading += n;
        return n;
      }
    return 0;
  }
  /// The same for having the value, read or calculated.
  constexpr int pull_result(int v, int amount) {
    auto& x = values_[v];
    x.seen_result = mark_;
    if (x.reading > 0 && x.seen != mark_)
      if (const int n = pull(v, least(amount, x.reading)); n > 0) {
        x.reading -= n;
        x.read += n;
        return n;
      }
    for (int e = x.users; e >= 0; e = uses_[e].next_user)
      if (uses_[e].flow > 0 && values_[uses_[e].user].seen != mark_)
        if (const int n = pull(uses_[e].user, least(amount, uses_[e].flow)); n > 0) {
          uses_[e].flow -= n;
          return n;
        }
    return 0;
  }
};

}  // namespace primal
