// NvmlLibrary: the functions of NVML, NVIDIA's management library.
//
// Found by dlopen at run time: the path of the settings, else libnvidia-ml.so.1, which every driver brings. Functions that
// an older driver lacks are null. Threads: immutable once loaded; NVML's functions may be called from any thread.
#pragma once

#include <array>
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

// NVML's device of this UUID, which is the whole GPU's also under MIG; null when there is none.
using Uuid = std::array<uint8_t, 16>;
Device HandleOf(const Uuid& uuid, const NvmlLibrary& nvml);

}  // namespace warpsight::capture::nvml
