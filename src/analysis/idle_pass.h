// IdlePass: for every device, how long it did nothing in the selected window, why, and what the host did meanwhile.
//
// Invariant (CHECKed): window == busy + idle, and the classes sum to idle, to the nanosecond. Definitions: docs/idle.md.
// Place in the flow: gpu_busy + idle_classifier -> this -> idle_document, diagnosis rules. For the classes of other windows
// (steps) use IdleTimelinesPass, which classifies once.
// Units: ns. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/idle_timeline.h"
#include "analysis/off_cpu.h"
#include "analysis/pass.h"

namespace warpsight {

inline constexpr size_t kMaxGapHosts = 5;
// As many of a device's longest gaps are described with the pass; gaps come by the hundred thousand.
inline constexpr size_t kDescribedGaps = 1000;

// One idle interval, cut to the window.
struct IdleGap {
  Interval time;
  IdleParts parts = {};
  IdleClass largest = IdleClass::kEdge;
  DeviceWait wait = DeviceWait::kNone;
  uint32_t before = kNoRow;  // GPU rows, see IdleInterval
  uint32_t after = kNoRow;
  // What was open on the launching thread: during the launch when that is the largest part, else before it. Most time first;
  // kEmpty ends the list, which is empty when the launching thread was not to blame.
  std::array<StringId, kMaxGapHosts> hosts = {};
  Ns host_ns = 0;     // time of the first of them
  Ns unnamed_ns = 0;  // time in which no event was open on the thread
  // Where that is most of the host's time: the function that CPU samples of the thread found most often in the gap.
  StringId sampled = StringId::kEmpty;
  // The launching thread's time off the CPU in the parts of class host_work.
  OffCpu off_cpu;
};

struct HostTime {
  StringId name = StringId::kEmpty;  // kEmpty: no event was open on the thread
  Ns time_ns = 0;
};

struct IdleDevice {
  int32_t device = 0;
  Interval window;
  Ns busy_ns = 0;
  Ns idle_ns = 0;
  IdleParts classes = {};
  std::array<Ns, kDeviceWaitCount> device_wait_ns = {};  // class device_wait by reason
  size_t gap_count = 0;
  std::array<int64_t, kIdleClassCount> gaps_by_largest = {};  // by the class that takes most of a gap
  std::vector<IdleGap> longest;                               // the kDescribedGaps longest gaps, longest first
  // For sync, round_trip, host_work and launch: time by innermost open event of the launching thread, most first.
  std::array<std::vector<HostTime>, kIdleClassCount> host_by_class;
  OffCpu off_cpu;                          // of the launching threads in time of class host_work
  int64_t launch_after_start = 0;          // in the whole capture, see IdleTimeline
  const IdleTimeline* timeline = nullptr;  // kept by the Analysis
};

// The `limit` longest gaps, longest first; of equal ones the earlier first. Beyond kDescribedGaps this costs a sweep over
// the host events.
std::vector<IdleGap> LongestGaps(const Trace& trace, const IdleDevice& device, size_t limit);

struct IdleResult {
  Ns window_ns = 0;
  std::vector<IdleDevice> devices;  // selected devices with work
};

struct IdlePass {
  using Output = IdleResult;
  static constexpr std::string_view kName = "idle";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

// The classified idle time of every device with work over the whole capture.
struct IdleTimelinesPass {
  using Output = std::vector<IdleTimeline>;
  static constexpr std::string_view kName = "idle_timelines";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
