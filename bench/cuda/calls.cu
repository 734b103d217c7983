// What a call costs beside its kernels: over_launch_ns is what the host spends on one beyond a bare launch for each
// kernel and product, per launch; x_replay is the time over that of the same call replayed as a CUDA graph.
#include "device.hpp"

#include "../models.hpp"

namespace bench::on_cuda {

namespace {

__global__ void nothing() {}

/// A call as a graph.
class captured_call {
 public:
  explicit captured_call(const runner& call) {
    call();  // loads the kernels and takes memory, which no capture may do
    how().wait();
    check(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    call();
    check(cudaStreamEndCapture(stream(), &graph_), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&replay_, graph_, 0), "cudaGraphInstantiate");
  }
  captured_call(const captured_call&) = delete;
  ~captured_call() {
    cudaGraphExecDestroy(replay_);
    cudaGraphDestroy(graph_);
  }

  void replay() const { check(cudaGraphLaunch(replay_, stream()), "cudaGraphLaunch"); }
  std::size_t launches() const {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph_, nullptr, &count), "cudaGraphGetNodes");
    return count;
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t replay_ = nullptr;
};

void add(const std::string& name, const std::function<runner()>& make) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [make](benchmark::State& state) {
        const auto call = make();
        const captured_call captured(call);
        const auto launches = captured.launches();
        const auto bare = [=] {
          for (std::size_t i = 0; i < launches; ++i) nothing<<<1, 32, 0, stream()>>>();
        };
        const auto seconds = race({call, bare, [&] { captured.replay(); }}, how());
        for (auto _ : state) state.SetIterationTime(seconds[0]);
        const auto count = static_cast<double>(launches);
        state.counters["launches"] = count;
        state.counters["over_launch_ns"] = (seconds[0] - seconds[1]) / count * 1e9;
        state.counters["x_replay"] = seconds[0] / seconds[2];
      })
      ->UseManualTime()
      ->Iterations(1);
}

constexpr auto chain = [](auto x, auto w) {
  for (int i = 0; i < 4; ++i) x = pm::softmax(pm::matmul(x, w));
  return x;
};

/// Of arrays so small that the host is what takes time.
struct small_arrays {
  pm::device_array<float, 2> x = filled<float, 2>({32, 32}), w = x, y = x;
  pm::cuda_workspace workspace{stream()};
};

[[maybe_unused]] const bool registered = [] {
  using matrix = pm::array<float, pm::dyn, pm::dyn>;
  add("call/softmax/f32/32x32", []() -> runner {
    const auto m = std::make_shared<small_arrays>();
    return
        [m, call = pm::compile<matrix>(models::softmax, options()).with(m->workspace).into(m->y)] {
          call(m->x);
        };
  });
  add("call/four_layers/f32/32x32", []() -> runner {
    const auto m = std::make_shared<small_arrays>();
    return [m, call = pm::compile<matrix, matrix>(chain, options()).with(m->workspace).into(m->y)] {
      call(m->x, m->w);
    };
  });
  return true;
}();

}  // namespace

}  // namespace bench::on_cuda
