// The `counters` document: the kernels of a counter report, judged, with their sections and metrics.
//
// Place in the flow: CounterReport -> Document -> text | JSON; and the raw page as one table -> CSV. Metrics and section
// rows in JSON are in base units, named beside them; text has them as ncu prints them. Errors: none. Threads: pure
// functions.
#pragma once

#include <vector>

#include "analysis/counters/counter_sections.h"
#include "analysis/counters/hot_line.h"
#include "analysis/counters/triage.h"
#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

struct CountersDocumentOptions {
  std::vector<const ProfiledKernel*> kernels;  // the chosen ones, in order
  bool sections = false;                       // in the text form
  bool full_names = false;
  CodeReader read_code;  // for the hot lines
};

// The parts of it, for documents that arrange them otherwise: one row a kernel; launch, verdict and findings of a kernel;
// its section tables below headings of that level.
void AppendCountersSummary(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels,
                           std::vector<Block>& blocks);
// That profiled times were not compared with unprofiled ones: once, under the kernels.
void AppendTimesNotCompared(std::vector<Block>& blocks);
void AppendKernelFacts(const CounterReport& report, const ProfiledKernel& kernel, const Triage& triage,
                       std::vector<Block>& blocks);
void AppendSectionBlocks(const std::vector<SectionResult>& sections, int level, std::vector<Block>& blocks);

Document MakeCountersDocument(const CounterReport& report, const CountersDocumentOptions& options);

// Every metric of the chosen kernels as ncu prints it, units in the first row.
Document MakeRawPageDocument(const CounterReport& report, const std::vector<const ProfiledKernel*>& kernels);

}  // namespace warpsight
