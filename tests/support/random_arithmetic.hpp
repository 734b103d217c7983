// Random steps of a program that calculate: elements, reductions, products of matrices.
#pragma once

#include <support/random_movement.hpp>

namespace primal::test {

/// Each adds one or more values, or none where nothing fits.
class random_arithmetic : public random_movement {
 public:
  using random_movement::random_movement;

  // ---- elements -----------------------------------------------------------------------------

  std::size_t partner_of(std::size_t i) {
    positions both;
    const positions own = values[i].extents;
    const auto found =
        pick([&](const grown& x) { return broadcast(own, x.extents, both) && !too_large(both); });
    if ((found == none || found == i) && inputs.size() < 5 && random.chance(.6)) {
      positions extents;
      for (auto k = axis(random.below(static_cast<std::int64_t>(own.size()) + 1)); k < own.size();
           ++k)
        extents.push_back(random.chance(.6) ? own[k] : 1);
      return add_input(extents);
    }
    return found == none ? i : found;
  }
  void combine() {
    auto a = pick_of_rank(0), b = partner_of(a);
    if (random.chance(.3)) std::swap(a, b);
    positions both;
    if (!broadcast(values[a].extents, values[b].extents, both)) return;
    add(combined(values[a].value, values[b].value), both);
  }
  tensor combined(const tensor& x, const tensor& y) {
    switch (random.below(11)) {
      case 0:  return x + y;
      case 1:  return x - y;
      case 2:
      case 3:  return x * y;
      case 4:  return x / (abs(y) + 0.5);
      case 5:  return maximum(x, y);
      case 6:  return minimum(x, y);
      case 7:  return x * 0.25 + y * y;
      case 8:  return 2 - x * y;
      case 9:  return x / (1 + y * y);
      default: return where(x > y, x, 0.5 * y);
    }
  }
  void apply_function() {
    const auto i = pick_of_rank(0);
    add(function_of(values[i].value), values[i].extents);
  }
  tensor function_of(const tensor& x) {
    switch (random.below(10)) {
      case 0:  return tanh(x);
      case 1:  return exp(-abs(x));
      case 2:  return exp(tanh(x));
      case 3:  return abs(x);
      case 4:  return -x;
      case 5:  return x * 0.125 + 1;
      case 6:  return sigmoid(x);
      case 7:  return square(x) * 0.25;
      case 8:  return sqrt(abs(x) + 0.125);
      default: return relu(x);
    }
  }

  // ---- reductions ---------------------------------------------------------------------------

  std::size_t reduce(std::size_t i, const positions& along, bool keep) {
    const auto own = values[i].extents;
    tensor t = values[i].value;
    if (random.chance(.3)) t = prologue(t);
    positions extents;
    for (std::size_t k = 0; k < own.size(); ++k) {
      const bool reduced =
          std::find(along.begin(), along.end(), static_cast<std::int64_t>(k)) != along.end();
      if (!reduced) extents.push_back(own[k]);
      else if (keep) extents.push_back(1);
    }
    return add(reduced(t, written(along, own.size()), keep), extents);
  }
  tensor prologue(const tensor& t) {
    switch (random.below(4)) {
      case 0:  return exp(tanh(t));
      case 1:  return t * t;
      case 2:  return t + 1;
      default: return abs(t);
    }
  }
  tensor reduced(const tensor& t, const axes& along, bool keep) {
    switch (random.below(9)) {
      case 0:
      case 1:
      case 2:  return sum(t, {.axes = along, .keepdims = keep});
      case 3:  return mean(t, {.axes = along, .keepdims = keep});
      case 4:  return max(t, {.axes = along, .keepdims = keep});
      case 5:  return min(t, {.axes = along, .keepdims = keep});
      case 6:  return logsumexp(t, {.axes = along, .keepdims = keep});
      case 7:  return var(t, {.axes = along, .keepdims = keep});
      default: return prod(tanh(t) * 0.25 + 1, {.axes = along, .keepdims = keep});
    }
  }
  void reduce_any() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto along = random.some_axes(static_cast<std::int64_t>(values[i].rank()));
    reduce(i, along, random.chance(.4));
  }
  /// An array and its own sums, as in normalisations.
  void combine_with_reduced() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto along = random.some_axes(static_cast<std::int64_t>(values[i].rank()));
    const tensor y = use(reduce(i, along, true)), x = values[i].value;
    const auto extents = values[i].extents;
    switch (random.below(5)) {
      case 0:  add(x - y, extents); break;
      case 1:  add(x * y, extents); break;
      case 2:  add(x / (abs(y) + 1), extents); break;
      case 3:  add(maximum(x, y), extents); break;
      default: add((x - y) * (x + y), extents); break;
    }
  }
  void normalize_axis() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto rank = static_cast<std::int64_t>(values[i].rank());
    const int along = static_cast<int>(random.below(2 * rank) - rank);
    const tensor x = values[i].value;
    add(random.chance(.7) ? softmax(x, {.axis = along}) : log_softmax(x, {.axis = along}),
        values[i].extents);
  }
  void normalize_layer() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto rank = values[i].rank();
    const auto some = random.some_axes(static_cast<std::int64_t>(rank));
    const auto along = random.chance(.5) ? axes(-1) : written(some, rank);
    add(layer_norm(values[i].value, {.axes = along, .epsilon = 0.125}), values[i].extents);
  }

  // ---- products of matrices -----------------------------------------------------------------

  /// The number of the product, or `none`.
  std::size_t multiply() {
    const auto i = pick_of_rank(1);
    if (i == none) return none;
    const auto a = values[i];
    const bool turned_a = a.rank() >= 2 && random.chance(.3), turned_b = random.chance(.4);
    const auto inner = a.extents[a.rank() - (turned_a ? 2 : 1)];
    const auto batch_of = [](const positions& e) {
      return positions(e.begin(),
                       e.end() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(e.size(), 2)));
    };
    positions result;
    const auto fits = [&](const positions& b) {
      if (b.empty() || b[b.size() - (b.size() > 1 && !turned_b ? 2 : 1)] != inner) return false;
      if (!broadcast(batch_of(a.extents), batch_of(b), result)) return false;
      if (a.rank() > 1) result.push_back(a.extents[a.rank() - (turned_a ? 1 : 2)]);
      if (b.size() > 1) result.push_back(b[b.size() - (turned_b ? 2 : 1)]);
      return !too_large(result) && result.size() <= 5;
    };
    auto k = none;
    if (random.chance(.6)) k = pick([&](const grown& x) { return fits(x.extents); });
    if (k == none) {
      if (inputs.size() >= 7) return none;
      const auto columns =
          random.chance(.5) ? random.one_of({1, 2, 3, 8, 17}) : random.one_of(pool);
      positions extents;
      if (random.chance(.5))
        for (auto e : batch_of(a.extents)) extents.push_back(random.chance(.7) ? e : 1);
      if (random.chance(.12)) {
        extents = {inner};
      } else {
        extents.push_back(turned_b ? columns : inner);
        extents.push_back(turned_b ? inner : columns);
      }
      if (!fits(extents)) return none;
      k = add_input(extents, 1);
      ++values[k].uses;
    }
    if (!fits(values[k].extents)) return none;
    return add(matmul(a.value, values[k].value, {.transpose_a = turned_a, .transpose_b = turned_b}),
               result);
  }
  void multiply_and_move() {
    const auto i = multiply();
    if (i == none || values[i].rank() < 2 || random.chance(.5)) return;
    if (random.chance(.5)) {
      turn(i);
      return;
    }
    auto extents = values[i].extents;
    if (random.chance(.4)) {
      tensor x = use(i);
      if (random.chance(.6) && inputs.size() < 7) x = x + use(add_input({extents.back()}, 1));
      add(gelu(x, {.approximate = approximation::tanh}), extents);
      return;
    }
    extents.back() *= 2;
    const tensor x = use(i);
    add(concat({x, x * 2}, {.axis = -1}), extents);
  }
  /// x @ y + u @ v - w @ z: sums of products, of which the later ones may add to the first.
  void add_products() {
    const auto i = multiply();
    if (i == none || values[i].rank() < 2) return;
    const auto extents = values[i].extents;
    tensor all = use(i);
    for (auto more = 1 + random.below(2); more > 0 && inputs.size() < 6; --more) {
      const auto inner = random.one_of(pool);
      const bool turned = random.chance(.3);
      positions left = extents;
      left.back() = inner;
      if (turned) std::swap(left[left.size() - 1], left[left.size() - 2]);
      const tensor a = use(add_input(left, 1)), b = use(add_input({inner, extents.back()}, 1));
      const tensor product = matmul(a, b, {.transpose_a = turned});
      if (random.chance(.3)) add(product, extents);
      all = random.chance(.7) ? all + product : product - all;
    }
    positions both;
    if (random.chance(.3))
      if (const auto k = pick([&](const grown& x) {
            return broadcast(x.extents, extents, both) && both == extents;
          });
          k != none)
        all = all + values[k].value;
    add(all, extents);
  }

 private:
  /// Axes as attributes, some counted from the end.
  axes written(const positions& along, std::size_t rank) {
    axes out;
    out.every = false;
    for (auto a : along)
      out.push_back(static_cast<int>(random.chance(.7) ? a : a - static_cast<std::int64_t>(rank)));
    return out;
  }
};

}  // namespace primal::test
