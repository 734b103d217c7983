// index_uses: where a model chooses elements by an index, and the look at those indices that the caller passes
// before anything is written.
#pragma once

#include <primal/core/error.hpp>
#include <primal/plan/pipeline.hpp>
#include <primal/runtime/array_ref.hpp>
#include <primal/runtime/extent_values.hpp>

#include <limits>

namespace primal {

/// An operand of a statement that chooses elements along an axis.
struct index_use {
  int input = -1;           // of the program; -1: the index is calculated
  std::int64_t extent = 0;  // of the axis, as a code
  int axis = 0;
  const char* op = "";  // as the model calls it
  place where;

  constexpr bool repeats(const index_use& other) const {
    return input == other.input && extent == other.extent && axis == other.axis &&
           where.line == other.where.line;
  }
};

namespace index_search {

constexpr bool chooses(const op_info* op) {
  return is<take_along_axis_op>(op) || is<scatter_add_op>(op);
}

/// Does every integer of `from` keep its value as a `to`?
constexpr bool keeps_integers(dtype from, dtype to) {
  if (from == to) return true;
  const int grown = size_of(to) - size_of(from);
  return is_integer(from) && is_integer(to) && grown >= 0 &&
         (is_unsigned(from) ? is_unsigned(to) || grown > 0 : !is_unsigned(to));
}

/// The input whose elements, and no others, are those of a value; -1 without one.
constexpr int input_behind(const program& p, int v) {
  for (;;) {
    const auto& s = p.maker(v);
    if (is<input_op>(s.op)) break;
    const bool moves = is<reshape_op>(s.op) || is<transpose_op>(s.op) || is<broadcast_to_op>(s.op);
    const bool widens =
        is<cast_op>(s.op) && keeps_integers(p.dtype_of(p.operand(s, 0)), p.dtype_of(v));
    if (!moves && !widens) return -1;
    v = p.operand(s, 0);
  }
  for (int i = 0; i < p.inputs.size(); ++i)
    if (p.inputs[i] == v) return i;
  return -1;
}

/// Does a value come from an input by statements of one operand each?
constexpr bool comes_from(const program& p, int v, int input) {
  while (v >= 0 && p.maker(v).operand_count == 1) v = p.operand(p.maker(v), 0);
  return v >= 0 && p.inputs[input] == v;
}

/// The name under which the recorded program has a statement that was made at a line.
constexpr const char* name_in(const program& recorded, const statement& s, int input) {
  for (const auto& t : recorded.statements) {
    if (t.where.line != s.where.line || std::string_view(t.where.file) != s.where.file) continue;
    if (!t.op->composite && !chooses(t.op)) continue;
    for (int v : recorded.operands_of(t))
      if (v >= 0 && is_integer(recorded.dtype_of(v)) &&
          (input < 0 || comes_from(recorded, v, input)))
        return t.op->name.data();
  }
  return s.op->name.data();
}

}  // namespace index_search

/// The program with composites expanded, in which the forward half of a gradient stays: where an index is
/// wrong, the gradient is as well, though it may not look at the index.
template <class Source> struct choosing_pass {
  static constexpr program run() {
    program p = thaw(stage<Source>::value);
    for (const auto& s : p.statements) {
      bool by_index = false;
      for (int v : p.operands_of(s)) by_index = by_index || (v >= 0 && is_integer(p.dtype_of(v)));
      if (by_index && s.operand_count > 1 && !s.op->elementwise)
        p.outputs.push_back(s.first_result);
    }
    return decompose(p);
  }
};

/// Where the model of a recorded program chooses elements.
template <class Source> struct index_uses_of {
  using inputs = inputs_of<primal::stage<Source>>;
  using expanded = primal::stage<decomposed_pass<Source>>;

  static constexpr bool has_indices() {
    for (const auto& type : inputs::types)
      if (is_integer(type.dtype)) return true;
    for (int i = 0; i < expanded::value.used.statements; ++i)
      if (index_search::chooses(expanded::value.operators[i])) return true;
    return false;
  }
  using stage = std::conditional_t<has_indices(), primal::stage<choosing_pass<Source>>, expanded>;

  static constexpr int count_statements() {
    int n = 0;
    for (int i = 0; i < stage::value.used.statements; ++i)
      n += index_search::chooses(stage::value.operators[i]);
    return n;
  }
  static constexpr int room = count_statements();

  struct table {
    int count = 0;
    index_use uses[room + 1];
  };
  static constexpr table find() {
    table t{};
    if (room == 0) return t;
    const program recorded = thaw(primal::stage<Source>::value), p = thaw(stage::value);
    for (const auto& s : p.statements) {
      if (!index_search::chooses(s.op)) continue;
      index_use use;
      use.input = index_search::input_behind(p, p.operand(s, 1));
      use.axis = indexed_axis(p, s);
      use.extent = p.shape_of(p.operand(s, 0))[use.axis];
      use.where = s.where;
      bool known = false;
      for (int i = 0; i < t.count; ++i) known = known || t.uses[i].repeats(use);
      if (known) continue;
      use.op = index_search::name_in(recorded, s, use.input);
      t.uses[t.count++] = use;
    }
    return t;
  }
  static constexpr table value = find();
};

namespace index_search {

/// The first of some integers that is no place of an axis with n elements; null if all are.
template <class T> const T* first_outside(const T* p, std::int64_t count, std::int64_t n) {
  using bounds = std::numeric_limits<T>;
  if (n == 0) return count > 0 ? p : nullptr;
  constexpr auto most = static_cast<std::uint64_t>(bounds::max());
  const T high = static_cast<std::uint64_t>(n - 1) < most ? static_cast<T>(n - 1) : bounds::max();
  T low = 0;
  if constexpr (std::is_signed_v<T>)
    low = n - 1 < std::int64_t{bounds::max()} ? static_cast<T>(-n) : bounds::min();
  constexpr int block = 32;  // of a length that compilers know they turn into registers
  std::int64_t i = 0;
  for (; i + block <= count; i += block) {
    T least = p[i], greatest = p[i];
    for (int k = 0; k < block; ++k) {
      least = p[i + k] < least ? p[i + k] : least;
      greatest = p[i + k] > greatest ? p[i + k] : greatest;
    }
    if (least < low || greatest > high) break;
  }
  for (; i < count; ++i)
    if (p[i] < low || p[i] > high) return p + i;
  return nullptr;
}

template <class T> const T* first_outside(const array_ref& a, int rank, std::int64_t n) {
  const auto* first = static_cast<const T*>(a.data);
  if (is_row_major(a, rank)) return first_outside(first, element_count(a.extents, rank), n);
  const T* found = nullptr;
  for_each_offset(a.extents, a.strides, a.strides, rank, [&](std::int64_t at, std::int64_t) {
    if (!found) found = first_outside(first + at, 1, n);
  });
  return found;
}

inline text out_of_range(const index_use& use, std::int64_t extent) {
  text t = join(" is out of range for axis ", use.axis, " of extent ", extent);
  if (use.where.known()) t += join(" at ", to_text(use.where));
  return t;
}

}  // namespace index_search

/// The look at the indices of one call.
template <class Source> class index_check {
  using uses = index_uses_of<Source>;
  using inputs = inputs_of<stage<Source>>;
  static constexpr int count = uses::value.count;
  template <int I> static constexpr const index_use& use = uses::value.uses[I];

 public:
  /// Does the program index at all?
  static constexpr bool any = count > 0;

  /// Throws at the first index out of range that the caller passes.
  static void inputs_in_range(const array_ref* in) {
    if constexpr (count > 0)
      [&]<int... I>(std::integer_sequence<int, I...>) {
        (check<I>(in), ...);
      }(std::make_integer_sequence<int, count>{});
  }

  /// Throws for an index that was calculated: the kernel found `index` along an axis of this extent.
  [[noreturn]] static void report_calculated(const array_ref* in, std::int64_t index,
                                             std::int64_t extent) {
    text message;
    for (int i = 0; i < count; ++i) {
      const auto& use = uses::value.uses[i];
      if (use.input >= 0 || extent_of(use.extent, in) != extent) continue;
      if (message.empty())
        message =
            join(use.op, ": the calculated index ", index, index_search::out_of_range(use, extent));
      else message += join(", or in ", use.op, " at ", to_text(use.where));
    }
    if (message.empty())
      message =
          join("primal: the calculated index ", index, " is out of range for an extent ", extent);
    raise<index_error>(message.str());
  }

 private:
  static std::int64_t extent_of(std::int64_t code, const array_ref* in) {
    return is_number(code) ? code : extent_values<typename uses::stage>(in)(code);
  }
  template <int I> static void check(const array_ref* in) {
    constexpr auto input = use<I>.input;
    if constexpr (input >= 0) {
      constexpr auto& type = inputs::types[static_cast<std::size_t>(input)];
      using T = element_of<type.dtype>;
      const auto n = extent_of(use<I>.extent, in);
      if (const T* found = index_search::first_outside<T>(in[input], type.rank(), n)) {
        const text index = join(static_cast<std::int64_t>(*found));
        raise<index_error>(join(use<I>.op, ": the index ", index, " in ",
                                input_names_of<stage<Source>>::value[input],
                                index_search::out_of_range(use<I>, n))
                               .str());
      }
    }
  }
};

}  // namespace primal
