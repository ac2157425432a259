// StatsGroups: samples collected by name, and the table of their summaries, longest first.
//
// Place in the flow: internal to the reports of stats_reports.h. Names are looked up once per distinct key.
// Units: ns. Errors: none. Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/selection.h"
#include "analysis/stats/sample_summary.h"
#include "document/table.h"
#include "trace/trace.h"

namespace warpsight {

struct StatsGroup {
  std::vector<Cell> labels;  // text columns, the last is the name that ties are ordered by
  std::vector<int64_t> samples;
};

class StatsGroups {
 public:
  // The group of `key`; `labels` makes its text columns when the key is new. Keys with equal labels are one group.
  template <typename MakeLabels>
  StatsGroup& Of(uint64_t key, const MakeLabels& labels) {
    const auto [found, added] = by_key_.try_emplace(key, 0);
    if (added) found->second = GroupOf(labels());
    return groups_[found->second];
  }
  std::vector<StatsGroup>& groups() { return groups_; }

 private:
  size_t GroupOf(std::vector<Cell> labels);

  std::unordered_map<uint64_t, size_t> by_key_;
  std::unordered_map<std::string, size_t> by_label_;
  std::vector<StatsGroup> groups_;
};

// "Time (%), Total Time (ns), <count>, Avg, Med, Min, Max, StdDev" and the text columns, as nsys prints summaries of times.
Table TimeSummaryTable(StatsGroups groups, const Column& count, const std::vector<Column>& text_columns);

// Whether the selection takes an event that starts then.
inline bool StartsIn(const Selection& selection, Ns start) { return !selection.range || selection.range->Contains(start); }

// Calls `visit(row)` for the GPU work that the selection takes.
template <typename Visit>
void ForSelectedWork(const Trace& trace, const Selection& selection, const Visit& visit) {
  for (const Device& device : trace.devices()) {
    if (selection.device && device.id != *selection.device) continue;
    for (uint32_t row = device.first_work; row < device.end_work; ++row) {
      if (StartsIn(selection, trace.gpu().start_ns[row])) visit(row);
    }
  }
}

}  // namespace warpsight
