// Reports of one kernel, made for tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "counters/counter_report.h"

namespace warpsight::testing {

// The texts must outlive the report: literals do.
using MadeMetrics = std::vector<std::pair<std::string_view, double>>;

// A report of one kernel with these metrics, on that device.
inline CounterReport ReportWith(const MadeMetrics& metrics, std::string_view device = "", std::string_view name = "k") {
  CounterReportParts parts;
  if (!device.empty()) parts.devices.push_back({0, device, {}});
  ProfiledKernel kernel;
  kernel.full_name = name;
  for (const auto& [metric_name, value] : metrics) {
    Metric metric;
    metric.name = static_cast<uint32_t>(parts.metric_names.size());
    metric.value = value;
    parts.metric_names.push_back(metric_name);
    kernel.metrics.push_back(metric);
  }
  parts.kernels.push_back(std::move(kernel));
  return CounterReport(std::move(parts));
}

}  // namespace warpsight::testing
