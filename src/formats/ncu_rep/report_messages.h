// The messages of an Nsight Compute report, by field number. docs/formats/ncu-rep.md has the whole map.
//
// Unknown fields are skipped, so newer recorders stay readable. Errors: protozero::exception when a message is no protobuf.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight {

// One block header: its pieces of the session, the processes and the string table, which grow over the whole file.
void ReadBlockHeader(std::string_view message, CounterReportParts& parts);

// The process of a block header, which is that of the kernels in the block; nothing when the header has none.
std::optional<CounterProcess> ReadBlockProcess(std::string_view message);

// One source entry. Entries of one module add to it.
void ReadSourceEntry(std::string_view message, std::vector<CodeModule>& modules);

// One result entry. Names of metrics are numbers in `name_count` texts; metrics beyond are left out and counted.
struct KernelReading {
  ProfiledKernel kernel;
  int64_t nameless_metrics = 0;
};
KernelReading ReadResultEntry(std::string_view message, size_t name_count);

CounterValue ReadValue(std::string_view message);
CounterSection ReadSection(std::string_view message);
RuleResult ReadRuleResult(std::string_view message);

}  // namespace warpsight
