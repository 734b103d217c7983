// saved: the statement that a rule belongs to, and the cotangents that it gets.
#pragma once

#include <primal/expr/tensor.hpp>

#include <utility>

namespace primal {

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
