// RoundTrips: whether a synchronising call waited for a value to come back from the device.
//
// A call waited for a device-to-host copy when it is itself a blocking copy of that direction, or when the work of the
// device that ended last, among what was launched before the call began and ended before the call did, is such a copy. A
// blocking copy whose own GPU work is known is judged by that alone.
// Limit: traces do not say which stream a cudaStreamSynchronize waited for, so the work of all streams is looked at.
// Place in the flow: the idle classifier asks once per synchronising call in a gap. Each question costs O(log n).
// Thread-compatible after construction.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/api_calls.h"
#include "trace/trace.h"

namespace warpsight {

class RoundTrips {
 public:
  RoundTrips(const Trace& trace, const ApiCallKinds& kinds, const Device& device);

  // `call` is a host row of a synchronising API call.
  bool WaitedForCopyToHost(uint32_t call) const;

 private:
  // The last of by_end_[0, end) whose launch started before `launch_limit`; by_end_.size() when there is none.
  size_t LastLaunchedBefore(Ns launch_limit, size_t end) const;

  const Trace& trace_;
  const ApiCallKinds& kinds_;
  std::vector<uint32_t> by_end_;  // GPU rows of the device with a known launch, by end, then row
  // Rows of blocking copies' own work, sorted by call: {call, GPU row}.
  std::vector<std::pair<uint32_t, uint32_t>> own_work_;
  // Implicit binary tree over by_end_: tree_[leaves_ + i] is the launch start of by_end_[i], an inner node the least below
  // it.
  std::vector<Ns> tree_;
  size_t leaves_ = 1;
};

}  // namespace warpsight
