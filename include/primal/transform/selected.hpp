// selected: cotangents that a `where` has selected, kept apart from their condition.
//
// where(c, dy, 0) is 0 where the branch was not taken. Multiplied by a derivative that is infinite there it
// would be NaN; so elementwise operators differentiate dy first, and then select again.
#pragma once

#include <primal/op/power.hpp>

namespace primal {

/// A chain of selections: where(c, where(d, value, 0), 0), outermost first.
class selected {
 public:
  /// Takes `x` apart; without a selection it is its own value.
  constexpr explicit selected(const tensor& x) : value_(x) {
    while (layers_.size() < most_layers && peel()) {
    }
  }

  constexpr const tensor& value() const { return value_; }
  constexpr bool any() const { return !layers_.empty(); }
  /// Were both selected alike?
  constexpr bool same_places(const selected& other) const { return layers_ == other.layers_; }

  /// Selects from another value what was selected from this one.
  constexpr tensor again(tensor x) const {
    for (int i = layers_.size() - 1; i >= 0; --i) {
      const tensor condition{value_.owner, layers_[i].condition};
      x = layers_[i].if_true ? where(condition, x, 0) : where(condition, 0, x);
    }
    return x;
  }

 private:
  static constexpr int most_layers = 4;
  struct layer {
    int condition = -1;
    bool if_true = true;
    friend constexpr bool operator==(const layer&, const layer&) = default;
  };

  /// Equal, as far as is known.
  static constexpr bool same_shape(recorder& r, int a, int b) {
    if (r.value_at(a).shape == r.value_at(b).shape) return true;
    const auto x = r.shape_of(a), y = r.shape_of(b);
    bool same = x.size() == y.size();
    for (int i = 0; same && i < x.size(); ++i)
      same = r.extents.resolve(x[i]) == r.extents.resolve(y[i]);
    return same;
  }
  constexpr bool peel() {
    if (!value_.owner) return false;
    recorder& r = *value_.owner;
    const statement& s = r.maker(value_.id);
    if (!is<where_op>(s.op)) return false;
    for (const bool if_true : {true, false}) {
      const tensor kept{&r, r.operand(s, if_true ? 1 : 2)},
          other{&r, r.operand(s, if_true ? 2 : 1)};
      if (core::constant_value(other) != 0.) continue;
      if (!same_shape(r, kept.id, value_.id)) continue;
      layers_.push_back({r.operand(s, 0), if_true});
      value_ = kept;
      return true;
    }
    return false;
  }

  tensor value_;
  list<layer, most_layers> layers_;
};

}  // namespace primal
