// What a launch costs: N launches of an empty kernel from one pinned thread, in ns a launch. For comparing recorders: run it
// bare, under a recorder, and under the floor (floor_injection.cc).
//
// usage: launch_cost [LAUNCHES] [GRAPH_KERNELS]   with GRAPH_KERNELS, a graph of so many kernels is replayed instead
#include <cuda_runtime.h>
#include <sched.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void Empty() {}

int main(int argc, char** argv) {
  const int launches = argc > 1 ? std::atoi(argv[1]) : 200000;
  const int graph_kernels = argc > 2 ? std::atoi(argv[2]) : 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(2, &set);
  cudaFree(nullptr);
  sched_setaffinity(0, sizeof(set), &set);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphExec_t replay = nullptr;
  if (graph_kernels > 0) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < graph_kernels; ++i) Empty<<<1, 32, 0, stream>>>();
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&replay, graph, 0);
  }
  const auto launch = [&](int count) {
    for (int i = 0; i < count; ++i) {
      if (replay != nullptr) {
        cudaGraphLaunch(replay, stream);
      } else {
        Empty<<<1, 32, 0, stream>>>();
      }
      if (i % 500 == 499) cudaStreamSynchronize(stream);
    }
    cudaStreamSynchronize(stream);
  };
  launch(2000);
  const auto began = std::chrono::steady_clock::now();
  launch(launches);
  const double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count();
  std::printf("ns_per_launch %.1f launches %d kernels %lld seconds %.3f\n", ns / launches, launches,
              static_cast<long long>(launches + 2000) * (graph_kernels > 0 ? graph_kernels : 1), ns / 1e9);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
