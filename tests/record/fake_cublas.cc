// A cuBLAS and cuBLASLt without a GPU: each call "launches" a kernel, sets errno and answers with a status that its caller
// can check. Built as libcublas.so.12 and .13, its symbols with that version, as NVIDIA's are; the versions answer
// differently.
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstring>

#include "record/fake_hooks.h"

namespace {
FakeHooks hooks = {};
std::atomic<uint32_t> last_correlation{1000};

struct Layout {
  int type;
  uint64_t rows;
  uint64_t columns;
};
struct Operation {
  int transa;
};

int Launch(int status) {
  if (hooks.launch != nullptr) hooks.launch("_Z4gemmPf", static_cast<uint32_t>(syscall(SYS_gettid)), ++last_correlation);
  errno = 33;
  return status;
}
int Answer(const void* value, size_t value_bytes, void* out, size_t bytes) {
  if (bytes != value_bytes) return 7;
  std::memcpy(out, value, bytes);
  return 0;
}
}  // namespace

extern "C" {

void FakeCublasHooks(const FakeHooks* given) { hooks = *given; }

int cublasLtMatmul(void*, void*, const void*, const void*, void*, const void*, void*, const void*, const void*, void*, void*,
                   void*, const void*, void*, size_t, void*) {
  return Launch(0);
}
int cublasLtMatrixLayoutGetAttribute(void* descriptor, int attribute, void* value, size_t bytes, size_t*) {
  const auto* layout = static_cast<const Layout*>(descriptor);
  const int batch = 1;
  switch (attribute) {
    case 0:
      return Answer(&layout->type, 4, value, bytes);
    case 2:
      return Answer(&layout->rows, 8, value, bytes);
    case 3:
      return Answer(&layout->columns, 8, value, bytes);
    case 5:
      return Answer(&batch, 4, value, bytes);
  }
  return 7;
}
int cublasLtMatmulDescGetAttribute(void* descriptor, int attribute, void* value, size_t bytes, size_t*) {
  const auto* operation = static_cast<const Operation*>(descriptor);
  const int none = 0;
  if (attribute == 3) return Answer(&operation->transa, 4, value, bytes);
  return attribute == 4 ? Answer(&none, 4, value, bytes) : 7;
}

// Fails for sizes that no matrix has.
int cublasSgemm_v2(void*, int, int, int m, int, int, const void*, const void*, int, const void*, int, const void*, void*,
                   int) {
  return Launch(m < 0 ? 7 : 0);
}
// Calls the other library inside, as cuBLAS does. The answer tells the versions apart.
int cublasGemmEx(void*, int, int, int, int, int, const void*, const void*, int, int, const void*, int, int, const void*,
                 void*, int, int, int, int) {
  cublasLtMatmul(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                 nullptr, nullptr, 0, nullptr);
  return FAKE_CUBLAS_VERSION == 12 ? 0 : FAKE_CUBLAS_VERSION;
}
}
