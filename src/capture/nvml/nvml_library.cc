#include "capture/nvml/nvml_library.h"

#include <dlfcn.h>

#include <cstdio>

namespace warpsight::capture::nvml {
namespace {

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

NvmlLibrary NvmlLibrary::Load(const std::string& path) {
  NvmlLibrary nvml;
  void* const library = dlopen(path.empty() ? "libnvidia-ml.so.1" : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    nvml.missing = (path.empty() ? std::string("libnvidia-ml.so.1") : path) + " was not found";
    return nvml;
  }
  int (*initialise)() = nullptr;
  if (!Find(library, "nvmlInit_v2", initialise) || !Find(library, "nvmlDeviceGetHandleByUUID", nvml.DeviceGetHandleByUuid)) {
    nvml.missing = "NVML lacks functions that every driver has";
    return nvml;
  }
  Find(library, "nvmlDeviceGetClockInfo", nvml.DeviceGetClockInfo);
  Find(library, "nvmlDeviceGetMaxClockInfo", nvml.DeviceGetMaxClockInfo);
  Find(library, "nvmlDeviceGetPowerUsage", nvml.DeviceGetPowerUsage);
  Find(library, "nvmlDeviceGetEnforcedPowerLimit", nvml.DeviceGetEnforcedPowerLimit);
  Find(library, "nvmlDeviceGetTemperature", nvml.DeviceGetTemperature);
  Find(library, "nvmlDeviceGetUtilizationRates", nvml.DeviceGetUtilizationRates);
  Find(library, "nvmlDeviceGetMemoryInfo", nvml.DeviceGetMemoryInfo);
  // Drivers since 535 call it so; the older name means the same.
  if (!Find(library, "nvmlDeviceGetCurrentClocksEventReasons", nvml.DeviceGetCurrentClocksEventReasons))
    Find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml.DeviceGetCurrentClocksEventReasons);
  Find(library, "nvmlDeviceGetPcieThroughput", nvml.DeviceGetPcieThroughput);
  Find(library, "nvmlDeviceGetFieldValues", nvml.DeviceGetFieldValues);
  // Never shut down again: the program may use NVML too, and at its end all is let go of anyway.
  if (const int result = initialise(); result != kSuccess)
    nvml.missing = "NVML can't be initialised (error " + std::to_string(result) + ")";
  return nvml;
}

Device HandleOf(const Uuid& uuid, const NvmlLibrary& nvml) {
  char text[48] = "GPU-";
  char* at = text + 4;
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) *at++ = '-';
    at += std::snprintf(at, 3, "%02x", uuid[i]);
  }
  Device handle = nullptr;
  return nvml.DeviceGetHandleByUuid(text, &handle) == kSuccess ? handle : nullptr;
}

}  // namespace warpsight::capture::nvml
