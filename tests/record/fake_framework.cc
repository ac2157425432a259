// Stands for PyTorch's library: linked with cuBLAS and NCCL, and opened by its program or linked with it.
#include <errno.h>

#include <cstdint>
#include <cstdio>

#include "record/fake_hooks.h"

extern "C" {
void FakeCublasHooks(const FakeHooks* hooks);
void FakeNcclHooks(const FakeHooks* hooks);
int cublasSgemm_v2(void*, int, int, int m, int n, int k, const void*, const void*, int, const void*, int, const void*, void*,
                   int);
int cublasGemmEx(void*, int, int, int m, int n, int k, const void*, const void*, int, int, const void*, int, int,
                 const void*, void*, int, int, int, int);
int cublasLtMatmul(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*, void*,
                   void*, const void*, void*, size_t, void*);
int ncclAllReduce(const void*, void*, size_t count, int type, int operation, void* communicator, void* stream);
int ncclGroupStart();
int ncclGroupEnd();
int ncclMemFree(void*);

struct FakeLayout {
  int type;
  uint64_t rows;
  uint64_t columns;
};

void RunFramework(const FakeHooks* hooks) {
  FakeCublasHooks(hooks);
  FakeNcclHooks(hooks);
  const auto say = [](const char* what, int status) { std::printf("%s %d errno %d\n", what, status, errno); };
  errno = 0;
  say("sgemm", cublasSgemm_v2(nullptr, 1, 0, 64, 32, 16, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1));
  say("failed", cublasSgemm_v2(nullptr, 0, 0, -1, 32, 16, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1));
  say("gemm",
      cublasGemmEx(nullptr, 1, 0, 4096, 1, 2048, nullptr, nullptr, 2, 1, nullptr, 2, 1, nullptr, nullptr, 2, 1, 68, -1));
  int transposed = 1;
  FakeLayout a = {14, 64, 128};
  FakeLayout b = {14, 64, 256};
  FakeLayout d = {0, 128, 256};
  say("matmul", cublasLtMatmul(nullptr, &transposed, nullptr, nullptr, &a, nullptr, &b, nullptr, nullptr, &d, nullptr, &d,
                               nullptr, nullptr, 0, nullptr));
  int communicator = 0;
  errno = 44;
  ncclGroupStart();
  say("allreduce", ncclAllReduce(nullptr, nullptr, 1024, 9, 0, &communicator, nullptr));
  ncclGroupEnd();
  ncclMemFree(nullptr);
}
}
