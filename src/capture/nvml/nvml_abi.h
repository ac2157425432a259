// The part of NVML's binary interface that is used here, declared by ourselves, so that the library builds without NVIDIA's
// headers and works with every driver. nvml_abi_test.cc compares it with nvml.h where that is installed. Threads: pure.
#pragma once

#include <cstdint>

namespace warpsight::capture::nvml {

using Device = void*;  // nvmlDevice_t

inline constexpr int kSuccess = 0;
inline constexpr int kInvalidArgument = 2;
inline constexpr int kNotSupported = 3;
inline constexpr int kNoPermission = 4;
inline constexpr int kFunctionNotFound = 13;

inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
inline constexpr int kSensorGpu = 0;
inline constexpr int kPcieSent = 0;
inline constexpr int kPcieReceived = 1;

struct Utilisation {
  unsigned gpu;  // percent
  unsigned memory;
};

struct Memory {
  unsigned long long total;  // bytes
  unsigned long long free;
  unsigned long long used;
};

// KiB over a link since the driver was loaded; kAllLinks asks for their sum.
inline constexpr unsigned kFieldNvlinkSent = 138;
inline constexpr unsigned kFieldNvlinkReceived = 139;
inline constexpr unsigned kAllLinks = ~0u;

enum class ValueType : int { kDouble = 0, kUnsignedInt = 1, kUnsignedLong = 2, kUnsignedLongLong = 3, kSignedLongLong = 4 };

struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp_us;
  long long latency_us;
  ValueType type;
  int result;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long as_unsigned_long;
    unsigned long long as_unsigned_long_long;
    long long as_signed_long_long;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

}  // namespace warpsight::capture::nvml
