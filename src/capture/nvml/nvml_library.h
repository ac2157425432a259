// NvmlLibrary: the functions of NVML, NVIDIA's management library, and which of its devices are those of the process.
//
// Found by dlopen at run time: the path of the settings, else libnvidia-ml.so.1, which every driver brings. Functions that
// an older driver lacks are null. Threads: immutable once loaded; NVML's functions may be called from any thread.
#pragma once

#include <cstdint>
#include <string>

#include "capture/nvml/nvml_abi.h"

namespace warpsight::capture::nvml {

struct NvmlLibrary {
  // Null functions and a reason when there is no NVML, or when it cannot be initialised. May take a good part of a second.
  static NvmlLibrary Load(const std::string& path);

  bool loaded() const { return missing.empty(); }
  std::string missing;  // why not

  int (*DeviceGetHandleByUuid)(const char* uuid, Device* device) = nullptr;
  int (*DeviceGetHandleByPciBusId)(const char* bus_id, Device* device) = nullptr;
  // May be null.
  int (*DeviceGetClockInfo)(Device device, int clock, unsigned* mhz) = nullptr;
  int (*DeviceGetMaxClockInfo)(Device device, int clock, unsigned* mhz) = nullptr;
  int (*DeviceGetPowerUsage)(Device device, unsigned* milliwatts) = nullptr;
  int (*DeviceGetEnforcedPowerLimit)(Device device, unsigned* milliwatts) = nullptr;
  int (*DeviceGetTemperature)(Device device, int sensor, unsigned* celsius) = nullptr;
  int (*DeviceGetUtilizationRates)(Device device, Utilisation* utilisation) = nullptr;
  int (*DeviceGetMemoryInfo)(Device device, Memory* memory) = nullptr;
  int (*DeviceGetCurrentClocksEventReasons)(Device device, unsigned long long* reasons) = nullptr;
  int (*DeviceGetPcieThroughput)(Device device, int direction, unsigned* kb_per_s) = nullptr;  // blocks for 20 ms
  int (*DeviceGetFieldValues)(Device device, int count, FieldValue* values) = nullptr;
};

// The CUDA devices of the process, by its own numbers for them (CUDA_VISIBLE_DEVICES reorders), asked of the driver that the
// process has loaded. The questions change nothing and create no context.
struct CudaDevices {
  static constexpr int kMost = 64;
  // Null functions when no driver is loaded.
  static CudaDevices OfProcess();

  // Bits of the devices whose primary context is active.
  uint64_t Active() const;
  // NVML's device for the CUDA device `number`; null when there is none.
  Device HandleOf(int number, const NvmlLibrary& nvml) const;

  int (*DeviceGetCount)(int* count) = nullptr;
  int (*DeviceGet)(int* device, int number) = nullptr;
  int (*DeviceGetUuid)(unsigned char* uuid, int device) = nullptr;  // 16 bytes, of the whole GPU also under MIG
  int (*DeviceGetPciBusId)(char* text, int size, int device) = nullptr;
  int (*DevicePrimaryCtxGetState)(int device, unsigned* flags, int* active) = nullptr;
};

}  // namespace warpsight::capture::nvml
