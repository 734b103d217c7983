// What the kernels of a random program give.
#pragma once

#include <primal/primal.hpp>

#include <support/catch.hpp>
#include <support/difference.hpp>
#include <support/random_programs.hpp>

#include <deque>

using namespace primal;
using namespace primal::test;

/// The program that generate.cpp has frozen; the names in it are left out.
template <std::size_t Words, std::size_t Statements>
constexpr program thawed(const std::int64_t (&words)[Words],
                         const op_info* const (&operators)[Statements], int names) {
  core::usual_program f{};
  f.used = {static_cast<int>(Words), static_cast<int>(Statements), names};
  for (std::size_t i = 0; i < Words; ++i) f.words[i] = words[i];
  for (std::size_t i = 0; i < Statements; ++i) f.operators[i] = operators[i], f.files[i] = "";
  for (int i = 0; i < names; ++i) f.names[i] = "";
  return thaw(f);
}

/// Arrays in the dtypes of a program. They begin one element behind where registers would like it.
class stored_arrays {
 public:
  void add(const std::vector<double>& elements, const positions& extents, dtype type) {
    with(type, [&]<class T>(T) {
      auto& bytes = bytes_.emplace_back((elements.size() + 1) * sizeof(T));
      auto* first = reinterpret_cast<T*>(bytes.data()) + 1;
      for (std::size_t i = 0; i < elements.size(); ++i) first[i] = static_cast<T>(elements[i]);
      auto& own = extents_.emplace_back(extents.begin(), extents.end());
      auto& strides = strides_.emplace_back(extents.size());
      set_row_major(strides.data(), own.data(), static_cast<int>(extents.size()));
      refs_.push_back({first, own.data(), strides.data()});
      types_.push_back(type);
    });
  }
  const array_ref* refs() const { return refs_.data(); }
  arrays elements() const {
    arrays out;
    for (std::size_t i = 0; i < refs_.size(); ++i)
      with(types_[i], [&]<class T>(T) {
        const auto* first = static_cast<const T*>(refs_[i].data);
        out.emplace_back(first, first + bytes_[i].size() / sizeof(T) - 1);
      });
    return out;
  }

 private:
  std::deque<std::vector<std::byte>> bytes_;
  std::deque<std::vector<std::int64_t>> extents_, strides_;
  std::vector<array_ref> refs_;
  std::vector<dtype> types_;

  template <class F> static void with(dtype type, const F& f) {
    switch (type) {
      case dtype::bool_:   return f(bool());
      case dtype::int32:   return f(std::int32_t());
      case dtype::int64:   return f(std::int64_t());
      case dtype::float32: return f(float());
      case dtype::float64: return f(double());
      default:             throw std::logic_error("a dtype that random programs do not have");
    }
  }
};

inline precision precision_of(const program& p) {
  for (const auto& v : p.values)
    if (v.dtype == dtype::float32) return {.tolerance = 2e-4, .noise = 2e-6};
  return {};
}

template <class Program> void check(std::uint64_t seed, program_size size) {
  const auto random = make_random_program(seed, size);
  const auto& p = random.recorded;
  const auto wanted = interpret(p, random.inputs);
  stored_arrays in, out;
  for (const auto& x : random.inputs) in.add(x.values, x.extents, x.dtype);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    out.add(std::vector<double>(wanted[i].values.size(), 77), wanted[i].extents,
            p.dtype_of(p.outputs[static_cast<int>(i)]));

  workspace room;
  cpu_backend backend{options{}};
  const model_call<Program, cpu_backend> call(in.refs());
  for (int turn = 0; turn < 2; ++turn) {  // in memory that is new, and where everything is NaN
    call.run_into(out.refs(), backend, room);
    outcome result;
    compare(out.elements(), elements_of(wanted), simplify(prepared(decompose(p))), random.inputs,
            result, precision_of(p));
    CHECK(result.wrong == "");
    if (room.size() > 0) std::fill_n(room.reserve(1), room.size(), std::byte{0xff});
  }
}
