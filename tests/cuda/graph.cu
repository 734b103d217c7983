// A training step with Adam, captured in a CUDA graph and replayed: the parameters are those of plain calls.
#include <support/device.hpp>

namespace pm = primal;

namespace {

template <template <std::size_t> class A> struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (A<2>, w), (A<1>, b));
};
template <template <std::size_t> class A> struct mlp {
  BOOST_HANA_DEFINE_STRUCT(mlp, (linear<A>, first), (linear<A>, second));
};
template <std::size_t Rank> using f32 = pm::device_array<float, Rank>;
using pm::test::wave;

constexpr std::int64_t inputs = 48, hidden = 96, classes = 10, batch = 64;
constexpr int steps = 5;

constexpr auto loss = [](auto p, auto x, auto target) {
  auto h = pm::gelu(pm::matmul(x, p.first.w) + p.first.b);
  return pm::cross_entropy(pm::matmul(h, p.second.w) + p.second.b, target);
};
/// `t` counts the steps on the device, so that a replay goes on counting.
constexpr auto step = [](auto p, auto m, auto v, auto t, auto x, auto target) {
  auto [value, gradient] = pm::value_and_grad<0>(loss)(p, x, target);
  auto [p2, m2, v2] = pm::adam(p, gradient, m, v, t + 1, {.learning_rate = 1e-3});
  return std::tuple(value, p2, m2, v2, t + 1);
};

struct training {
  mlp<f32> p{{wave<float>(inputs, hidden), wave<float>(hidden)},
             {wave<float>(hidden, classes), wave<float>(classes)}};
  mlp<f32> m = zeros(), v = zeros();
  f32<0> t{{}}, value{{}};
  f32<2> x = wave<float>(batch, inputs);
  pm::device_array<std::int32_t, 1> target = pm::test::labels(batch, classes);

  static mlp<f32> zeros() {
    return {{f32<2>({inputs, hidden}), f32<1>({hidden})},
            {f32<2>({hidden, classes}), f32<1>({classes})}};
  }
  void run(cudaStream_t stream, pm::cuda_workspace& room) {
    pm::compile(step, pm::cuda{.stream = stream})
        .with(room)
        .into(value, p, m, v, t)(p, m, v, t, x, target);
  }
  std::vector<pm::dense> state() const { return pm::testing::dense_leaves(value, p, m, v, t); }
};

void check_replay(cudaStream_t stream) {
  using pm::on_cuda::check;
  pm::cuda_workspace room(stream);
  training plain, captured;
  for (int i = 0; i < steps; ++i) plain.run(stream, room);
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");

  // The workspace has grown by now, and all kernels are loaded: neither may happen during a capture.
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  captured.run(stream, room);
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  check(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
  for (int i = 0; i < steps; ++i) check(cudaGraphLaunch(replay, stream), "cudaGraphLaunch");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  pm::test::check("replayed steps", pm::testing::differ(captured.state(), plain.state(), 1e-5));
  if (pm::testing::dense_of(captured.t)[0] != steps)
    pm::test::check("the count of steps", "differs");
  check(cudaGraphExecDestroy(replay), "cudaGraphExecDestroy");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

}  // namespace

int main() { return pm::test::on_a_device(check_replay); }
