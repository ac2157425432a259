// The raw page: every metric of every kernel of a report as ncu prints it (`ncu --import FILE --page raw --csv`).
//
// Place in the flow: CounterReport -> rows of texts -> CSV. One column a metric, sorted by name; the second row has the
// units. Errors: none. Threads: pure function.
#pragma once

#include <string>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight {

struct RawPage {
  std::vector<std::string> columns;
  std::vector<std::string> units;
  std::vector<std::vector<std::string>> rows;  // one a kernel
};

RawPage MakeRawPage(const CounterReport& report);

// "(128, 128, 1)"
std::string ExtentText(const Extent& extent);
// "9.0"; empty when unknown.
std::string CapabilityText(std::optional<int> capability);
// The name as ncu prints it: whole, or simplified as it does (no casts of template arguments).
std::string PrintedKernelName(const ProfiledKernel& kernel);
// The text that ncu prints for a metric of which `metric` is null when the kernel does not have it.
std::string PrintedMetric(const Metric* metric, const std::string& number);

}  // namespace warpsight
