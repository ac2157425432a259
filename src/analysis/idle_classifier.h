// IdleClassifier: finds every idle interval of a device and says whose fault each part of it is.
//
// Algorithm: GPU work comes sorted by start. Where a row starts after everything before it has ended there is a gap, and the
// launch call of that row (of several that start together the one launched first) tells the classes of its pieces:
//
//    end of work            launch call [ls, le)          k starts
//        a ....................|--------|.....................b
//        | host thread: sync / round trip / host work | launch |        ls >= a
//
//   le < a: k was queued in time: back to back when short, else device wait.     ls < a <= le: launch.
//   no known launch, or no work follows: edge.
//
// Cost: one pass over the device's rows, a binary search per gap for synchronising calls. See docs/idle.md for the
// definitions. Thread-compatible.
#pragma once

#include <optional>
#include <vector>

#include "analysis/api_calls.h"
#include "analysis/idle_timeline.h"
#include "analysis/round_trip.h"
#include "analysis/sync_calls.h"
#include "trace/trace.h"

namespace warpsight {

class IdleClassifier {
 public:
  // All must outlive the classifier.
  IdleClassifier(const Trace& trace, const ApiCallKinds& kinds, const SyncCalls& syncs, const Device& device);

  // Every idle interval inside the capture.
  IdleTimeline Run();

 private:
  void AddGap(Interval gap, uint32_t after);
  DeviceWait AddPieces(Interval gap, uint32_t after);
  void SplitBeforeLaunch(Interval host_time, uint32_t launch);
  DeviceWait WaitReason(uint32_t after, Ns gap_start);
  bool LaunchedAfterStreamWait(uint32_t launch);
  // Of the rows that start together with `first` the one whose launch starts first; rows without a launch come last.
  uint32_t FirstLaunched(uint32_t first) const;
  uint32_t EndedAtGapStart(uint32_t after) const;

  const Trace& trace_;
  const ApiCallKinds& kinds_;
  const SyncCalls& syncs_;
  const Device& device_;
  const Ns back_to_back_ns_;
  std::optional<RoundTrips> round_trips_;  // made when the first gap needs it
  IdleTimeline timeline_;
  std::vector<uint32_t> last_ended_;  // rows that end where the busy time so far ends
  uint32_t waited_launch_ = kNoRow;   // LaunchedAfterStreamWait of the last launch asked about: graphs ask a thousand times
  bool waited_ = false;
};

}  // namespace warpsight
