// Opening a counter report: compression, recognition by content, import. The sibling of OpenTrace.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "counters/counter_report.h"

namespace warpsight {

// Opens `path` ("-" is standard input). kLacks for a timeline, kUnreadable for what no importer reads.
Result<CounterReport> OpenCounters(const std::string& path);

// Whether the file holds counters, by its first bytes; false for what can't be opened.
bool HoldsCounters(const std::string& path);

// The same as OpenCounters for bytes in memory, which `name` stands for in messages. The bytes must outlive the call only.
Result<CounterReport> OpenCountersBytes(std::string_view bytes, const std::string& name);

}  // namespace warpsight
