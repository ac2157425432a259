// The classes of idle time: why a device did nothing. Definitions and the usual fix of each: docs/idle.md.
//
// Place in the flow: the classifier gives every piece of idle time one class; all sums over a window are IdleParts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/time.h"

namespace warpsight {

// In the order of the JSON contract.
enum class IdleClass : uint8_t { kSync, kRoundTrip, kHostWork, kLaunch, kDeviceWait, kBackToBack, kEdge };
inline constexpr size_t kIdleClassCount = 7;

// Time per class, ns.
using IdleParts = std::array<Ns, kIdleClassCount>;

inline Ns& PartOf(IdleParts& parts, IdleClass kind) { return parts[static_cast<size_t>(kind)]; }
inline Ns PartOf(const IdleParts& parts, IdleClass kind) { return parts[static_cast<size_t>(kind)]; }

struct IdleClassInfo {
  std::string_view key;      // "host_work"; with "_ns" the key of its time
  std::string_view label;    // "host work"
  std::string_view brief;    // the meaning in a few words, for tables
  std::string_view meaning;  // in a sentence
  std::string_view fix;      // the usual one; empty when there is none
};
const IdleClassInfo& InfoOf(IdleClass kind);

// What work that was queued in time waited for (class kDeviceWait).
enum class DeviceWait : uint8_t { kNone, kStreamCopy, kOtherStreamEvent, kUnknown };
inline constexpr size_t kDeviceWaitCount = 4;
std::string_view DeviceWaitText(DeviceWait reason);

// The class with the largest part; the first in order among equals.
IdleClass LargestPart(const IdleParts& parts);
Ns Sum(const IdleParts& parts);

}  // namespace warpsight
