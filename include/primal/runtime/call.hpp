// call: checks the arrays of a call, finds room for what it needs, and runs it.
#pragma once

#include <primal/core/constant_text.hpp>
#include <primal/runtime/executable.hpp>
#include <primal/runtime/extent_values.hpp>
#include <primal/runtime/flat_arrays.hpp>
#include <primal/runtime/model.hpp>

#include <string_view>

namespace primal {

/// Throws for requirement `index`; `sides` has the lines of requirement_sides.
[[noreturn, gnu::cold]] inline void fail_requirement(const requirement& r, std::size_t index,
                                                     std::int64_t a, std::int64_t b,
                                                     std::string_view sides) {
  const auto line = [&] {
    const auto end = sides.find('\n');
    const auto own = sides.substr(0, end);
    sides.remove_prefix(end + 1);
    return own;
  };
  for (std::size_t i = 0; i < 2 * index; ++i) line();
  const auto left = line(), right = line();
  raise<shape_error>(to_text(r, left, a, right, b).str());
}

/// One call of a recorded model.
template <class Model, class Backend> class model_call {
  using stage = primal::stage<Model>;
  using inputs = inputs_of<stage>;
  using outputs = outputs_of<stage>;
  using executable = primal::executable<Model, Backend>;
  // Extents that rules compare, and the types of their operators do not, are compared at the call as well. Codes of
  // the recorded program stay valid in the decomposed one.
  using expanded = primal::stage<decomposed_pass<Model>>;
  using checked_stage =
      std::conditional_t<(requirements_of<expanded>::count > requirements_of<stage>::count),
                         expanded, stage>;

 public:
  /// Checks the inputs.
  explicit model_call(const array_ref* in) : in_(checked(in)), extents_(in) {
    check_requirements();
    for (int i = 0; i < outputs::count; ++i) set_result_extents(i);
  }
  model_call(const model_call&) = delete;
  model_call& operator=(const model_call&) = delete;

  /// The extents that a result has.
  const std::int64_t* result_extents(int output) const {
    return result_extents_[at(output)].data();
  }

  /// Runs into arrays of the caller's: checks them, and gives those that share memory with an input or have
  /// strides of their own another place until the end.
  void run_into(const array_ref* out, Backend& backend, typename Backend::workspace& room) const {
    byte_span written[outputs::count + 1];
    for (int i = 0; i < outputs::count; ++i) {
      written[i] = bytes_of(out[i], rank(i), outputs::types[at(i)].dtype);
      check_output(i, out, written);
    }
    const auto needs_copy = copies_of(out, written);
    const executable call(in_, backend);
    const std::size_t for_kernels = aligned_size(call.workspace_bytes());
    std::size_t used = for_kernels;
    std::array<std::size_t, static_cast<std::size_t>(outputs::count)> copies{};  // where they begin
    bool any_copy = false;
    for (int i = 0; i < outputs::count; ++i) {
      if (!needs_copy[at(i)]) continue;
      any_copy = true;
      copies[at(i)] = used;
      used += copy_bytes(i, out);
    }
    std::byte* const block = room.reserve(used);
    if (!any_copy) return call.run(out, block, backend);

    std::array<array_ref, static_cast<std::size_t>(outputs::count)> targets{};
    std::array<std::array<std::int64_t, max_rank>, static_cast<std::size_t>(outputs::count)>
        strides{};
    for (int i = 0; i < outputs::count; ++i) {
      targets[at(i)] = out[i];
      if (!needs_copy[at(i)]) continue;
      set_row_major(strides[at(i)].data(), out[i].extents, rank(i));
      targets[at(i)] = {block + copies[at(i)], out[i].extents, strides[at(i)].data()};
    }
    call.run(targets.data(), block, backend);
    for (int i = 0; i < outputs::count; ++i)
      if (targets[at(i)].data != out[i].data)
        backend.copy(targets[at(i)], out[i], rank(i), size_of(outputs::types[at(i)].dtype));
  }

 private:
  static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static constexpr int rank(int output) { return outputs::types[at(output)].rank(); }

  static const array_ref* checked(const array_ref* in) {
    for (int i = 0; i < inputs::count; ++i) {
      const auto& dims = inputs::types[at(i)].dims;
      for (int axis = 0; axis < dims.size(); ++axis)
        if (is_number(dims[axis]) && in[i].extents[axis] != dims[axis])
          raise<shape_error>(join(input_names_of<stage>::value[at(i)], ": axis ", axis,
                                  " has the extent ", in[i].extents[axis], ", and ", dims[axis],
                                  " is declared")
                                 .str());
    }
    return in;
  }

  void check_requirements() const {
    std::size_t i = 0;  // nvcc warns of comparing one with the size of an empty array
    for (const auto& r : requirements_of<checked_stage>::value) {
      if (const auto a = extents_(r.a), b = extents_(r.b); a != b)
        fail_requirement(r, i, a, b, constant_text<requirement_sides<checked_stage, stage>>::view);
      ++i;
    }
  }

  void set_result_extents(int i) {
    auto& extents = result_extents_[at(i)];
    extents_.write(outputs::types[at(i)].dims, extents.data());
    for (int axis = 0; axis < rank(i); ++axis)
      if (extents[at(axis)] < 0)
        raise<shape_error>(
            join("result ", i, ": axis ", axis, " would have the extent ", extents[at(axis)])
                .str());
  }

  /// `written`: the bytes of the outputs up to this one.
  void check_output(int i, const array_ref* out, const byte_span* written) const {
    const auto& extents = result_extents_[at(i)];
    for (int axis = 0; axis < rank(i); ++axis)
      if (out[i].extents[axis] != extents[at(axis)])
        raise<shape_error>(join("into: output ", i, ": axis ", axis, " has the extent ",
                                out[i].extents[axis], ", and that of the result is ",
                                extents[at(axis)])
                               .str());
    for (int other = 0; other < i; ++other)
      if (written[i].overlaps(written[other]) &&
          !interleave(out[i], rank(i), outputs::types[at(i)].dtype, out[other], rank(other),
                      outputs::types[at(other)].dtype))
        raise<value_error>(join("into: the outputs ", other, " and ", i, " share memory").str());
  }

  /// Which outputs get a place of their own? (Kernels write row-major arrays.)
  std::array<bool, at(outputs::count)> copies_of(const array_ref* out,
                                                 const byte_span* written) const {
    std::array<bool, at(outputs::count)> copied{};
    for (int o = 0; o < outputs::count; ++o) copied[at(o)] = !is_row_major(out[o], rank(o));
    for (int i = 0; i < inputs::count; ++i) {
      const auto& type = inputs::types[at(i)];
      const auto read = bytes_of(in_[i], type.rank(), type.dtype);
      for (int o = 0; o < outputs::count; ++o)
        if (written[o].overlaps(read) && !replaces(o, i, out[o])) copied[at(o)] = true;
    }
    return copied;
  }
  bool replaces(int output, int input, const array_ref& out) const {
    const auto& type = inputs::types[at(input)];
    return type.rank() == rank(output) && type.dtype == outputs::types[at(output)].dtype &&
           same_layout(in_[input], out, rank(output)) && executable::in_place(output, input);
  }
  static std::size_t copy_bytes(int i, const array_ref* out) {
    const auto elements = element_count(out[i].extents, rank(i));
    return aligned_size(static_cast<std::size_t>(elements * size_of(outputs::types[at(i)].dtype)));
  }

  const array_ref* in_;
  extent_values<checked_stage> extents_;
  std::array<std::array<std::int64_t, max_rank>, static_cast<std::size_t>(outputs::count)>
      result_extents_{};
};

}  // namespace primal
