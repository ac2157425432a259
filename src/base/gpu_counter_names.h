// Names and units of the counters that `warpsight record` samples of a GPU: the one spelling, for the sampler and for the
// analyses that look for them.
//
// Rates are per second. Throttle reasons are the bits that NVML gives. Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpsight {

enum class GpuCounter : uint8_t {
  kSmClock,
  kMemoryClock,
  kPower,
  kTemperature,
  kGpuUtilisation,
  kMemoryUtilisation,
  kMemoryUsed,
  kThrottleReasons,
  kNvlinkTx,
  kNvlinkRx,
  kSmClockMax,  // the highest that the device can run at
  kPowerLimit,
  kPcieTx,
  kPcieRx,
};
inline constexpr size_t kGpuCounters = 14;

struct GpuCounterName {
  std::string_view name;
  std::string_view unit;
};

inline constexpr std::string_view kBitsUnit = "bits";

// By GpuCounter.
inline constexpr std::array<GpuCounterName, kGpuCounters> kGpuCounterNames = {{
    {"SM clock", "MHz"},
    {"memory clock", "MHz"},
    {"power", "mW"},
    {"temperature", "C"},
    {"GPU utilisation", "%"},
    {"memory utilisation", "%"},
    {"memory used", "B"},
    {"throttle reasons", kBitsUnit},
    {"NVLink sent", "B/s"},
    {"NVLink received", "B/s"},
    {"SM clock limit", "MHz"},
    {"power limit", "mW"},
    {"PCIe sent", "kB/s"},
    {"PCIe received", "kB/s"},
}};

constexpr GpuCounterName NameOf(GpuCounter counter) { return kGpuCounterNames[static_cast<size_t>(counter)]; }

// Why a clock is not higher.
struct ThrottleReason {
  uint64_t bit;
  std::string_view words;
  bool is_fault;  // heat or a board that cannot give the power: not a limit that somebody chose or that is normal under load
};
inline constexpr uint64_t kThrottleIdle = 0x1;
inline constexpr std::array<ThrottleReason, 7> kThrottleReasons = {{
    {0x2, "clocks set by hand", false},
    {0x4, "power limit", false},
    {0x8, "hardware slowdown", true},
    {0x10, "sync boost", false},
    {0x20, "heat (software)", true},
    {0x40, "heat (hardware)", true},
    {0x80, "power brake", true},
}};

}  // namespace warpsight
