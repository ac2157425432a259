#include "analysis/sync_calls.h"

#include <algorithm>

namespace warpsight {

SyncCalls::SyncCalls(const Trace& trace, const ApiCallKinds& kinds) : by_thread_(trace.threads().size()) {
  const HostEvents& host = trace.host();
  for (size_t thread = 0; thread < by_thread_.size(); ++thread) {
    Ns covered_end = kMinNs;
    // Rows come by start, so a nested call only adds what sticks out of the calls before it.
    for (uint32_t row = trace.threads()[thread].first_call; row < trace.threads()[thread].first_frame; ++row) {
      if (!IsSynchronising(kinds.kind(row))) continue;
      const Interval time = {std::max(host.start_ns[row], covered_end), host.end_ns[row]};
      if (time.empty()) continue;
      by_thread_[thread].push_back({time, row});
      covered_end = time.end;
    }
  }
}

}  // namespace warpsight
