// The counters of a joined report: why each kernel of the timeline that was profiled is slow, and which ones still have to
// be.
//
// Place in the flow: JoinedCounters + triage -> blocks of the `report` document, and its "counters" object. Times are the
// timeline's; the profiled duration stands in JSON only, named as such. Gains of the counters are shares of a kernel's time
// and are given as such, never as time. Errors: none. Threads: pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/counters/joined_counters_pass.h"
#include "document/document.h"

namespace warpsight {

// {"matched", "unmatched_counters", "missing", ...}
nlohmann::ordered_json JoinedCountersData(const JoinedCounters& joined);

// One of "matched".
nlohmann::ordered_json JoinedKernelData(const JoinedKernel& kernel);

struct JoinedDocumentOptions {
  size_t rows = 10;  // kernels in the table
  bool full_names = false;
  bool charts = false;  // for a page: the charts of the kernels that matter
};

// What people read, without a heading: a table of the kernels with most time, then findings of those that matter.
std::vector<Block> JoinedCountersBlocks(const JoinedCounters& joined, const JoinedDocumentOptions& options);

// A few words for each kernel name that has counters, or should have: "memory bound: bank conflicts", "no counters".
std::map<std::string_view, std::string> CounterRemarks(const JoinedCounters& joined);

}  // namespace warpsight
