// Why warps could not issue: the rows of data/stall_reasons.toml, and the largest reason of a kernel.
//
// Place in the flow: metrics smsp__average_warps_issue_stalled_<id>_per_issue_active.ratio of a report -> triage, documents.
// Errors: none. Threads: the data is read once; all functions are thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight {

struct StallReason {
  std::string id;    // "long_scoreboard"
  std::string name;  // "waiting for global or local memory"
  std::string meaning;
  std::string advice;
  bool is_stall = true;  // false: issuing, or ready while another warp was chosen
};

const std::vector<StallReason>& AllStallReasons();
const StallReason* FindStallReason(std::string_view id);
// "long_scoreboard" -> "long scoreboard".
std::string StallWords(std::string_view id);
// What warps wait for in plain words; samples have one reason in the plural. Words of the id when it is not known.
std::string StallName(std::string_view id);

// Cycles of a warp for each instruction issued.
struct StallCycles {
  const StallReason* reason = nullptr;
  double cycles = 0;
};
// Those that the report has, in the order of the table.
std::vector<StallCycles> StallsOf(const CounterReport& report, const ProfiledKernel& kernel);

struct TopStall {
  const StallReason* reason = nullptr;
  double cycles = 0;  // of a warp, for each instruction issued
  double share = 0;   // of all cycles of a warp
};

// Nothing when the report has no warp states.
std::optional<TopStall> FindTopStall(const std::vector<StallCycles>& stalls);

}  // namespace warpsight
