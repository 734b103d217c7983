// Matrix products against a double loop: every tail, every orientation, every element type.
// test: sanitize
#include "support/catch.hpp"

#include <primal/cpu/fixed_product.hpp>
#include <primal/cpu/matmul.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using primal::bfloat16;
using primal::float16;
using primal::cpu::matrix_product;

/// A matrix with one dense axis, and a gap of some elements between its rows or columns. The first
/// and the last element touch the ends of the allocation, so that a sanitizer sees reads beyond.
template <class T> struct matrix {
  std::int64_t row, column;
  std::vector<T> elements;

  matrix(std::int64_t rows, std::int64_t columns, bool transposed, std::int64_t gap)
      : row(transposed ? 1 : columns + gap), column(transposed ? rows + gap : 1) {
    if (rows > 0 && columns > 0)
      elements.resize(static_cast<std::size_t>((rows - 1) * row + (columns - 1) * column + 1));
  }
  T& at(std::int64_t i, std::int64_t j) {
    return elements[static_cast<std::size_t>(i * row + j * column)];
  }
};

std::mt19937 bits(20240607);

template <class T> T random_element() {
  if constexpr (std::is_same_v<T, bool>) return bits() % 8 == 0;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>((static_cast<std::uint64_t>(bits()) << 32) | bits());
  else return static_cast<T>(static_cast<float>(bits() % 2001) * 0.001f - 1.f);
}

template <class T> void fill(matrix<T>& m) {
  for (std::size_t i = 0; i < m.elements.size(); ++i) m.elements[i] = random_element<T>();
}

template <class T> using compute = primal::element_of<primal::compute_dtype(primal::dtype_of<T>)>;
template <class T> double value(T x) { return static_cast<double>(static_cast<compute<T>>(x)); }

/// Half a unit in the last place of 1.
template <class T> constexpr double rounding() {
  if constexpr (std::is_same_v<T, float16>) return 0x1p-11;
  else if constexpr (std::is_same_v<T, bfloat16>) return 0x1p-8;
  else return static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
}

struct shape {
  std::int64_t rows, columns, inner;
  bool a_transposed, b_transposed, accumulates = false;
};

/// Whether the element of c is the sum over k, and of what was there: exactly for integers, else within the bound of a sum
/// in any order, k times the rounding of the type it is summed in, and one rounding of the result.
template <class T>
bool is_sum(matrix<T>& a, matrix<T>& b, T c, [[maybe_unused]] double before, std::int64_t i,
            std::int64_t j, std::int64_t inner) {
  if constexpr (std::is_same_v<T, bool>) {
    bool sum = false;
    for (std::int64_t k = 0; k < inner; ++k)
      sum = sum || (a.elements[static_cast<std::size_t>(i * a.row + k * a.column)] &&
                    b.elements[static_cast<std::size_t>(k * b.row + j * b.column)]);
    return c == sum;
  } else if constexpr (std::is_integral_v<T>) {
    std::uint64_t sum = 0;
    for (std::int64_t k = 0; k < inner; ++k)
      sum += static_cast<std::uint64_t>(a.at(i, k)) * static_cast<std::uint64_t>(b.at(k, j));
    return c == static_cast<T>(sum);
  } else {
    long double sum = before;
    long double size = std::abs(before);
    for (std::int64_t k = 0; k < inner; ++k) {
      const long double product = static_cast<long double>(value(a.at(i, k))) * value(b.at(k, j));
      sum += product;
      size += std::abs(product);
    }
    const long double bound = static_cast<long double>(inner + 1) * rounding<compute<T>>() * size +
                              1.01L * rounding<T>() * std::abs(sum) +
                              (std::is_same_v<T, float16> ? 0x1p-25L : 1e-30L);
    return std::abs(static_cast<long double>(value(c)) - sum) <= bound;
  }
}

template <class T> using function = void (*)(const matrix_product<T>&, std::byte*);

/// Calls `multiply`, and checks every element of c and that nothing between its rows changed.
template <class T> bool is_product(function<T> multiply, shape s, std::int64_t gap) {
  matrix<T> a(s.rows, s.inner, s.a_transposed, gap);
  matrix<T> b(s.inner, s.columns, s.b_transposed, gap);
  matrix<T> c(s.rows, s.columns, false, gap);
  fill(a);
  fill(b);
  fill(c);
  const auto before = c.elements;
  // Exactly as much scratch memory as asked for, and misaligned.
  const std::size_t bytes = primal::cpu::multiply_scratch_bytes<T>(s.rows, s.columns, s.inner);
  std::vector<std::byte> scratch(bytes + 4);
  multiply({a.elements.data(), b.elements.data(), c.elements.data(), s.rows, s.columns, s.inner,
            a.row, a.column, b.row, b.column, c.row, s.accumulates},
           scratch.data() + 4);
  for (std::int64_t i = 0; i < s.rows; ++i) {
    for (std::int64_t j = 0; j < s.columns; ++j) {
      const auto at = static_cast<std::size_t>(i * c.row + j);
      if (!is_sum(a, b, T(c.elements[at]), s.accumulates ? value(T(before[at])) : 0, i, j, s.inner))
        return false;
    }
    for (std::int64_t j = s.columns; j < c.row && s.columns > 0 && i + 1 < s.rows; ++j) {
      const auto between = static_cast<std::size_t>(i * c.row + j);
      if (value(T(c.elements[between])) != value(T(before[between]))) return false;
    }
  }
  return true;
}

template <class T> void check(shape s, std::int64_t gap) {
  INFO(s.rows << " x " << s.columns << ", " << s.inner << " summands, a "
              << (s.a_transposed ? "transposed" : "plain") << ", b "
              << (s.b_transposed ? "transposed" : "plain") << ", gap " << gap
              << (s.accumulates ? ", added to c" : ""));
  REQUIRE(is_product<T>(primal::cpu::multiply_without_blas<T>, s, gap));
#if defined(PRIMAL_USE_CBLAS)
  if constexpr (std::is_floating_point_v<T>) {
    if (s.rows > 0 && s.columns > 0 && s.inner > 0)
      REQUIRE(is_product<T>(
          [](const matrix_product<T>& p, std::byte*) { REQUIRE(primal::cpu::multiply_by_blas(p)); },
          s, gap));
  }
#endif
}

template <class T>
void check_orientations(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  for (bool a : {false, true})
    for (bool b : {false, true})
      for (std::int64_t gap : {0, 3}) {
        check<T>({rows, columns, inner, a, b}, gap);
        if constexpr (std::is_floating_point_v<T>)
          check<T>({rows, columns, inner, a, b, true}, gap);
      }
}

}  // namespace

TEMPLATE_TEST_CASE("a product equals the sums of products at every tail", "", float, double) {
  for (std::int64_t n = 0; n <= 40; ++n) {
    check_orientations<TestType>(n, 40 - n, (n * 7) % 41);
    check_orientations<TestType>(n, n, n);
    check_orientations<TestType>(13, n, 5);
    check_orientations<TestType>(n, 37, 3);
    check_orientations<TestType>(3, 70, n);
    check_orientations<TestType>(1, n, 40 - n);
    check_orientations<TestType>(n, 1, 40 - n);
    check_orientations<TestType>(35 + n, 1 + n % 12, n);
  }
}

namespace {

template <class T, std::int64_t Rows, std::int64_t Columns, std::int64_t Inner, bool ATransposed,
          bool BTransposed, bool Accumulates>
void check_fixed() {
  constexpr std::int64_t gap = 3;
  constexpr shape s{Rows, Columns, Inner, ATransposed, BTransposed, Accumulates};
  INFO(Rows << " x " << Columns << ", " << Inner << " summands");
  REQUIRE(is_product<T>(
      [](const matrix_product<T>& p, std::byte*) {
        constexpr primal::cpu::product_shape fixed{Rows,
                                                   Columns,
                                                   Inner,
                                                   ATransposed ? 1 : Inner + gap,
                                                   ATransposed ? Rows + gap : 1,
                                                   BTransposed ? 1 : Columns + gap,
                                                   BTransposed ? Inner + gap : 1,
                                                   Columns + gap,
                                                   Accumulates};
        primal::cpu::multiply_fixed<T, fixed>(p.a, p.b, p.c);
      },
      s, gap));
}
template <class T, std::int64_t Rows, std::int64_t Columns, std::int64_t Inner>
void check_fixed_orientations() {
  check_fixed<T, Rows, Columns, Inner, false, false, false>();
  check_fixed<T, Rows, Columns, Inner, true, false, true>();
  check_fixed<T, Rows, Columns, Inner, false, true, false>();
  check_fixed<T, Rows, Columns, Inner, true, true, true>();
}

}  // namespace

TEMPLATE_TEST_CASE("small products of known extents", "", float, double) {
  check_fixed_orientations<TestType, 1, 1, 1>();
  check_fixed_orientations<TestType, 2, 2, 2>();  // rows shorter than a register, of every length
  check_fixed_orientations<TestType, 2, 3, 4>();
  check_fixed_orientations<TestType, 4, 4, 3>();
  check_fixed_orientations<TestType, 3, 7, 4>();
  check_fixed_orientations<TestType, 6, 1, 3>();
  check_fixed_orientations<TestType, 8, 8, 8>();
  check_fixed_orientations<TestType, 13, 17, 5>();
  check_fixed_orientations<TestType, 31, 40, 64>();
}

TEMPLATE_TEST_CASE("integers, bool and 16-bit floats multiply at every tail", "", float16, bfloat16,
                   std::int32_t, std::int64_t, std::int8_t, std::uint16_t, bool) {
  if constexpr (!std::is_same_v<TestType, bool>) {
    for (std::int64_t n = 0; n <= 40; n += 1 + n % 3) {
      check_orientations<TestType>(n, 40 - n, (n * 7) % 41);
      check_orientations<TestType>(13, n, 5);
      check_orientations<TestType>(n, 1, 9);
    }
    check_orientations<TestType>(70, 130, 90);
  } else {
    const bool a[] = {true, false, false, true};
    const bool b[] = {true, true, false, true};
    bool c[4] = {};
    std::vector<std::byte> scratch(primal::cpu::multiply_scratch_bytes<bool>(2, 2, 2));
    primal::cpu::multiply<bool>({a, b, c, 2, 2, 2, 2, 1, 2, 1, 2}, scratch.data());
    CHECK((c[0] && c[1] && !c[2] && c[3]));
    primal::cpu::multiply<bool>({a, b, c, 2, 2, 2, 2, 1, 1, 2, 2}, scratch.data());
    CHECK((c[0] && !c[1] && c[2] && c[3]));
  }
}

TEMPLATE_TEST_CASE("a product of several blocks equals the sums of products", "", float, double,
                   float16) {
  check_orientations<TestType>(50, 300, 70);
  check_orientations<TestType>(29, 65, 600);
  check_orientations<TestType>(530, 9, 300);
  check_orientations<TestType>(140, 300, 290);
  check_orientations<TestType>(1, 1100, 37);
  check_orientations<TestType>(1100, 1, 37);
  check_orientations<TestType>(1, 3, 1100);
  check<TestType>({110, 40, 130, true, false}, 600);
}

TEMPLATE_TEST_CASE("a product of no summands is zero", "", float, double, float16, std::int32_t) {
  std::vector<TestType> c(6, TestType(1));
  std::vector<std::byte> scratch(primal::cpu::multiply_scratch_bytes<TestType>(2, 2, 0));
  primal::cpu::multiply<TestType>({nullptr, nullptr, c.data(), 2, 2, 0, 0, 1, 2, 1, 3},
                                  scratch.data());
  CHECK(value(c[0]) == 0);
  CHECK(value(c[1]) == 0);
  CHECK(value(c[2]) == 1);
  CHECK(value(c[3]) == 0);
  CHECK(value(c[4]) == 0);
  CHECK(value(c[5]) == 1);
}

TEMPLATE_TEST_CASE("operands may have any strides", "", float, double) {
  // Every second element, a repeated row, rows in reverse, overlapping rows.
  struct strides {
    std::int64_t first, row, column;
  };
  const std::int64_t rows = 30, columns = 45, inner = 20;
  std::vector<TestType> x(4000);
  for (auto& e : x) e = random_element<TestType>();
  for (const strides a :
       {strides{0, 2 * inner, 2}, {0, 0, 1}, {(rows - 1) * inner, -inner, 1}, {0, 1, 1}})
    for (const strides b :
         {strides{0, 2 * columns, 2}, {0, 0, 1}, {(inner - 1) * columns, -columns, 1}, {0, 1, 1}})
      for (const std::int64_t m : {rows, std::int64_t{1}}) {
        std::vector<TestType> c(static_cast<std::size_t>(m * columns));
        std::vector<std::byte> scratch(
            primal::cpu::multiply_scratch_bytes<TestType>(m, columns, inner));
        primal::cpu::multiply<TestType>({x.data() + a.first, x.data() + b.first, c.data(), m,
                                         columns, inner, a.row, a.column, b.row, b.column, columns},
                                        scratch.data());
        double worst = 0;
        for (std::int64_t i = 0; i < m; ++i)
          for (std::int64_t j = 0; j < columns; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < inner; ++k)
              sum += double(x[static_cast<std::size_t>(a.first + i * a.row + k * a.column)]) *
                     double(x[static_cast<std::size_t>(b.first + k * b.row + j * b.column)]);
            worst = std::max(worst,
                             std::abs(sum - double(c[static_cast<std::size_t>(i * columns + j)])));
          }
        CHECK(worst <= 40 * rounding<TestType>() * 20);
      }
}

TEST_CASE("a NaN or an infinity reaches only its own row or column") {
  const std::int64_t n = 19;
  const auto size = static_cast<std::size_t>(n * n);
  std::vector<float> a(size, 1.f), b(size, 1.f), c(size);
  a[3 * 19 + 4] = std::numeric_limits<float>::quiet_NaN();
  b[5 * 19 + 18] = std::numeric_limits<float>::infinity();
  std::vector<std::byte> scratch(primal::cpu::multiply_scratch_bytes<float>(n, n, n));
  primal::cpu::multiply<float>({a.data(), b.data(), c.data(), n, n, n, n, 1, n, 1, n},
                               scratch.data());
  for (std::size_t i = 0; i < 19; ++i)
    for (std::size_t j = 0; j < 19; ++j) {
      const float x = c[i * 19 + j];
      if (i == 3) CHECK(std::isnan(x));
      else if (j == 18) CHECK(std::isinf(x));
      else CHECK(x == 19.f);
    }
}

#if defined(PRIMAL_USE_CBLAS)
TEST_CASE("a library that uses several threads is not called") {
  CHECK(primal::cpu::blas_is_single_threaded());
  if (&openblas_set_num_threads == nullptr || &openblas_get_num_threads == nullptr) return;
  openblas_set_num_threads(2);
  const float x[4] = {1, 2, 3, 4};
  float c[4] = {};
  if (openblas_get_num_threads() == 2)
    CHECK_FALSE(primal::cpu::multiply_by_blas<float>({x, x, c, 2, 2, 2, 2, 1, 2, 1, 2}));
  openblas_set_num_threads(1);
  CHECK(primal::cpu::multiply_by_blas<float>({x, x, c, 2, 2, 2, 2, 1, 2, 1, 2}));
  CHECK(c[3] == 22.f);
}
#endif
