// NVML without a GPU: a library that the recorder loads in its place. It knows two GPUs; the second is the faster one.
// Neither can tell its temperature; its NVLink counters run on by 1 MiB a question.
#include <atomic>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include "capture/nvml/nvml_abi.h"

namespace {

using namespace warpsight::capture::nvml;

char gpus[2];  // what handles point to

bool IsSecond(Device device) { return device == &gpus[1]; }

int Known(Device device) { return device == &gpus[0] || device == &gpus[1] ? kSuccess : kInvalidArgument; }

}  // namespace

#define WARPSIGHT_FAKE extern "C" __attribute__((visibility("default")))

WARPSIGHT_FAKE int nvmlInit_v2() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return kSuccess;
}
WARPSIGHT_FAKE int nvmlDeviceGetHandleByUUID(const char* uuid, Device* device) {
  const std::string_view text(uuid);
  if (text == "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f") *device = &gpus[0];
  if (text == "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f") *device = &gpus[1];
  return Known(*device);
}
WARPSIGHT_FAKE int nvmlDeviceGetClockInfo(Device device, int clock, unsigned* mhz) {
  *mhz = clock == kClockMemory ? 2619 : IsSecond(device) ? 1500 : 1000;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetMaxClockInfo(Device device, int /*clock*/, unsigned* mhz) {
  *mhz = 1980;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  *milliwatts = 651'234;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  *milliwatts = 700'000;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetTemperature(Device /*device*/, int /*sensor*/, unsigned* /*celsius*/) {
  return kNotSupported;
}
WARPSIGHT_FAKE int nvmlDeviceGetUtilizationRates(Device device, Utilisation* utilisation) {
  *utilisation = {97, 41};
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetMemoryInfo(Device device, Memory* memory) {
  *memory = {150ull << 30, 100ull << 30, 50ull << 30};
  return Known(device);
}
// The name of drivers before 535.
WARPSIGHT_FAKE int nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* reasons) {
  *reasons = 0x4;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetPcieThroughput(Device device, int direction, unsigned* kb_per_s) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  *kb_per_s = direction == kPcieSent ? 1234 : 5678;
  return Known(device);
}
WARPSIGHT_FAKE int nvmlDeviceGetFieldValues(Device device, int count, FieldValue* values) {
  static std::atomic<unsigned long long> kib{0};
  kib += 1024;
  for (int i = 0; i < count; ++i) {
    values[i].type = ValueType::kUnsignedLongLong;
    values[i].result = values[i].scope == kAllLinks ? kSuccess : kInvalidArgument;
    values[i].value.as_unsigned_long_long = kib;
  }
  return Known(device);
}
