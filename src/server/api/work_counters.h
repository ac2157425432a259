// WorkCounters: what counter reports say of the kernels of the timeline, as `report` joins them.
//
// Place in the flow: Given::counter_reports -> JoinedCountersPass over the whole recording -> WorkCounters -> the answer
// about an event. A kernel is its name with its grid and block. Errors: none; without reports no kernel has counters.
// Threads: immutable.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <tuple>

#include "analysis/counters/joined_counters_pass.h"
#include "server/api/json_text.h"
#include "trace/trace.h"

namespace warpsight::server {

class WorkCounters {
 public:
  WorkCounters(const Trace& trace, const Given& given);

  // As one of "counters"."matched" of the document `report`; null when the kernel was not profiled.
  Json Of(uint32_t gpu_row) const;

 private:
  using Key = std::tuple<std::string_view, Extent, Extent>;
  const Trace& trace_;
  JoinedCounters joined_;
  std::map<Key, const JoinedKernel*> kernels_;
};

}  // namespace warpsight::server
