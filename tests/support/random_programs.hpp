// Random programs: elementwise arithmetic, reductions, products of matrices, views, indexing and
// gradients, in any order.
#pragma once

#include <primal/transform/reverse.hpp>

#include <support/random_parts.hpp>

namespace primal::test {

/// Adds one random statement, or a few that belong together, at a time.
class random_steps : public random_parts {
 public:
  using random_parts::random_parts;

  /// Elementwise, of one element at a time.
  void elementwise_step() {
    if (random.chance(.25)) apply_function();
    else combine();
  }
  void step() {
    switch (random.below(26)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:  combine(); break;
      case 5:
      case 6:  apply_function(); break;
      case 7:
      case 8:  reduce_any(); break;
      case 9:
      case 10:
      case 11: combine_with_reduced(); break;
      case 12: normalize_axis(); break;
      case 13: normalize_layer(); break;
      case 14:
      case 15:
        if (const auto i = pick_of_rank(2); i != none) turn(i);
        break;
      case 16: reshape_any(); break;
      case 17: slice_any(); break;
      case 18: join(); break;
      case 19: pad_any(); break;
      case 20: repeat(); break;
      case 21: take_any(); break;
      case 22: scatter_any(); break;
      case 23: multiply_and_move(); break;
      case 24: add_products(); break;
      default: convert_any(); break;
    }
  }

 private:
  /// Dtypes, places, and what fits nowhere else.
  void convert_any() {
    const auto i = pick_of_rank(0);
    const auto x = values[i];
    const tensor t = x.value;
    const auto own = t.dtype();
    auto extents = x.extents;
    const auto how = random.below(x.rank() == 0 ? 3 : 7);
    switch (how) {
      case 0: add(cast(t, own == dtype::float32 ? dtype::float64 : dtype::float32), extents); break;
      case 1: add(cast(cast(t * 3 + 0.1234, dtype::int32), own) + t, extents); break;
      case 2: add(cast(t > 0.2, own) * t, extents); break;
      case 3: {
        const auto along = random_axis(x);
        const bool keep = random.chance(.5);
        if (keep) extents[along] = 1;
        else extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(along));
        add(cast(argmax(t, {.axis = number(along), .keepdims = keep}), own) * 0.125, extents);
        break;
      }
      case 4: {
        if (x.rank() > 3) return;
        const auto k =
            pick([&](const grown& y) { return y.extents == x.extents && y.value.dtype() == own; });
        const auto along = random.below(static_cast<std::int64_t>(x.rank()) + 1);
        extents.insert(extents.begin() + along, 2);
        if (!too_large(extents))
          add(stack({t, values[k].value}, {.axis = static_cast<int>(along)}), extents);
        break;
      }
      case 5:  add(t * arange(t.extent(-1), {own}) * 0.125, extents); break;
      default: {
        const tensor positive = where(t > 0, t, 0.0);
        add(positive / (sum(positive, {.axes = axes(0), .keepdims = true}) + 1), extents);
        break;
      }
    }
  }
};

/// A recorded program, and arrays for its inputs.
struct random_program {
  program recorded;
  std::vector<dense> inputs;
};

/// How much a program contains.
enum class program_size {
  small,
  large,
  deep,
  parts,
  loops
};  // deep: almost only elementwise, and many

/// Program number `seed`, cut off after some steps; two in five are gradients.
inline random_program make_random_program(std::uint64_t seed, program_size size,
                                          int most_steps = 100) {
  random_steps grow(seed);
  auto& random = grow.random;
  for (auto more = 1 + random.below(3); more > 0; --more) grow.add_input(grow.random_extents());
  const auto wanted = grow.floating_inputs;
  const auto first = grow.values.size();
  const int begin = grow.r.size();
  const auto steps = std::min<std::int64_t>(size == program_size::small   ? 2 + random.below(9)
                                            : size == program_size::large ? 8 + random.below(30)
                                            : size == program_size::parts ? 3 + random.below(10)
                                            : size == program_size::loops ? 1 + random.below(4)
                                                                          : 40 + random.below(100),
                                            most_steps);
  const bool gradient = random.chance(.4), more_outputs = random.chance(.4);
  for (std::int64_t i = 0; i < steps; ++i)
    if (size == program_size::deep && random.chance(.98)) grow.elementwise_step();
    else if (size == program_size::parts && random.chance(.6)) grow.parts_step();
    else if (size == program_size::loops && random.chance(.6)) grow.loop();
    else grow.step();

  tensors outputs;
  for (auto i = first; i < grow.values.size(); ++i)
    if (grow.values[i].uses == 0 || (more_outputs && random.chance(.2)))
      outputs.push_back(grow.values[i].value);
  if (outputs.empty()) outputs.push_back(grow.values.back().value);
  if (gradient) {
    reverse_sweep back(grow.r, begin);
    for (const auto& x : wanted) back.want(x);
    for (const auto& y : outputs) {
      const auto ones = attach(grow.r, ones_like(y).constant);
      back.seed(y, random.chance(.5) ? y * 0.5 : cast(ones, y.dtype()));
    }
    back.run();
    tensors cotangents;
    for (const auto& x : wanted)
      if (const auto t = back.cotangent(x); t.has_value()) cotangents.push_back(t);
    if (random.chance(.5))
      for (const auto& t : cotangents) outputs.push_back(t);
    else if (!cotangents.empty()) outputs = cotangents;
  }
  testing::set_outputs(grow.r, testing::recorded(grow.r, outputs));
  if (grow.r.report.failed()) throw std::logic_error(grow.r.report.message.str());
  return {grow.r, grow.inputs};
}

}  // namespace primal::test
