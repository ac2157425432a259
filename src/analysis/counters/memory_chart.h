// The memory chart of a kernel: SM, L1 and shared memory, L2, device and system memory, with what flowed between them.
//
// Place in the flow: CounterReport + data/memory_chart.toml -> FlowChart -> the counters page. Facts that the report lacks
// are left out. Errors: none. Threads: pure function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/counters/triage_data.h"
#include "counters/counter_report.h"
#include "document/document.h"

namespace warpsight {

// Nothing when the report says of no flow how large it was.
std::optional<FlowChart> MakeMemoryChart(const CounterReport& report, const ProfiledKernel& kernel);

// data/memory_chart.toml, parsed; for its test.
struct MemoryUnitData {
  std::string id;
  std::string name;
  size_t row = 0;
  std::string from;
  std::string share;
  std::vector<std::string> lines;
  std::vector<std::string> down;
  std::vector<std::string> up;
  std::vector<std::string> when;
};
struct MemoryChartData {
  TriageData values;  // its values alone
  std::vector<MemoryUnitData> units;
};
const MemoryChartData& MemoryChart();

}  // namespace warpsight
