// The least that a recorder by CUPTI can cost: enables the same activities as libwarpsight_inject and throws the records
// away. Loaded through CUDA_INJECTION64_PATH; the difference of ours to it is what our own work costs.
#include <cupti.h>

#include <cstdlib>
#include <initializer_list>

#include "capture/cupti/followed_calls.h"

using warpsight::capture::cupti::IsDriverCallFollowed;
using warpsight::capture::cupti::IsRuntimeCallFollowed;

namespace {

constexpr size_t kBytes = 1 << 20;

void Requested(uint8_t** buffer, size_t* bytes, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(4096, kBytes));
  *bytes = kBytes;
  *most_records = 0;
}

void Completed(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t) { std::free(buffer); }

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  cuptiActivityRegisterCallbacks(Requested, Completed);
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
        CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD})
    cuptiActivityEnable(kind);
  const char* name = nullptr;
  for (uint32_t call = 1; call < 1024; ++call) {
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_RUNTIME_API, call, &name) == CUPTI_SUCCESS && !IsRuntimeCallFollowed(name))
      cuptiActivityEnableRuntimeApi(call, 0);
    if (cuptiGetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, call, &name) == CUPTI_SUCCESS && !IsDriverCallFollowed(name))
      cuptiActivityEnableDriverApi(call, 0);
  }
  std::atexit([] { cuptiActivityFlushAll(1); });
  return 1;
}
