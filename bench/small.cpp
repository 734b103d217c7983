// Products of small square matrices of static extents, and their gradients, beside Eigen's fixed-size
// matrices and a BLAS. A product of 2 x 2 takes as long as the call does: so runs do many.
#include "work.hpp"

#if __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#define PRIMAL_BENCH_EIGEN
#endif
#if defined(PRIMAL_USE_CBLAS)
#include <cblas.h>
#endif

namespace {

namespace pm = primal;

constexpr auto matmul = [](auto a, auto b) { return pm::matmul(a, b); };
constexpr int repeats = 64;

template <std::size_t N> struct matrices {
  using matrix = xt::xtensor_fixed<float, xt::xshape<N, N>>;
  matrix a, b, ct, c, da, db;
  pm::workspace workspace;

  matrices() {
    for (std::size_t i = 0; i < N * N; ++i) {
      a.data()[i] = std::sin(0.37f * static_cast<float>(i));
      b.data()[i] = std::sin(0.47f * static_cast<float>(i));
      ct.data()[i] = std::cos(0.11f * static_cast<float>(i));
    }
  }
  std::vector<double> results(bool with_gradient) const {
    std::vector<double> all(c.begin(), c.end());
    if (!with_gradient) return all;
    all.insert(all.end(), da.begin(), da.end());
    all.insert(all.end(), db.begin(), db.end());
    return all;
  }
};

/// Calls f so often that a run is long beside the call of a std::function.
template <class F> bench::runner repeated(const F& f) {
  return [f] {
    for (int i = 0; i < repeats; ++i) {
      f();
      benchmark::ClobberMemory();
    }
  };
}

#if defined(PRIMAL_BENCH_EIGEN)
template <std::size_t N> void add_eigen(bench::contest& c, matrices<N>& m, bool with_gradient) {
  using matrix =
      Eigen::Map<Eigen::Matrix<float, static_cast<int>(N), static_cast<int>(N), Eigen::RowMajor>>;
  const auto product = [&m] {
    matrix(m.c.data()).noalias() = matrix(m.a.data()) * matrix(m.b.data());
  };
  if (!with_gradient) return c.rivals.push_back({"x_eigen", repeated(product)});
  c.rivals.push_back({"x_eigen", repeated([&m, product] {
                        product();
                        const matrix ct(m.ct.data());
                        matrix(m.da.data()).noalias() = ct * matrix(m.b.data()).transpose();
                        matrix(m.db.data()).noalias() = matrix(m.a.data()).transpose() * ct;
                      })});
}
#endif

#if defined(PRIMAL_USE_CBLAS)
template <std::size_t N> void add_blas(bench::contest& c, matrices<N>& m, bool with_gradient) {
  constexpr int n = static_cast<int>(N);
  const auto multiply = [](CBLAS_TRANSPOSE ta, const float* a, CBLAS_TRANSPOSE tb, const float* b,
                           float* out) {
    cblas_sgemm(CblasRowMajor, ta, tb, n, n, n, 1, a, n, b, n, 0, out, n);
  };
  c.rivals.push_back({"x_blas", repeated([&m, multiply, with_gradient] {
                        multiply(CblasNoTrans, m.a.data(), CblasNoTrans, m.b.data(), m.c.data());
                        if (!with_gradient) return;
                        multiply(CblasNoTrans, m.ct.data(), CblasTrans, m.b.data(), m.da.data());
                        multiply(CblasTrans, m.a.data(), CblasNoTrans, m.ct.data(), m.db.data());
                      })});
}
#endif

template <std::size_t N> bench::contest contest_of(bool with_gradient) {
  const auto m = std::make_shared<matrices<N>>();
  bench::contest c;
  if (with_gradient)
    c.ours = repeated([m, call = pm::compile(pm::vjp<0, 1>(matmul), bench::options())
                                     .into(m->c, m->da, m->db)
                                     .with(m->workspace)] { call(m->a, m->b, m->ct); });
  else
    c.ours =
        repeated([m, call = pm::compile(matmul, bench::options()).into(m->c).with(m->workspace)] {
          call(m->a, m->b);
        });
#if defined(PRIMAL_BENCH_EIGEN)
  add_eigen<N>(c, *m, with_gradient);
#endif
#if defined(PRIMAL_USE_CBLAS)
  add_blas<N>(c, *m, with_gradient);
#endif
  c.flops = (with_gradient ? 6. : 2.) * N * N * N;
  c.repeats = repeats;
  c.results = [m, with_gradient] { return m->results(with_gradient); };
  return c;
}

template <std::size_t... N> bool add() {
  for (const bool with_gradient : {false, true})
    ((bench::add(std::string("matmul/") + (with_gradient ? "value_grad" : "forward") + "/f32/" +
                     std::to_string(N) + "x" + std::to_string(N),
                 "", [=] { return contest_of<N>(with_gradient); })),
     ...);
  return true;
}

[[maybe_unused]] const bool registered = add<2, 3, 4, 8, 16, 32, 64>();

}  // namespace
