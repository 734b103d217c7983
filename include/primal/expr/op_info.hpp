// op_info: an operator as a value. A table of its facets, filled from the struct that defines it.
#pragma once

#include <primal/expr/recorder.hpp>

#include <type_traits>

namespace primal {

/// The values that a call gives.
using result_ids = list<int, 16>;

struct tensor;
struct tensors;
class saved;
class cotangents;

/// How the dtypes of an operator follow from the common dtype of its operands; null for those that take
/// their operands as they are.
struct dtype_rules {
  dtype (*compute)(dtype) = nullptr;  // what the operands are converted to
  dtype (*result)(dtype) = nullptr;
  bool (*accepts)(dtype) = nullptr;  // null: every dtype
  std::string_view needs;            // what it does not accept lacks
};

/// What an operator can do. A facet that it lacks is null. Every user's operator has one, on an equal
/// footing with the library's; nothing looks operators up in a closed list.
struct op_info {
  op_name name;
  int outputs = 1;  // results of a statement
  int primary = 1;  // how many of them a plain call returns
  bool elementwise = false;
  int arity = 0;               // of an elementwise one: how many operands it takes
  bool expensive = false;      // of an elementwise one: it costs more than reading its result back
  bool differentiable = true;  // false: its results carry no gradient
  bool selects = false;        // the first operand is a condition, apart from the common dtype
  const dtype_rules* dtypes = nullptr;

  /// Appends the results to the statement.
  void (*infer)(saved) = nullptr;
  /// The operator in terms of simpler ones; only a composite has it.
  result_ids (*decompose)(saved) = nullptr;
  /// One cotangent per operand from those of the results.
  tensors (*vjp)(saved, cotangents) = nullptr;
  /// One element in double, for the interpreter and for constant folding; only elementwise ones have it.
  double (*evaluate)(const double*) = nullptr;
  /// The attributes as text, for listings.
  text (*print)(std::span<const std::int64_t>, const extent_space&) = nullptr;
};

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
