// Recording at run time: rules are plain code, so one compiled program can try any model on any shapes.
#pragma once

#include <primal/interpret/dense.hpp>
#include <primal/op/input.hpp>
#include <primal/transform/reverse.hpp>

namespace primal::testing {

/// Which extents of the inputs a model may use while it is recorded.
enum class extents_are {
  known,
  unknown
};  // extents 1 always are: broadcasting is decided while recording

/// An input for each array.
inline tensors record_inputs(recorder& r, const std::vector<dense>& arrays,
                             extents_are mode = extents_are::known) {
  tensors inputs;
  for (const auto& x : arrays) {
    tensor_type type{{}, x.dtype};
    for (auto e : x.extents) {
      const bool unknown = mode == extents_are::unknown && e != 1;
      type.dims.push_back(unknown ? r.extents.symbol(static_cast<int>(r.inputs.size()), type.rank())
                                  : e);
    }
    inputs.push_back(record_input(r, type, "input"));
  }
  return inputs;
}

/// Constants become statements.
inline tensors recorded(recorder& r, tensors values) {
  for (auto& t : values)
    if (!t.owner && t.has_value()) t = attach(r, t.constant);
  return values;
}

/// Makes values the outputs of a program.
inline void set_outputs(recorder& r, const tensors& outputs) {
  r.outputs.clear();
  for (const auto& t : outputs) r.outputs.push_back(t.id);
}

/// The program of `model`, a function from tensors to tensors.
template <class Model>
program record(const std::vector<dense>& arrays, const Model& model,
               extents_are mode = extents_are::known) {
  recorder r;
  const auto inputs = record_inputs(r, arrays, mode);
  set_outputs(r, recorded(r, model(inputs)));
  return r;
}

/// Cotangents of `inputs` from those of the results of `model(inputs)`; an absent one takes no part. Inputs
/// that nothing depends on get zeros, those that have no gradient an empty handle.
template <class Model>
tensors record_vjp(recorder& r, const tensors& inputs, const tensors& cotangents,
                   const Model& model) {
  reverse_sweep sweep(r, r.size());
  for (const auto& x : inputs) sweep.want(x);
  const tensors results = recorded(r, model(inputs));
  for (std::size_t i = 0; i < results.size() && i < cotangents.size(); ++i)
    if (cotangents[i].has_value()) sweep.seed(results[i], cotangents[i]);
  sweep.run();
  tensors out;
  for (const auto& x : inputs) {
    out.push_back(sweep.cotangent(x));
    if (!out.back().has_value() && is_floating(x.dtype()))
      out.back() = attach(r, zeros_like(x).constant);
  }
  return out;
}

}  // namespace primal::testing
