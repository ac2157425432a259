#include "capture/cupti/followed_calls.h"

#include <algorithm>
#include <iterator>

#include "base/api_call_name.h"

namespace warpsight::capture::cupti {
namespace {

// Questions that are answered without work.
constexpr std::string_view kRuntimeQuestions[] = {
    "cudaDeviceGetAttribute",
    "cudaDeviceGetStreamPriorityRange",
    "cudaDriverGetVersion",
    "cudaFuncGetAttributes",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceFlags",
    "cudaGetDeviceProperties",
    "cudaGetDeviceProperties_v2",
    "cudaGetErrorName",
    "cudaGetErrorString",
    "cudaGetLastError",
    "cudaOccupancyAvailableDynamicSMemPerBlock",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
    "cudaOccupancyMaxActiveClusters",
    "cudaOccupancyMaxPotentialClusterSize",
    "cudaPeekAtLastError",
    "cudaPointerGetAttributes",
    "cudaRuntimeGetVersion",
    "cudaSetDevice",
    "cudaStreamGetCaptureInfo",
    "cudaStreamGetCaptureInfo_v2",
    "cudaStreamGetDevice",
    "cudaStreamGetFlags",
    "cudaStreamGetPriority",
    "cudaStreamIsCapturing",
};

constexpr std::string_view kDriverWork[] = {
    "cuCtxSynchronize",   "cuEventRecord",       "cuEventSynchronize", "cuGraphExecUpdate",
    "cuGraphInstantiate", "cuGraphLaunch",       "cuLaunch",           "cuLibraryLoad",
    "cuMemAlloc",         "cuMemCreate",         "cuMemFree",          "cuMemHostAlloc",
    "cuMemHostRegister",  "cuMemHostUnregister", "cuMemMap",           "cuMemPrefetch",
    "cuMemRelease",       "cuMemUnmap",          "cuMemcpy",           "cuMemset",
    "cuModuleLoad",       "cuStreamSynchronize", "cuStreamWait",
};

}  // namespace

bool IsRuntimeCallFollowed(std::string_view name) {
  return !std::binary_search(std::begin(kRuntimeQuestions), std::end(kRuntimeQuestions), WithoutCudaVersion(name));
}

bool IsDriverCallFollowed(std::string_view name) {
  return std::any_of(std::begin(kDriverWork), std::end(kDriverWork),
                     [name](std::string_view work) { return name.starts_with(work); });
}

}  // namespace warpsight::capture::cupti
