#include "capture/nvml/nvml_library.h"

#include <dlfcn.h>

#include <algorithm>
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
  Find(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.DeviceGetHandleByPciBusId);
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

CudaDevices CudaDevices::OfProcess() {
  CudaDevices cuda;
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (driver == nullptr) return cuda;
  const bool all = Find(driver, "cuDeviceGetCount", cuda.DeviceGetCount) && Find(driver, "cuDeviceGet", cuda.DeviceGet) &&
                   Find(driver, "cuDeviceGetUuid", cuda.DeviceGetUuid) &&
                   Find(driver, "cuDeviceGetPCIBusId", cuda.DeviceGetPciBusId) &&
                   Find(driver, "cuDevicePrimaryCtxGetState", cuda.DevicePrimaryCtxGetState);
  return all ? cuda : CudaDevices();
}

uint64_t CudaDevices::Active() const {
  int count = 0;
  // Fails until the driver has been initialised.
  if (DeviceGetCount == nullptr || DeviceGetCount(&count) != 0) return 0;
  uint64_t bits = 0;
  for (int number = 0; number < std::min(count, kMost); ++number) {
    int device = 0;
    unsigned flags = 0;
    int active = 0;
    if (DeviceGet(&device, number) == 0 && DevicePrimaryCtxGetState(device, &flags, &active) == 0 && active != 0)
      bits |= uint64_t{1} << number;
  }
  return bits;
}

Device CudaDevices::HandleOf(int number, const NvmlLibrary& nvml) const {
  Device handle = nullptr;
  int device = 0;
  if (DeviceGet == nullptr || DeviceGet(&device, number) != 0) return nullptr;
  unsigned char uuid[16] = {};
  if (DeviceGetUuid(uuid, device) == 0) {
    char text[48] = "GPU-";
    char* at = text + 4;
    for (size_t i = 0; i < sizeof(uuid); ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) *at++ = '-';
      at += std::snprintf(at, 3, "%02x", uuid[i]);
    }
    if (nvml.DeviceGetHandleByUuid(text, &handle) == kSuccess) return handle;
  }
  char bus_id[32] = {};
  if (nvml.DeviceGetHandleByPciBusId == nullptr || DeviceGetPciBusId(bus_id, sizeof(bus_id), device) != 0 ||
      nvml.DeviceGetHandleByPciBusId(bus_id, &handle) != kSuccess)
    return nullptr;
  return handle;
}

}  // namespace warpsight::capture::nvml
