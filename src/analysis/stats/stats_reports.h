// The summaries that `nsys stats` prints, under its names, with its columns and its numbers, from any recording.
//
// Place in the flow: Trace -> StatsReport -> one Table -> stats document. Events count, whole, when they start in the
// selected window; GPU work of other devices than the selected one is left out. Definitions and what differs: docs/stats.md.
// Units: ns, and MB = 1e6 bytes where nsys prints MB. Errors: kLacks when the recording has no such events.
// Threads: pure functions over a sealed Trace.
#pragma once

#include <span>
#include <string_view>

#include "analysis/selection.h"
#include "base/status.h"
#include "document/table.h"
#include "trace/trace.h"

namespace warpsight {

struct StatsReport {
  std::string_view name;    // "cuda_gpu_kern_sum"
  std::string_view title;   // "CUDA GPU Kernel Summary"
  std::string_view events;  // what it is about, for "the recording has no ...": "kernels"
  // A table without rows when there are no such events.
  Table (*make)(const Trace& trace, const Selection& selection);
};

// The one list, in the order in which they are printed.
std::span<const StatsReport> StatsReports();

// Null when there is no such report.
const StatsReport* FindStatsReport(std::string_view name);

// gpu_reports.cc
Table GpuKernelSummary(const Trace& trace, const Selection& selection);
Table GpuMemoryTimeSummary(const Trace& trace, const Selection& selection);
Table GpuMemorySizeSummary(const Trace& trace, const Selection& selection);
Table GpuSummary(const Trace& trace, const Selection& selection);
// call_reports.cc
Table ApiCallSummary(const Trace& trace, const Selection& selection);
Table OsRuntimeSummary(const Trace& trace, const Selection& selection);
Table KernelExecutionSummary(const Trace& trace, const Selection& selection);
// sample_reports.cc
Table CpuSampleSummary(const Trace& trace, const Selection& selection);
// range_reports.cc
Table RangeSummary(const Trace& trace, const Selection& selection);
Table PushPopSummary(const Trace& trace, const Selection& selection);
Table StartEndSummary(const Trace& trace, const Selection& selection);
Table RangeProjectionSummary(const Trace& trace, const Selection& selection);

}  // namespace warpsight
