// Opening a file of either kind, told by its content: a timeline or a counter report.
//
// Place in the flow: verbs that take both, or several files of both kinds. OpenTrace and OpenCounters refuse the other kind.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "counters/counter_report.h"
#include "formats/importer.h"
#include "trace/trace.h"

namespace warpsight {

// One of the two is set.
struct Recording {
  std::unique_ptr<Trace> trace;
  std::unique_ptr<CounterReport> counters;
  std::string_view description;  // "an Nsight Compute report"
};

// Opens `path` ("-" is standard input). kUnreadable with one line for what no importer reads.
Result<Recording> OpenRecording(const std::string& path, const ImportOptions& options);

// What a timeline verb says of a counter report.
Status NoTimelineError(std::string_view file, std::string_view description);

}  // namespace warpsight
