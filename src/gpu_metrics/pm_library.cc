#include "gpu_metrics/pm_library.h"

#include <dlfcn.h>

#include "capture/loaded_function.h"

namespace warpsight::gpu_metrics {
namespace {

constexpr const char* kCuptiNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

void* OpenCupti(const std::string& path) {
  if (!path.empty()) return dlopen(path.c_str(), RTLD_NOW);
  for (const char* name : kCuptiNames) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  return nullptr;
}

}  // namespace

PmLibrary PmLibrary::Load(const std::string& cupti_path) {
  using capture::FindFunction;
  PmLibrary pm;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
  void* const cupti = OpenCupti(cupti_path);
  if (cupti == nullptr) {
    pm.missing = "libcupti was not found: name one with --cupti";
    return pm;
  }
  // A CUPTI that brings the driver's functions comes first: without a GPU there is one to test with.
  const auto find = [&](const char* name, auto& function) {
    return FindFunction(cupti, name, function) || (driver != nullptr && FindFunction(driver, name, function));
  };
  if (!find("cuInit", pm.DriverInit) || !find("cuDeviceGetCount", pm.DeviceGetCount) || !find("cuDeviceGet", pm.DeviceGet) ||
      !find("cuDeviceGetName", pm.DeviceGetName) || !find("cuDeviceGetUuid", pm.DeviceGetUuid)) {
    pm.missing = "there is no NVIDIA driver here (libcuda.so.1)";
    return pm;
  }
  const bool all =
      find("cuptiProfilerInitialize", pm.ProfilerInitialize) && find("cuptiDeviceGetChipName", pm.DeviceGetChipName) &&
      find("cuptiPmSamplingGetCounterAvailability", pm.GetAvailability) &&
      find("cuptiProfilerHostInitialize", pm.HostInitializeObject) &&
      find("cuptiProfilerHostDeinitialize", pm.HostDeinitializeObject) &&
      find("cuptiProfilerHostConfigAddMetrics", pm.HostAddMetrics) &&
      find("cuptiProfilerHostGetConfigImageSize", pm.HostGetConfigSize) &&
      find("cuptiProfilerHostGetConfigImage", pm.HostGetConfig) &&
      find("cuptiProfilerHostGetNumOfPasses", pm.HostGetPasses) &&
      find("cuptiProfilerHostEvaluateToGpuValues", pm.HostEvaluate) && find("cuptiPmSamplingEnable", pm.SamplingEnable) &&
      find("cuptiPmSamplingDisable", pm.SamplingDisable) && find("cuptiPmSamplingSetConfig", pm.SamplingSetConfig) &&
      find("cuptiPmSamplingStart", pm.SamplingStart) && find("cuptiPmSamplingStop", pm.SamplingStop) &&
      find("cuptiPmSamplingGetCounterDataSize", pm.SamplingGetDataSize) &&
      find("cuptiPmSamplingCounterDataImageInitialize", pm.DataInitialize) &&
      find("cuptiPmSamplingDecodeData", pm.SamplingDecode) && find("cuptiPmSamplingGetCounterDataInfo", pm.DataGetInfo) &&
      find("cuptiPmSamplingCounterDataGetSampleInfo", pm.DataGetSample) && find("cuptiGetResultString", pm.GetResultString);
  if (!all) pm.missing = "this libcupti has no PM sampling, which came with CUDA 12.6: name a newer one with --cupti";
  return pm;
}

std::string PmLibrary::ErrorText(int result) const {
  if (result == kMissingPrivileges)
    return "the driver gives counters to administrators alone: run as root, or load the module nvidia with "
           "NVreg_RestrictProfilingToAdminUsers=0";
  const char* text = nullptr;
  if (GetResultString != nullptr && GetResultString(result, &text) == kSuccess && text != nullptr) return text;
  return "CUPTI error " + std::to_string(result);
}

}  // namespace warpsight::gpu_metrics
