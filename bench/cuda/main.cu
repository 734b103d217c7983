// The benchmarks on a GPU: `bench.cuda` times them as every other program of bench/, `bench.cuda --check` compares
// each work with the interpreter on small arrays. Without a GPU it says so, and its status is 3.
#include "device.hpp"

#include <cstdio>

namespace {

int run_checks() {
  int wrong = 0;
  for (const auto& [name, differs] : bench::on_cuda::checks()) {
    const auto difference = differs();
    std::printf("%-40s %s\n", name.c_str(), difference.empty() ? "right" : difference.c_str());
    std::fflush(stdout);
    wrong += !difference.empty();
  }
  if (wrong > 0)
    std::printf("%d of %zu differ from the interpreter\n", wrong, bench::on_cuda::checks().size());
  return wrong > 0;
}

}  // namespace

int main(int count, char** words) try {
  if (!primal::testing::has_device()) {
    std::fputs("bench.cuda: there is no GPU here, and nothing was run\n", stderr);
    return 3;
  }
  if (count > 1 && std::string(words[1]) == "--check") return run_checks();
  benchmark::Initialize(&count, words);
  if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& e) {
  std::fprintf(stderr, "bench.cuda: %s\n", e.what());
  return 1;
}
