// Every primitive of the catalogue has code for the blocks of a GPU, and the check notices those that have none.
#include <primal/primal.hpp>
#include <primal/testing/device_code.hpp>

namespace pm = primal;
using pm::testing::has_device_code;

static_assert(pm::testing::have_device_code(pm::library_operators{}));
// What the planner makes of sums with products.
static_assert(pm::testing::have_device_code(
    pm::operator_list<pm::multiply_add_op, pm::multiply_subtract_op, pm::subtract_product_op>{}));

template <class T> inline constexpr bool has_fractions = std::is_floating_point_v<T>;
template <class T, int N> inline constexpr bool has_fractions<pm::wide<T, N>> = has_fractions<T>;

/// For numbers and the registers of a CPU alone.
struct host_op : pm::elementwise<host_op> {
  static constexpr pm::op_name name{"host"};
  static constexpr bool differentiable = false;
  template <class T>
    requires(std::is_arithmetic_v<T> || xsimd::is_batch<T>::value)
  static constexpr T apply(T x) {
    return x;
  }
};
static_assert(!has_device_code<host_op>());

/// For numbers of one kind alone, where others are accepted.
struct floating_op : pm::elementwise<floating_op> {
  static constexpr pm::op_name name{"floating"};
  static constexpr bool differentiable = false;
  template <class T>
    requires has_fractions<T>
  static constexpr T apply(T x, T) {
    return x;
  }
};
static_assert(!has_device_code<floating_op>());
struct widened_op : floating_op {
  using dtypes = pm::floating_dtype;
};
static_assert(has_device_code<widened_op>());

/// For packs, but not for what is calculated once a row.
struct sweeping_op : pm::elementwise<sweeping_op> {
  static constexpr pm::op_name name{"sweeping"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 1;
  template <class T, int N> static constexpr pm::wide<T, N> apply(const pm::wide<T, N>& x) {
    return x;
  }
};
static_assert(!has_device_code<sweeping_op>());

/// Gives what no register of its dtype can hold.
struct address_op : pm::elementwise<address_op> {
  static constexpr pm::op_name name{"address"};
  static constexpr bool differentiable = false;
  static constexpr int arity = 1;
  template <class T> static constexpr const T* apply(const T& x) { return &x; }
};
static_assert(!has_device_code<address_op>());

/// Selects, and gives one of other elements.
struct choice_op : pm::elementwise<choice_op> {
  static constexpr pm::op_name name{"choice"};
  static constexpr bool differentiable = false, selects = true;
  static constexpr int arity = 3;
  template <class C, class T> static constexpr C apply(C c, T, T) { return c; }
};
static_assert(!has_device_code<choice_op>());

/// Moves elements in a way that the planner does not know.
struct shuffle_op : pm::primitive<shuffle_op> {
  static constexpr pm::op_name name{"shuffle"};
  static constexpr bool differentiable = false;
  static constexpr pm::tensor_type infer(pm::tensor x) { return x.type(); }
};
static_assert(!has_device_code<shuffle_op>());
