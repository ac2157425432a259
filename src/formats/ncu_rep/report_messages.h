// The messages of an Nsight Compute report, by field number. docs/formats/ncu-rep.md has the whole map.
//
// Unknown fields are skipped, so newer recorders stay readable. Every part that is appended is taken from the file's budget.
// Errors: protozero::exception when a message is no protobuf, TooLargeToHold. Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "counters/counter_report.h"
#include "formats/reading_budget.h"

namespace warpsight {

// One block header: its pieces of the session and of the string table, which grow over the whole file. The answer is the
// process of the kernels in the block; nothing when the header has none.
std::optional<CounterProcess> ReadBlockHeader(std::string_view message, CounterReportParts& parts, ReadingBudget& budget);

// Source entries. Entries of one module add to it.
class ModuleReader {
 public:
  ModuleReader(std::vector<CodeModule>& modules, ReadingBudget& budget) : modules_(modules), budget_(budget) {}
  void ReadEntry(std::string_view message);

 private:
  void Add(CodeModule&& entry);

  std::vector<CodeModule>& modules_;
  ReadingBudget& budget_;
  std::unordered_map<uint64_t, size_t> place_of_;  // in modules_, by id
};

// One result entry. Names of metrics are numbers in `name_count` texts; metrics beyond are left out and counted.
struct KernelReading {
  ProfiledKernel kernel;
  int64_t nameless_metrics = 0;
};
KernelReading ReadResultEntry(std::string_view message, size_t name_count, ReadingBudget& budget);

CounterValue ReadValue(std::string_view message);
CounterSection ReadSection(std::string_view message, ReadingBudget& budget);
RuleResult ReadRuleResult(std::string_view message, ReadingBudget& budget);

}  // namespace warpsight
