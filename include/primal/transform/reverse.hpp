// reverse: the sweep that turns cotangents of results into cotangents of what they depend on.
#pragma once

#include <primal/core/hash_chains.hpp>
#include <primal/op/reduce_as.hpp>
#include <primal/transform/selected.hpp>

namespace primal {

/// A cotangent in the shape of the value that it belongs to: summed along the axes that broadcasting added
/// or stretched, repeated along those that it lacks.
constexpr tensor cotangent_as(const tensor& g, const tensor& like) {
  recorder& r = *g.owner;
  const shape wanted = like.type().dims;
  const tensor out = core::summed_to(g, wanted);
  const shape own = out.type().dims;
  bool fits = own.size() <= wanted.size(), lacks = own.size() < wanted.size();
  for (int i = 1; fits && i <= own.size(); ++i) {
    const auto a = r.extents.resolve(own[own.size() - i]),
               b = r.extents.resolve(wanted[wanted.size() - i]);
    if (a == 1 && b != 1) lacks = true;
    else fits = same_extent(r, a, b, "grad");
  }
  if (!fits) {
    r.report.fail(join("grad: a cotangent ", describe(r, g.type()), " does not fit ",
                       describe(r, like.type())));
    return like;
  }
  return lacks ? broadcast_to(out, like.shape()) : out;
}

/// Differentiates the statements that were recorded from `begin` on, backwards. The statements of the
/// gradient are recorded behind them.
///
/// Use: construct; record the model; want() its inputs; seed() its results; run(); cotangent().
class reverse_sweep {
 public:
  constexpr reverse_sweep(recorder& r, int begin) : recorder_(r), begin_(begin) {}

  /// Cotangents are wanted of `x`, which was recorded before the model.
  constexpr void want(const tensor& x) {
    if (is_floating(x.dtype())) set_active(x.id);
  }
  /// `y` has the cotangent `dy`.
  constexpr void seed(const tensor& y, const tensor& dy) { seeds_.push_back({y, dy}); }

  constexpr void run() {
    const int end = recorder_.size();
    mark(begin_, end);
    find_twins(end);
    for (const auto& [y, dy] : seeds_) accumulate(y.id, dy);
    const place before = recorder_.report.where;
    sweep(begin_, end);
    recorder_.report.where = before;
  }

  /// The cotangent of `x`: empty if no seeded result depends on it.
  constexpr tensor cotangent(const tensor& x) const {
    const int ct = cotangent_of(x.id);
    return ct < 0 ? tensor{} : tensor{&recorder_, ct};
  }

 private:
  struct seed_pair {
    tensor y, dy;
  };

  // Activity: only what depends on a wanted input, through floating-point values, is visited.
  constexpr bool is_active(int v) const { return v >= 0 && v < active_.size() && active_[v]; }
  constexpr void set_active(int v) {
    if (v >= active_.size()) active_.resize(recorder_.values.size(), 0);
    active_[v] = 1;
  }
  constexpr void mark(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const statement& s = recorder_.at(i);
      if (!s.op->differentiable) continue;
      bool depends = false;
      for (int v : recorder_.operands_of(s)) depends = depends || is_active(v);
      if (!depends) continue;
      for (int k = 0; k < s.result_count; ++k)
        if (is_floating(recorder_.dtype_of(s.first_result + k))) set_active(s.first_result + k);
    }
  }

  /// What a model calculates several times (`p(3)` in every step of a loop) is differentiated once: cotangents of later
  /// statements go to the first that is alike.
  constexpr void find_twins(int end) {
    sequence<int> first;  // statements without a twin
    hash_chains chains;
    twins_.assign(end - begin_, -1);
    for (int i = begin_; i < end; ++i) {
      const statement& s = recorder_.at(i);
      for (int v : recorder_.operands_of(s)) first_operands_.push_back(first_alike(v));
      const auto hash = hash_of(s.op, first_operands_of(s), recorder_.attributes_of(s));
      int c = chains.last(hash);
      while (c >= 0 && !alike(recorder_.at(first[c]), s)) c = chains.before(c);
      if (c >= 0) {
        twins_[i - begin_] = first[c];
      } else {
        first.push_back(i);
        chains.add(hash);
      }
    }
  }
  constexpr bool alike(const statement& a, const statement& b) const {
    return same_operator(a.op, b.op) && first_operands_of(a) == first_operands_of(b) &&
           recorder_.attributes_of(a) == recorder_.attributes_of(b);
  }
  /// The first values alike to the operands of a statement of the model.
  constexpr sequence_view<int> first_operands_of(const statement& s) const {
    return {first_operands_.data() + (s.first_operand - recorder_.at(begin_).first_operand),
            s.operand_count};
  }
  /// The value that stands for `v` and all that are alike.
  constexpr int first_alike(int v) const {
    if (v < 0) return v;
    const auto& own = recorder_.value_at(v);
    const int twin = twin_of(own.statement);
    return twin < 0 ? v : recorder_.at(twin).first_result + own.result;
  }
  constexpr int twin_of(int statement) const {
    const int i = statement - begin_;
    return i >= 0 && i < twins_.size() ? twins_[i] : -1;
  }

  constexpr int cotangent_of(int v) const { return v < cotangents_.size() ? cotangents_[v] : -1; }

  /// Adds `g` to the cotangent of the value `v`, in the dtype and shape of that.
  constexpr void accumulate(int v, tensor g) {
    if (!is_active(v) || !g.has_value()) return;
    const auto type = recorder_.dtype_of(v);
    if (!g.owner) {
      if (g.constant.weak()) g.constant.set_dtype(type);
      g = attach(recorder_, g.constant);
    }
    if (g.dtype() != type) g = cast(g, type);
    if (recorder_.value_at(g.id).shape != recorder_.value_at(v).shape)
      g = cotangent_as(g, {&recorder_, v});
    if (const int old = cotangent_of(v); old >= 0) g = sum_of({&recorder_, old}, g);
    if (v >= cotangents_.size()) cotangents_.resize(recorder_.values.size(), -1);
    cotangents_[v] = g.id;
  }

  /// What was selected alike stays selected.
  static constexpr tensor sum_of(const tensor& a, const tensor& b) {
    const selected x(a), y(b);
    return x.any() && x.same_places(y) ? x.again(x.value() + y.value()) : a + b;
  }

  constexpr void sweep(int begin, int end) {
    for (int i = end - 1; i >= begin && !recorder_.report.failed(); --i) {
      const statement s = recorder_.at(i);  // a copy: recording moves statements
      bool reached = false;
      for (int k = 0; k < s.result_count; ++k)
        reached = reached || cotangent_of(s.first_result + k) >= 0;
      if (!reached) continue;
      if (recorder_.report.depth == 0) recorder_.report.where = s.where;
      if (const int twin = twin_of(i); twin >= 0) {
        for (int k = 0; k < s.result_count; ++k)
          if (const int ct = cotangent_of(s.first_result + k); ct >= 0)
            accumulate(recorder_.at(twin).first_result + k, {&recorder_, ct});
        continue;
      }
      inside_rule inside(recorder_.report);
      if (s.op->has_rule) through_rule(i, s);
      else if (s.op->composite) through_pieces(i, s);
      else
        recorder_.report.fail(join("grad: ", s.op->name,
                                   " has neither a gradient rule nor a decomposition: ",
                                   describe_operands(saved(&recorder_, i))));
    }
  }

  /// The operator has a rule of its own.
  constexpr void through_rule(int i, const statement& s) {
    tensors dy;
    for (int k = 0; k < s.result_count; ++k) {
      const int ct = cotangent_of(s.first_result + k);
      dy.push_back(ct < 0 ? tensor{} : tensor{&recorder_, ct});
    }
    if (s.op->elementwise) {
      if (const selected parts(dy[0]); parts.any()) return through_selected(i, s, dy[0], parts);
    }
    accept(s, s.op->vjp(saved(&recorder_, i), cotangents(std::move(dy))));
  }

  /// The cotangent was selected: the product comes first, so that a dead branch never makes NaN.
  constexpr void through_selected(int i, const statement& s, const tensor& dy,
                                  const selected& parts) {
    tensors dx = s.op->vjp(saved(&recorder_, i), cotangents(tensors{parts.value()}));
    for (auto& t : dx)
      if (t.has_value()) t = t.owner && t.id == parts.value().id ? dy : parts.again(t);
    accept(s, dx);
  }

  /// The cotangents of the operands, as a rule gave them.
  constexpr void accept(const statement& s, const tensors& dx) {
    if (recorder_.report.failed()) return;
    if (static_cast<int>(dx.size()) != s.operand_count)
      return recorder_.report.fail(join("grad: the rule of ", s.op->name, " gives ",
                                        static_cast<std::int64_t>(dx.size()), " cotangents for ",
                                        s.operand_count, " inputs"));
    for (int k = 0; k < s.operand_count; ++k)
      accumulate(recorder_.operand(s, k), dx[static_cast<std::size_t>(k)]);
  }

  /// It is decomposed in place, and its pieces are differentiated.
  constexpr void through_pieces(int i, const statement& s) {
    const int begin = recorder_.size();
    const auto results = s.op->decompose(saved(&recorder_, i));
    const int end = recorder_.size();
    if (recorder_.report.failed()) return;
    mark(begin, end);
    for (int k = 0; k < s.result_count; ++k)
      if (const int ct = cotangent_of(s.first_result + k); ct >= 0)
        accumulate(results[k], {&recorder_, ct});
    sweep(begin, end);
  }

  recorder& recorder_;
  int begin_;
  sequence<char> active_;
  sequence<int> twins_;           // per statement of the model: the first that is alike, or -1
  sequence<int> first_operands_;  // of the statements of the model: the first values alike
  sequence<int> cotangents_;
  sequence<seed_pair> seeds_;
};

}  // namespace primal
