// WorkFacts: what the analyses know of each piece of GPU work: its model part, its bound and how near it came to it.
//
// Place in the flow: parts, costs and peaks of the whole recording -> WorkFacts -> the answer about an event. What is not
// known is absent. Errors: none; a recording without GPU work or peaks has no facts. Threads: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight::server {

struct WorkBound {
  std::string_view bound;  // "memory", "compute"
  double efficiency = 0;   // bound time of the op that it is charged to / GPU time of that op
};

class WorkFacts {
 public:
  explicit WorkFacts(const Trace& trace);

  // Empty when it is not known.
  std::string_view part(uint32_t gpu_row) const { return parts_.empty() ? std::string_view() : parts_[gpu_row]; }
  std::optional<WorkBound> bound(uint32_t gpu_row) const;

 private:
  std::vector<std::string_view> parts_;
  std::vector<uint32_t> call_of_;
  std::vector<std::optional<WorkBound>> bounds_;  // by call
};

}  // namespace warpsight::server
