// SyncCalls: the time that each host thread spent inside synchronising calls, every moment once.
//
// Place in the flow: the idle classifier asks for the spans of a launching thread. Where calls nest (cudaMemcpy over
// cuStreamSynchronize) the call that started first owns the time, since it is the one that the program made.
// Units: ns. Thread-compatible after construction.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/api_calls.h"
#include "trace/trace.h"

namespace warpsight {

struct SyncSpan {
  Interval time;
  uint32_t call = kNoRow;  // host row that owns the time
};

class SyncCalls {
 public:
  SyncCalls(const Trace& trace, const ApiCallKinds& kinds);

  // Disjoint, sorted.
  std::span<const SyncSpan> of_thread(ThreadIndex thread) const { return by_thread_[thread]; }

 private:
  std::vector<std::vector<SyncSpan>> by_thread_;
};

}  // namespace warpsight
