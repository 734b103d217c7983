// tensor: the handle of a value in a model.
#pragma once

#include <primal/expr/extents.hpp>
#include <primal/expr/op_info.hpp>

#include <array>
#include <bit>
#include <vector>

namespace primal {

/// A number, or an array made from numbers alone, before it meets a recorded tensor. Held in one array
/// of words, because handles are copied all the time and an array is copied in one step.
class constant_source {
 public:
  enum kind_t : std::uint8_t { nothing, number, full, arange, eye, extent, expression };

  constexpr constant_source() = default;
  constexpr constant_source(kind_t kind, primal::dtype d, double value, double step = 0)
      : words_{static_cast<std::int64_t>(kind), static_cast<std::int64_t>(d),
               std::bit_cast<std::int64_t>(value), std::bit_cast<std::int64_t>(step)} {}

  constexpr kind_t kind() const { return static_cast<kind_t>(words_[0]); }
  constexpr primal::dtype dtype() const { return static_cast<primal::dtype>(words_[1]); }
  constexpr void set_dtype(primal::dtype d) { words_[1] = static_cast<std::int64_t>(d); }
  constexpr double value() const { return std::bit_cast<double>(words_[2]); }
  constexpr double step() const { return std::bit_cast<double>(words_[3]); }
  constexpr int rank() const { return static_cast<int>(words_[4]); }
  constexpr shape dims() const {
    shape s;
    for (int i = 0; i < rank(); ++i) s.push_back(words_[5 + i]);
    return s;
  }
  constexpr void set_dims(const shape& s) {
    words_[4] = s.size();
    for (int i = 0; i < s.size(); ++i) words_[5 + i] = s[i];
  }
  /// The same element everywhere?
  constexpr bool uniform() const { return kind() == number || kind() == full; }
  /// A number or an extent: it takes the dtype of the tensors beside it.
  constexpr bool weak() const { return kind() == number || kind() == extent; }

  /// Of an expression: its statements (see op/constant_expression.hpp).
  struct code {
    static constexpr int room = 96, most_statements = 24;
    std::int64_t words[room] = {};
    const op_info* operators[most_statements] = {};
    const char* file = "";
  };
  code statements;

  /// Do both have the same elements, for all that can be seen?
  constexpr bool same_as(const constant_source& other) const {
    for (int i = 0; i < 5 + max_rank; ++i)
      if (words_[i] != other.words_[i]) return false;
    for (int i = 0; i < code::room; ++i)
      if (statements.words[i] != other.statements.words[i]) return false;
    for (int i = 0; i < statements.words[0]; ++i)
      if (!same_operator(statements.operators[i], other.statements.operators[i])) return false;
    return true;
  }

 private:
  std::int64_t words_[5 + max_rank] = {};
};

/// A value of a model: a small handle, copied freely. It is valid while its model is being recorded;
/// no expression exists at run time. An empty handle stands for an input that was left out.
struct tensor {
  recorder* owner = nullptr;
  int id = -1;
  constant_source constant;
  recorder* near = nullptr;  // of a constant: the model that its extents belong to

  constexpr tensor() = default;
  constexpr tensor(recorder* r, int value) : owner(r), id(value) {}

  /// Is there a value at all? False for an optional input that was left out.
  constexpr bool has_value() const {
    return owner != nullptr || constant.kind() != constant_source::nothing;
  }

  constexpr tensor_type type() const {
    return owner ? owner->type(id) : tensor_type{constant.dims(), constant.dtype()};
  }
  constexpr int rank() const { return owner ? owner->shape_of(id).size() : constant.rank(); }
  constexpr primal::dtype dtype() const { return owner ? owner->dtype_of(id) : constant.dtype(); }
  /// The extents of all axes.
  constexpr extents shape() const {
    return owner ? extents(owner->shape_of(id), owner) : extents(constant.dims(), near);
  }
  /// The extent of one axis; a negative axis counts from the end.
  constexpr primal::extent extent(
      int axis, std::source_location where = std::source_location::current()) const {
    const int at = axis < 0 ? axis + rank() : axis;
    if (at >= 0 && at < rank()) return shape()[at];
    if (!owner) core::refuse("primal: extent: axis out of range");
    owner->report.at(where);
    owner->report.fail(
        join("extent: axis ", axis, " is out of range for ", to_text(type(), owner->extents)));
    return 1;
  }
  /// How many elements.
  constexpr primal::extent size() const {
    primal::extent n = 1;
    for (const auto& e : shape()) n = n * e;
    return n;
  }

  struct index;
  /// Slices: `x(pm::all, pm::range(2, -1), pm::newaxis, 0)`.
  template <class... I> constexpr tensor operator()(const index& first, const I&... others) const;
};

/// The kind of array that a parameter struct holds inside a model.
template <std::size_t Rank> using symbolic = tensor;

/// An optional input that is left out.
struct none_t {};
inline constexpr none_t none{};

template <class T>
concept number = std::is_arithmetic_v<T>;

constexpr tensor constant_tensor(const constant_source& c) {
  tensor t;
  t.constant = c;
  return t;
}
constexpr tensor constant_tensor(const constant_source& c, const extents& dims) {
  tensor t = constant_tensor(c);
  t.constant.set_dims(dims.codes());
  for (const auto& e : dims)
    if (e.owner()) t.near = e.owner();
  return t;
}

/// An extent as a tensor of rank 0.
constexpr tensor extent_tensor(const extent& e) {
  if (e.known())
    return constant_tensor({constant_source::number, dtype::int64, static_cast<double>(e.code())});
  return constant_tensor({constant_source::extent, dtype::int64, 0}, {e});
}

/// An argument of an operator: a tensor, a number or an extent, and the line where it stands.
struct operand {
  tensor t;
  place where;

  constexpr operand(const tensor& x, std::source_location l = std::source_location::current())
      : t(x), where(l) {}
  template <number N>
  constexpr operand(N x, std::source_location l = std::source_location::current())
      : t(constant_tensor({constant_source::number, dtype_of<N>, static_cast<double>(x)})),
        where(l) {}
  constexpr operand(const extent& e, std::source_location l = std::source_location::current())
      : t(extent_tensor(e)), where(l) {}
};

/// An argument that may be left out.
struct optional_operand {
  tensor t;
  place where;

  constexpr optional_operand(const tensor& x,
                             std::source_location l = std::source_location::current())
      : t(x), where(l) {}
  constexpr optional_operand(none_t) {}
  template <number N>
  constexpr optional_operand(N x, std::source_location l = std::source_location::current())
      : t(operand(x).t), where(l) {}
};

/// In a rule's parameter list: an input that may have been left out; ask has_value().
struct optional : tensor {};

/// Several tensors: the operands of concat, the cotangents of a rule.
struct tensors : std::vector<tensor> {
  using std::vector<tensor>::vector;
  constexpr tensors() = default;
  constexpr tensors(std::initializer_list<tensor> items) : std::vector<tensor>(items) {}
  constexpr tensors(const tensor& one) : std::vector<tensor>{one} {}
};

/// A list argument: `pm::concat({a, b, c})`, or a `tensors`.
struct list_operand {
  tensors items;
  place where;

  constexpr list_operand(std::initializer_list<tensor> l,
                         std::source_location w = std::source_location::current())
      : items(l), where(w) {}
  constexpr list_operand(const tensors& l, std::source_location w = std::source_location::current())
      : items(l), where(w) {}
  constexpr list_operand(const std::vector<tensor>& l,
                         std::source_location w = std::source_location::current())
      : where(w) {
    for (const auto& t : l) items.push_back(t);
  }
};

/// Several results of one call.
template <std::size_t N> using results = std::array<tensor, N>;

/// What a rule may use of the statement that it belongs to.
class saved {
 public:
  constexpr saved(recorder* r, int statement) : recorder_(r), statement_(statement) {}

  constexpr tensor input(int i = 0) const {
    const int v = recorder_->operand(own(), i);
    return v < 0 ? tensor{} : tensor{recorder_, v};
  }
  constexpr tensor output(int i = 0) const { return {recorder_, own().first_result + i}; }
  constexpr int input_count() const { return own().operand_count; }
  constexpr int output_count() const { return own().result_count; }
  constexpr recorder& owner() const { return *recorder_; }
  constexpr const primal::statement& own() const { return recorder_->at(statement_); }
  constexpr int statement() const { return statement_; }
  constexpr bool exists() const { return recorder_ != nullptr; }

 private:
  recorder* recorder_;
  int statement_;
};

/// The cotangents of several outputs; those that nothing depends on are absent.
class cotangents {
 public:
  constexpr explicit cotangents(tensors items) : items_(std::move(items)) {}
  constexpr const tensor& operator[](int i) const { return items_[static_cast<std::size_t>(i)]; }
  constexpr bool has(int i) const { return items_[static_cast<std::size_t>(i)].has_value(); }
  constexpr int size() const { return static_cast<int>(items_.size()); }

 private:
  tensors items_;
};

}  // namespace primal
