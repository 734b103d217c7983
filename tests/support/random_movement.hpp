// Random steps of a program that move elements: views, copies, indices.
#pragma once

#include <support/growing_program.hpp>

namespace primal::test {

/// Each adds one or more values, or none where nothing fits.
class random_movement : public growing_program {
 public:
  using growing_program::growing_program;

  // ---- views and copies ---------------------------------------------------------------------

  std::size_t turn(std::size_t i) {
    const auto order = random.permutation(values[i].rank());
    ints written_order;
    positions extents;
    for (auto k : order) {
      written_order.push_back(static_cast<int>(k));
      extents.push_back(values[i].extents[axis(k)]);
    }
    return add(transpose(use(i), {written_order}), extents);
  }
  void reshape_any() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto x = values[i];
    extents to;
    positions known;
    const auto keep = [&](std::size_t k) {
      to.push_back(x.value.extent(number(k))), known.push_back(x.extents[k]);
    };
    const auto how = random.below(4);
    if (how == 0 && x.rank() >= 2) {  // two neighbours become one
      const auto first = axis(random.below(static_cast<std::int64_t>(x.rank()) - 1));
      for (std::size_t k = 0; k < x.rank(); ++k) {
        if (k != first) {
          keep(k);
          continue;
        }
        to.push_back(x.value.extent(number(k)) * x.value.extent(number(k) + 1));
        known.push_back(x.extents[k] * x.extents[k + 1]);
        ++k;
      }
    } else if (how == 1 && x.rank() <= 4) {  // a new axis
      const auto where_to = axis(random.below(static_cast<std::int64_t>(x.rank()) + 1));
      for (std::size_t k = 0; k <= x.rank(); ++k) {
        if (k == where_to) to.push_back(1), known.push_back(1);
        if (k < x.rank()) keep(k);
      }
    } else if (how == 2 && x.rank() <= 3) {  // one becomes two
      const auto split = random_axis(x);
      positions factors;
      for (std::int64_t q = 2; q < x.extents[split]; ++q)
        if (x.extents[split] % q == 0) factors.push_back(q);
      if (factors.empty()) return;
      const auto factor = random.one_of(factors);
      for (std::size_t k = 0; k < x.rank(); ++k) {
        if (k != split) {
          keep(k);
          continue;
        }
        to.push_back(factor), known.push_back(factor);
        to.push_back(-1), known.push_back(x.extents[k] / factor);
      }
    } else {
      to.push_back(-1), known.push_back(x.size());
    }
    add(reshape(x.value, to), known);
  }
  void slice_any() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto x = values[i];
    slice_op::attributes part;
    positions extents;
    primal::extents rest;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      const auto n = x.extents[k];
      const auto own = x.value.extent(number(k));
      const auto take_part = [&](extent start, extent size, int step, std::int64_t known) {
        part.start.push_back(start), part.size.push_back(size), part.step.push_back(step);
        if (known == 1 && n > 1 && random.chance(.5)) return;  // the axis goes, as in x[i]
        rest.push_back(size), extents.push_back(known);
      };
      const auto how = n == 1 ? 0 : random.below(5);
      if (how < 2) {
        take_part(0, own, 1, n);
      } else if (how == 2) {
        take_part(own - 1, own, -1, n);
      } else if (how == 3) {
        const int step = random.chance(.5) ? 2 : 3;
        const auto size = (n + step - 1) / step;
        if (!own.known() && size == 1) return;
        take_part(0, (own + (step - 1)) / step, step, size);
      } else {
        const auto start = random.below(n), size = 1 + random.below(n - start);
        take_part(start, size, 1, size);
      }
    }
    tensor t = slice(x.value, part);
    if (extents.size() != x.rank()) t = reshape(t, rest);
    add(t, extents);
  }
  void join() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto x = values[i];
    const auto along = random_axis(x);
    tensors parts{x.value};
    auto extents = x.extents;
    for (auto more = 1 + random.below(2); more > 0; --more)
      if (const auto k = pick_like(x, along); k != none) {
        parts.push_back(values[k].value);
        extents[along] += values[k].extents[along];
      }
    if (too_large(extents)) return;
    if (random.chance(.5)) std::swap(parts[0], parts[parts.size() - 1]);
    add(concat(parts, {.axis = number(along)}), extents);
  }
  void pad_any() {
    const auto i = pick_of_rank(1);
    if (i == none) return;
    const auto x = values[i];
    pad_op::attributes around;
    auto extents = x.extents;
    for (auto& e : extents) {
      const auto n = e;
      const auto some = [&] {
        const auto count = random.below(4);
        return count < 3 ? count : n > 4 ? -1 : 0;
      };
      const auto low = some(), high = some();
      around.low.push_back(low), around.high.push_back(high);
      e += low + high;
    }
    around.value = static_cast<double>(random.below(4) - 1) / 2;
    if (!too_large(extents)) add(pad(x.value, around), extents);
  }
  void repeat() {
    const auto i = pick_of_rank(0);
    const auto x = values[i];
    if (x.rank() > 3) return;
    extents to;
    positions known;
    const auto new_extent = [&](std::int64_t n) { to.push_back(n), known.push_back(n); };
    if (random.chance(.6)) new_extent(2 + random.below(2));
    for (std::size_t k = 0; k < x.rank(); ++k)
      if (x.extents[k] == 1 && random.chance(.6)) new_extent(2 + random.below(3));
      else to.push_back(x.value.extent(number(k))), known.push_back(x.extents[k]);
    if (!too_large(known)) add(broadcast_to(x.value, to), known);
  }

  // ---- indices ------------------------------------------------------------------------------

  void take_any() {
    const auto i = pick_of_rank(1);
    if (i == none || inputs.size() > 6) return;
    const auto x = values[i];
    const auto along = random_axis(x);
    const auto n = x.extents[along];
    if (random.chance(.5)) {
      positions chosen;
      if (random.chance(.7)) chosen.push_back(random.one_of({1, 2, 5, 17}));
      if (random.chance(.2)) chosen.push_back(3);
      auto extents = x.extents;
      const auto at = extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(along));
      extents.insert(at, chosen.begin(), chosen.end());
      if (too_large(extents) || extents.size() > 5) return;
      add(take(x.value, indices(chosen, n), {.axis = number(along)}), extents);
    } else {
      auto extents = x.extents;
      extents[along] = random.one_of({1, 1, 2, n, n});
      if (too_large(extents)) return;
      add(take_along_axis(x.value, indices(extents, n), {.axis = number(along)}), extents);
    }
  }
  void scatter_any() {
    const auto i = pick_of_rank(1);
    if (i == none || inputs.size() > 6) return;
    const auto updates = values[i];
    const auto along = random_axis(updates);
    const auto k = pick_like(updates, along);
    if (k == none) return;
    const auto x = values[k];
    const tensor at = indices(updates.extents, x.extents[along]);
    add(scatter_add(x.value, at, updates.value, {.axis = number(along)}), x.extents);
  }
};

}  // namespace primal::test
