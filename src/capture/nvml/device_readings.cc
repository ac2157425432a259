#include "capture/nvml/device_readings.h"

#include <iterator>

namespace warpsight::capture::nvml {
namespace {

constexpr uint64_t kSecondNs = 1'000'000'000;
constexpr uint8_t kMostFailures = 10;

// A question that has one or two answers.
struct Reading {
  GpuCounter first;
  bool has_second;  // of the counter after `first`
  bool is_limit;    // changes rarely: once a second is enough
  int (*read)(const NvmlLibrary& nvml, Device device, int64_t* values);
};

// Calls a function of NVML that an older driver may lack.
template <typename... Parameters, typename... Arguments>
int Ask(int (*function)(Parameters...), Arguments... arguments) {
  return function == nullptr ? kFunctionNotFound : function(arguments...);
}

template <typename... Parameters, typename... Arguments>
int AskNumber(int64_t* value, int (*function)(Parameters...), Arguments... arguments) {
  unsigned number = 0;
  const int result = Ask(function, arguments..., &number);
  *value = number;
  return result;
}

constexpr Reading kQuick[] = {
    {GpuCounter::kSmClock, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetClockInfo, device, kClockSm);
     }},
    {GpuCounter::kMemoryClock, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetClockInfo, device, kClockMemory);
     }},
    {GpuCounter::kPower, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetPowerUsage, device);
     }},
    {GpuCounter::kTemperature, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetTemperature, device, kSensorGpu);
     }},
    {GpuCounter::kGpuUtilisation, true, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       Utilisation utilisation = {};
       const int result = Ask(nvml.DeviceGetUtilizationRates, device, &utilisation);
       values[0] = utilisation.gpu;
       values[1] = utilisation.memory;
       return result;
     }},
    {GpuCounter::kMemoryUsed, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       Memory memory = {};
       const int result = Ask(nvml.DeviceGetMemoryInfo, device, &memory);
       values[0] = static_cast<int64_t>(memory.used);
       return result;
     }},
    {GpuCounter::kThrottleReasons, false, false,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       unsigned long long reasons = 0;
       const int result = Ask(nvml.DeviceGetCurrentClocksEventReasons, device, &reasons);
       values[0] = static_cast<int64_t>(reasons);
       return result;
     }},
    {GpuCounter::kSmClockMax, false, true,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetMaxClockInfo, device, kClockSm);
     }},
    {GpuCounter::kPowerLimit, false, true,
     [](const NvmlLibrary& nvml, Device device, int64_t* values) {
       return AskNumber(values, nvml.DeviceGetEnforcedPowerLimit, device);
     }},
};
// Readings behind them in the list of what is supported.
constexpr size_t kNvlinkReading = std::size(kQuick);
constexpr size_t kPcieReading = kNvlinkReading + 1;

uint64_t NumberIn(const FieldValue& field) {
  switch (field.type) {
    case ValueType::kDouble:
      return static_cast<uint64_t>(field.value.as_double);
    case ValueType::kUnsignedInt:
      return field.value.as_unsigned;
    case ValueType::kUnsignedLong:
      return field.value.as_unsigned_long;
    default:
      return field.value.as_unsigned_long_long;
  }
}

}  // namespace

bool DeviceReadings::Judge(size_t reading, int result) {
  static_assert(kPcieReading + 2 == kReadings);
  if (result == kSuccess) {
    failures_[reading] = 0;
    return true;
  }
  const bool never =
      result == kNotSupported || result == kFunctionNotFound || result == kNoPermission || result == kInvalidArgument;
  if (never || ++failures_[reading] == kMostFailures) dropped_[reading] = true;
  return false;
}

void DeviceReadings::Read(uint64_t now_ns, SampleRing& ring) {
  const bool limits = limits_read_ns_ == 0 || now_ns - limits_read_ns_ >= kSecondNs;
  if (limits) limits_read_ns_ = now_ns;
  for (size_t i = 0; i < std::size(kQuick); ++i) {
    const Reading& reading = kQuick[i];
    if (dropped_[i] || (reading.is_limit && !limits)) continue;
    int64_t values[2] = {};
    if (!Judge(i, reading.read(*nvml_, handle_, values))) continue;
    Put(reading.first, now_ns, values[0], ring);
    if (reading.has_second) Put(static_cast<GpuCounter>(static_cast<uint8_t>(reading.first) + 1), now_ns, values[1], ring);
  }
  if (!dropped_[kNvlinkReading]) ReadNvlink(now_ns, ring);
}

void DeviceReadings::ReadNvlink(uint64_t now_ns, SampleRing& ring) {
  FieldValue fields[2] = {};
  fields[0].field = kFieldNvlinkSent;
  fields[1].field = kFieldNvlinkReceived;
  fields[0].scope = fields[1].scope = kAllLinks;
  int result = Ask(nvml_->DeviceGetFieldValues, handle_, 2, &fields[0]);
  for (const FieldValue& field : fields) result = result == kSuccess ? field.result : result;
  if (!Judge(kNvlinkReading, result)) return;
  const uint64_t since_ns = now_ns - nvlink_read_ns_;
  const bool has_rate = nvlink_read_ns_ != 0 && since_ns > 0;
  nvlink_read_ns_ = now_ns;
  for (size_t i = 0; i < 2; ++i) {
    const uint64_t kib = NumberIn(fields[i]);
    const bool counts_up = kib >= nvlink_kib_[i];  // a reset of the device begins anew
    const double bytes = static_cast<double>(kib - nvlink_kib_[i]) * 1024;
    nvlink_kib_[i] = kib;
    if (!has_rate || !counts_up) continue;
    Put(i == 0 ? GpuCounter::kNvlinkTx : GpuCounter::kNvlinkRx, now_ns,
        static_cast<int64_t>(bytes * 1e9 / static_cast<double>(since_ns)), ring);
  }
}

bool DeviceReadings::ReadPcie(uint64_t (*clock)(), SampleRing& ring) {
  const uint64_t now_ns = clock();
  for (const int direction : {kPcieSent, kPcieReceived}) {
    const auto at = static_cast<size_t>(direction);
    if (dropped_[kPcieReading + at] || (pcie_read_ns_[at] != 0 && now_ns - pcie_read_ns_[at] < kSecondNs)) continue;
    pcie_read_ns_[at] = now_ns;
    int64_t value = 0;
    if (Judge(kPcieReading + at, AskNumber(&value, nvml_->DeviceGetPcieThroughput, handle_, direction)))
      Put(direction == kPcieSent ? GpuCounter::kPcieTx : GpuCounter::kPcieRx, clock(), value, ring);
    return true;
  }
  return false;
}

}  // namespace warpsight::capture::nvml
