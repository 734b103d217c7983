// op_info: an operator as a value. A table of its facets, filled from the struct that defines it.
#pragma once

#include <primal/core/hash_chains.hpp>
#include <primal/expr/recorder.hpp>

#include <type_traits>

namespace primal {

/// The values that a call gives.
using result_ids = list<int, 16>;

struct tensor;
struct tensors;
class saved;
class cotangents;

/// How the dtypes of an operator follow from the common dtype of its operands.
struct dtype_rules {
  dtype (*compute)(dtype) = nullptr;  // what the operands are converted to
  dtype (*result)(dtype) = nullptr;
  bool restricted = false;           // false: it accepts every dtype
  bool (*accepts)(dtype) = nullptr;  // of a restricted one
  std::string_view needs;            // what it does not accept lacks
};

/// What an operator can do. Every user's operator has one, on an equal footing with the library's; nothing
/// looks operators up in a closed list.
///
/// Flags say which facets it has: with -fsanitize=undefined, g++ 12 takes no comparison of an address with null
/// for a constant.
struct op_info {
  op_name name;
  int outputs = 1;  // results of a statement
  int primary = 1;  // how many of them a plain call returns
  bool elementwise = false;
  int arity = 0;                // of an elementwise one: how many operands it takes
  bool expensive = false;       // of an elementwise one: it costs more than reading its result back
  bool differentiable = true;   // false: its results carry no gradient
  bool selects = false;         // the first operand is a condition, apart from the common dtype
  bool unifies = false;         // its operands are converted to one dtype, by the rules of `dtypes`
  bool composite = false;       // has `decompose`
  bool has_rule = false;        // has `vjp`
  bool has_attributes = false;  // has `print`

  const dtype_rules* dtypes = nullptr;

  /// Appends the results to the statement.
  void (*infer)(saved) = nullptr;
  /// The operator in terms of simpler ones; only a composite has it.
  result_ids (*decompose)(saved) = nullptr;
  /// One cotangent per operand from those of the results.
  tensors (*vjp)(saved, cotangents) = nullptr;
  /// One element in double, of operands of a dtype, for the interpreter and for constant folding; only elementwise
  /// ones have it.
  double (*evaluate)(const double*, dtype) = nullptr;
  /// The attributes as text, for listings.
  text (*print)(sequence_view<std::int64_t>, const extent_space&) = nullptr;
};

/// Is it one operator? (With -fsanitize=undefined, g++ 12 takes it for a constant that two addresses are equal,
/// but not that they differ.)
constexpr bool same_operator(const op_info* a, const op_info* b) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  if (__builtin_is_constant_evaluated()) return __builtin_constant_p(a == b) && a == b;
#endif
  return a == b;
}

/// A hash of what a statement calculates: of its operator, operands and attributes.
constexpr std::uint64_t hash_of(const op_info* op, sequence_view<int> operands,
                                sequence_view<std::int64_t> attributes) {
  auto hash = hashed_with(op->name.size(), static_cast<std::uint64_t>(op->name.front()) << 8 |
                                               static_cast<std::uint64_t>(op->name.back()));
  for (int v : operands) hash = hashed_with(hash, static_cast<std::uint64_t>(v + 1));
  for (auto w : attributes) hash = hashed_with(hash, static_cast<std::uint64_t>(w));
  return hash;
}

// From the address of an op_info back to the type, at compile time and without a list of operators:
// whoever uses an operator defines a friend that is found by the address.
template <const op_info* Info> struct info_key {
#if defined(__CUDACC__)
#pragma nv_diag_suppress 1301
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
  friend constexpr auto operator_of(info_key);
#if defined(__CUDACC__)
#pragma nv_diag_default 1301
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
};

/// The operator type behind an op_info.
template <const op_info* Info> using op_of = typename decltype(operator_of(info_key<Info>{}))::type;

}  // namespace primal
