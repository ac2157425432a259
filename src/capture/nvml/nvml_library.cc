#include "capture/nvml/nvml_library.h"

#include <dlfcn.h>

#include <cstdio>

#include "capture/loaded_function.h"

namespace warpsight::capture::nvml {

NvmlLibrary NvmlLibrary::Load(const std::string& path) {
  NvmlLibrary nvml;
  void* const library = dlopen(path.empty() ? "libnvidia-ml.so.1" : path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    nvml.missing = (path.empty() ? std::string("libnvidia-ml.so.1") : path) + " was not found";
    return nvml;
  }
  int (*initialise)() = nullptr;
  if (!FindFunction(library, "nvmlInit_v2", initialise) ||
      !FindFunction(library, "nvmlDeviceGetHandleByUUID", nvml.DeviceGetHandleByUuid)) {
    nvml.missing = "NVML lacks functions that every driver has";
    return nvml;
  }
  FindFunction(library, "nvmlDeviceGetClockInfo", nvml.DeviceGetClockInfo);
  FindFunction(library, "nvmlDeviceGetMaxClockInfo", nvml.DeviceGetMaxClockInfo);
  FindFunction(library, "nvmlDeviceGetPowerUsage", nvml.DeviceGetPowerUsage);
  FindFunction(library, "nvmlDeviceGetEnforcedPowerLimit", nvml.DeviceGetEnforcedPowerLimit);
  FindFunction(library, "nvmlDeviceGetTemperature", nvml.DeviceGetTemperature);
  FindFunction(library, "nvmlDeviceGetUtilizationRates", nvml.DeviceGetUtilizationRates);
  FindFunction(library, "nvmlDeviceGetMemoryInfo", nvml.DeviceGetMemoryInfo);
  // Drivers since 535 call it so; the older name means the same.
  if (!FindFunction(library, "nvmlDeviceGetCurrentClocksEventReasons", nvml.DeviceGetCurrentClocksEventReasons))
    FindFunction(library, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml.DeviceGetCurrentClocksEventReasons);
  FindFunction(library, "nvmlDeviceGetPcieThroughput", nvml.DeviceGetPcieThroughput);
  FindFunction(library, "nvmlDeviceGetFieldValues", nvml.DeviceGetFieldValues);
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
