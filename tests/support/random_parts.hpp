// Random steps of a program that takes values apart and joins them again, as solvers of differential equations do.
#pragma once

#include <support/random_arithmetic.hpp>

namespace primal::test {

class random_parts : public random_arithmetic {
 public:
  using random_arithmetic::random_arithmetic;

  void parts_step() {
    switch (random.below(5)) {
      case 0:
      case 1:  step_of_rows(); break;
      case 2:  functions_of_parts(); break;
      case 3:  differences(); break;
      default: sum_of_paddings(); break;
    }
  }

  /// A loop: each step takes elements of a vector of parameters, and numbers of its own.
  void loop() {
    const auto i =
        pick([](const grown& x) { return x.rank() < 3 && x.value.dtype() != dtype::bool_; });
    if (i == none) return;
    const auto steps = 2 + random.below(9), count = 1 + random.below(4);
    positions numbers = values[i].extents;
    numbers.insert(numbers.begin(), steps);
    if (too_large(numbers)) return;
    const tensor p = values[add_input({count})].value, z = values[add_input(numbers)].value;
    const auto parameter = [&] { return p(static_cast<int>(random.below(count))); };
    tensor x = values[i].value, total;
    const bool sums = random.chance(.3);
    for (std::int64_t k = 0; k < steps; ++k) {
      const tensor step = combined(random.chance(.5) ? function_of(x) : x, parameter()),
                   own = parameter() * z(static_cast<int>(k));
      x = 0.5 * x + tanh(random.chance(.5) ? step + own : combined(step, own));
      if (sums) total = total.has_value() ? total + mean(x) : mean(x);
    }
    add(x, values[i].extents);
    if (sums) add(total, {});
    else if (random.chance(.7)) add(mean(x), {});
  }

 private:
  /// `count` elements of an axis from `start` on.
  tensor part(const grown& x, std::size_t along, const extent& start, const extent& count,
              std::int64_t by = 1) {
    slice_op::attributes a;
    for (std::size_t k = 0; k < x.rank(); ++k) {
      const bool here = k == along;
      a.start.push_back(here ? start : extent(0));
      a.size.push_back(here ? count : x.value.extent(number(k)));
      a.step.push_back(here ? by : 1);
    }
    return slice(x.value, a);
  }
  std::size_t pick_divisible() {
    return pick([](const grown& x) { return !x.extents.empty() && x.extents.back() > 1; });
  }
  std::size_t long_axis(const grown& x) {
    for (;;)
      if (const auto k = random_axis(x); x.extents[k] > 1) return k;
  }

  /// Rows of a state, their slopes, and a step along them.
  void step_of_rows() {
    const auto i = pick([](const grown& x) {
      return std::any_of(x.extents.begin(), x.extents.end(), [](auto e) { return e > 1 && e < 6; });
    });
    if (i == none) return;
    const auto x = values[i];
    std::size_t along = 0;
    do along = random_axis(x);
    while (x.extents[along] < 2 || x.extents[along] > 5);
    extents row;
    for (std::size_t k = 0; k < x.rank(); ++k)
      if (k != along) row.push_back(x.value.extent(number(k)));
    grown state = x;
    if (random.chance(.3)) state.value = function_of(x.value);
    tensors slopes;
    for (std::int64_t k = 0; k < x.extents[along]; ++k) {
      const auto other = random.below(x.extents[along]);
      const tensor a = reshape(part(state, along, k, 1), row),
                   b = reshape(part(state, along, other, 1), row);
      slopes.push_back(random.chance(.5) ? combined(a, b) : random.chance(.5) ? function_of(a) : b);
    }
    const tensor joined = stack(slopes, {.axis = number(along)});
    add(random.chance(.7) ? state.value + joined * 0.125 : joined, x.extents);
  }
  void functions_of_parts() {
    const auto i = pick_divisible();
    if (i == none) return;
    grown x = values[i];
    const auto along = long_axis(x);
    if (random.chance(.5)) x.value = function_of(x.value);
    tensors parts;
    const auto size = random.chance(.6) && x.extents[along] % 2 == 0
                          ? x.extents[along] / 2
                          : 1 + random.below(x.extents[along] - 1);
    const extent whole = x.value.extent(number(along));
    parts.push_back(function_of(part(x, along, 0, size)));
    parts.push_back(part(x, along, size, whole - size));
    if (random.chance(.3)) std::swap(parts[0], parts[1]);
    const tensor joined = concat(parts, {.axis = number(along)});
    add(random.chance(.5) ? combined(joined, x.value) : joined, x.extents);
  }
  void differences() {
    const auto i = pick_divisible();
    if (i == none) return;
    grown x = values[i];
    const auto along = long_axis(x);
    if (x.extents[along] == 2)
      return;  // what is left would not be repeated unless 1 is known ahead
    if (random.chance(.7)) x.value = function_of(x.value);
    const auto count = x.value.extent(number(along)) - 1;
    const tensor right = part(x, along, 1, count),
                 left = random.chance(.7) ? part(x, along, 0, count)
                                          : part(x, along, count - 1, count, -1);
    const tensor d = combined(right, left);
    auto shorter = x.extents;
    --shorter[along];
    if (random.chance(.4)) {
      add(d, shorter);
      return;
    }
    pad_op::attributes back;
    for (std::size_t k = 0; k < x.rank(); ++k)
      back.low.push_back(k == along ? 1 : 0), back.high.push_back(0);
    add(x.value + pad(d, back), x.extents);
  }
  /// As the gradients of slices.
  void sum_of_paddings() {
    const auto i = pick_divisible();
    if (i == none) return;
    const auto x = values[i];
    const auto along = long_axis(x);
    const extent whole = x.value.extent(number(along));
    tensor sum;
    for (std::int64_t begin = 0; begin < x.extents[along] && begin < 4;) {
      const auto size = std::min(1 + random.below(2), x.extents[along] - begin);
      tensor own = part(x, along, begin, size);
      if (random.chance(.5)) own = function_of(own);
      pad_op::attributes around;
      for (std::size_t k = 0; k < x.rank(); ++k) {
        around.low.push_back(k == along ? begin : 0);
        around.high.push_back(k == along ? whole - begin - size : extent(0));
      }
      const tensor padded = pad(own, around);
      sum = begin == 0 ? padded : random.chance(.8) ? sum + padded : sum - padded * 0.5;
      begin += size;
    }
    add(random.chance(.5) ? combined(x.value, sum) : sum, x.extents);
  }
};

}  // namespace primal::test
