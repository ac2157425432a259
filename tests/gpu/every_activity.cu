// A program with one of everything that is recorded: launches of several shapes, cooperative and by cluster, copies of all
// directions from pinned and pageable memory, sets, events, streams, synchronisations, and a graph that is replayed.
//
// build: nvcc -arch=sm_90 tests/gpu/every_activity.cu -o every_activity
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void Add(float* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] += 1;
}
__global__ void Scale(float* x, float by) { x[threadIdx.x] *= by; }
__global__ void Shared(float* x) {
  extern __shared__ float kept[];
  kept[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = kept[blockDim.x - 1 - threadIdx.x];
}
__global__ void Together(float* x) {
  cooperative_groups::this_grid().sync();
  x[threadIdx.x] -= 1;
}
__global__ void __cluster_dims__(2, 1, 1) Clustered(float* x) { x[threadIdx.x] += 2; }

#define CHECK(call)                                                                  \
  if (const cudaError_t error = (call); error != cudaSuccess) {                      \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));              \
    std::exit(1);                                                                    \
  }

int main() {
  constexpr int kCount = 1 << 16;
  constexpr size_t kBytes = kCount * sizeof(float);
  float* x = nullptr;
  float* y = nullptr;
  float* pinned = nullptr;
  float* managed = nullptr;
  std::vector<float> pageable(kCount);
  CHECK(cudaMalloc(&x, kBytes));
  CHECK(cudaMalloc(&y, kBytes));
  CHECK(cudaMallocHost(&pinned, kBytes));
  CHECK(cudaMallocManaged(&managed, kBytes));
  cudaStream_t stream;
  cudaStream_t other;
  cudaEvent_t event;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&event));

  CHECK(cudaMemcpy(x, pageable.data(), kBytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyAsync(x, pinned, kBytes, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(y, 7, kBytes, stream));
  Add<<<kCount / 256, 256, 0, stream>>>(x, kCount);
  Shared<<<1, 128, 512, stream>>>(x);
  Clustered<<<dim3(4, 2, 1), 64, 0, other>>>(y);
  void* arguments[] = {&x};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(Together), dim3(4), dim3(64), arguments, 0, stream));
  CHECK(cudaEventRecord(event, stream));
  CHECK(cudaStreamWaitEvent(other, event, 0));
  CHECK(cudaMemcpyAsync(y, x, kBytes, cudaMemcpyDeviceToDevice, other));
  CHECK(cudaMemcpyAsync(pinned, y, kBytes, cudaMemcpyDeviceToHost, other));
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaStreamSynchronize(other));
  CHECK(cudaMemcpy(pageable.data(), y, kBytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemset(managed, 0, kBytes));

  cudaGraph_t graph;
  cudaGraphExec_t replay;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  Scale<<<1, 64, 0, stream>>>(x, 2);
  Add<<<4, 64, 0, stream>>>(x, 256);
  CHECK(cudaMemcpyAsync(pinned, x, 1024, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaMemsetAsync(x, 0, 1024, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&replay, graph, 0));
  for (int i = 0; i < 5; ++i) CHECK(cudaGraphLaunch(replay, stream));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 20; ++i) Scale<<<1, 32, 0, stream>>>(x, 1);
  CHECK(cudaDeviceSynchronize());
  std::puts("done");
}
