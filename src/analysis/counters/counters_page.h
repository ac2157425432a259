// The counters page: one section a kernel, with verdict, findings, charts, and all section tables folded.
//
// Place in the flow: CounterReport -> Document for render/html_renderer.h; the charts of a kernel alone also stand in the
// page of a joined report. Of very many kernels only those with most time have their section tables, so that the page stays
// small; the page says so. Errors: none. Threads: pure functions.
#pragma once

#include <vector>

#include "analysis/counters/hot_line.h"
#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

Document MakeCountersPage(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels,
                          const CodeReader& read_code);

// Speed of light, stalls, pipes, roofline, memory, occupancy: blocks that only a page shows.
void AppendKernelCharts(const CounterReport& report, const ProfiledKernel& kernel, std::vector<Block>& blocks);

}  // namespace warpsight
