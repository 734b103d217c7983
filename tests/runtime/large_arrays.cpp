// Arrays that are larger than the caches: what is written passes by them, and is the same to the bit.
#include <support/kernels.hpp>

namespace pm = primal;

namespace {

/// `rows` x `columns` numbers that begin `offset` elements behind a line of memory.
class matrix {
 public:
  matrix(std::int64_t rows, std::int64_t columns, std::int64_t offset)
      : rows_(rows), columns_(columns), memory_(static_cast<std::size_t>(rows * columns) + 32) {
    void* p = memory_.data();
    std::size_t room = memory_.size() * sizeof(float);
    first_ = static_cast<float*>(std::align(64, 64, p, room)) + offset;
  }
  matrix(const matrix&) = delete;

  auto all() { return pm::view(first_, rows_, columns_); }
  auto row(std::int64_t i) { return pm::view(first_ + i * columns_, std::int64_t{1}, columns_); }
  float* begin() { return first_; }
  float* end() { return first_ + rows_ * columns_; }

 private:
  std::int64_t rows_, columns_;
  std::vector<float> memory_;
  float* first_;
};

/// All rows at once are what they are one by one.
template <class F>
void same_as_row_by_row(const F& f, std::int64_t rows, std::int64_t columns, std::int64_t offset) {
  CAPTURE(rows, columns, offset);
  matrix x(rows, columns, offset + 1), y(rows, columns, offset), expected(rows, columns, 0);
  float next = 0;
  for (auto& e : x) e = std::sin(next += 0.37f);
  for (auto& e : y) e = -1;
  using array = pm::array<float, pm::dyn, pm::dyn>;
  pm::compile<array>(f).into(y.all())(x.all());
  for (std::int64_t i = 0; i < rows; ++i) pm::compile<array>(f).into(expected.row(i))(x.row(i));
  CHECK(std::equal(y.begin(), y.end(), expected.begin()));
}

}  // namespace

TEST_CASE("rows of large arrays, wherever they begin") {
  const auto places = [](auto x) {
    return pm::where(pm::arange(x.extent(1), {.dtype = pm::dtype::int32}) % 3 == 0, x, 2 * x);
  };
  const auto softmax = [](auto x) { return pm::softmax(x); };
  for (const std::int64_t offset : {0, 4, 7}) {
    same_as_row_by_row(places, 4096, 1037, offset);
    same_as_row_by_row(softmax, 4096, 1037, offset);
    same_as_row_by_row(softmax, 4096, 1040, offset);
    same_as_row_by_row(softmax, 3, 1500007, offset);
  }
}

TEST_CASE("large arrays element by element, in place and transposed") {
  constexpr std::int64_t n = 2051;
  for (const std::int64_t offset : {0, 4, 7}) {
    CAPTURE(offset);
    matrix x(n, n, offset + 3), y(n, n, offset);
    float next = 0;
    for (auto& e : x) e = next += 1;
    using array = pm::array<float, pm::dyn, pm::dyn>;
    pm::compile<array>([](auto a) { return 2 * a + 1; }).into(y.all())(x.all());
    CHECK(
        std::equal(y.begin(), y.end(), x.begin(), [](float a, float b) { return a == 2 * b + 1; }));
    pm::compile<array>([](auto a) { return 2 * a + 1; }).into(y.all())(y.all());
    CHECK(std::equal(y.begin(), y.end(), x.begin(),
                     [](float a, float b) { return a == 2 * (2 * b + 1) + 1; }));
    pm::compile<array, array>([](auto a, auto b) {
      return pm::transpose(a) + b;
    }).into(y.all())(x.all(), x.all());
    bool same = true;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < n; ++k)
        same = same && y.begin()[i * n + k] == x.begin()[k * n + i] + x.begin()[i * n + k];
    CHECK(same);
  }
}

TEST_CASE("large arrays of integers and numbers that one kernel writes, wherever they begin") {
  constexpr std::int64_t rows = 4096, columns = 1037, n = rows * columns;
  const auto both = [](auto a) { return std::tuple(2 * a, pm::cast<std::int32_t>(a)); };
  matrix x(rows, columns, 0), y(rows, columns, 0);
  float next = 0;
  for (auto& e : x) e = next += 1;
  std::vector<std::int32_t> places(n + 2);
  for (const std::int64_t offset : {0, 1}) {
    CAPTURE(offset);
    auto* first = places.data() + offset;
    pm::compile(both).into(y.all(), pm::view(first, rows, columns))(x.all());
    CHECK(std::equal(y.begin(), y.end(), x.begin(), [](float a, float b) { return a == 2 * b; }));
    CHECK(std::equal(x.begin(), x.end(), first,
                     [](float a, std::int32_t b) { return static_cast<std::int32_t>(a) == b; }));
  }
}

namespace {

/// layer_norm with all its gradients: y, dx, and the sums over rows, of inputs that begin `in` elements behind a line of
/// memory and outputs `out`.
std::vector<float> normalised(std::int64_t rows, std::int64_t columns, std::int64_t in,
                              std::int64_t out) {
  matrix x(rows, columns, in), dy(rows, columns, in), y(rows, columns, out), dx(rows, columns, out);
  matrix scale(1, columns, in), bias(1, columns, in), dscale(1, columns, out),
      dbias(1, columns, out);
  float next = 0;
  for (auto* m : {&x, &dy, &scale, &bias})
    for (auto& e : *m) e = std::sin(next += 0.37f);
  const auto row = [&](matrix& m) { return pm::view(m.begin(), columns); };
  constexpr auto norm = [](auto a, auto b, auto c) { return pm::layer_norm(a, b, c); };
  pm::compile(pm::vjp<0, 1, 2>(norm))
      .into(y.all(), dx.all(), row(dscale), row(dbias))(x.all(), row(scale), row(bias), dy.all());
  std::vector<float> all;
  for (auto* m : {&y, &dx, &dscale, &dbias}) all.insert(all.end(), m->begin(), m->end());
  return all;
}

}  // namespace

TEST_CASE("rows with sums beside them, wherever they begin") {
  for (const std::int64_t columns : {768, 1037}) {
    const auto expected = normalised(4096, columns, 0, 0);
    CHECK(normalised(4096, columns, 4, 4) == expected);
    CHECK(normalised(4096, columns, 7, 4) == expected);
    CHECK(normalised(4096, columns, 0, 4) == expected);  // reads what lies like something written
  }
}
