#include "counters/raw_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "counters/metric_scale.h"
#include "counters/metric_unit.h"

namespace warpsight {
namespace {

constexpr std::string_view kPushPopColumn = "thread Domain:Push/Pop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";
constexpr std::string_view kStartEndColumn = "Id:Domain:Start/Stop_Range:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg";

// Lists of other metrics, which ncu does not print.
bool IsPrinted(std::string_view name) {
  for (const std::string_view hidden : {"breakdown:", "group:", "regex:"}) {
    if (name.starts_with(hidden)) return false;
  }
  return !name.empty();
}

std::vector<uint32_t> PrintedNames(const CounterReport& report) {
  std::vector<bool> used(report.metric_name_count());
  for (const ProfiledKernel& kernel : report.kernels()) {
    for (const Metric& metric : kernel.metrics) used[metric.name] = true;
  }
  std::vector<uint32_t> names;
  for (uint32_t i = 0; i < used.size(); ++i) {
    if (used[i] && IsPrinted(report.MetricName(i))) names.push_back(i);
  }
  std::ranges::sort(names, {}, [&](uint32_t name) { return report.MetricName(name); });
  return names;
}

std::string RangesText(const ProfiledKernel& kernel) {
  std::string text;
  for (const OpenRanges& open : kernel.ranges) {
    if (open.names.empty()) continue;
    text += fmt::format("{} ", open.thread);
    for (const std::string_view name : open.names)
      text += fmt::format(" \"{}:{}:none:none:none:none:none:none\"", open.domain, name);
    text += ' ';
  }
  return text;
}

std::string ProcessName(const CounterReport& report, const ProfiledKernel& kernel) {
  const CounterProcess* process = report.FindProcess(kernel.process_id);
  if (process == nullptr) return "";
  const size_t slash = process->executable.find_last_of("/\\");
  return std::string(slash == std::string_view::npos ? process->executable : process->executable.substr(slash + 1));
}

std::string HostName(const CounterReport& report, const ProfiledKernel& kernel) {
  const CounterProcess* process = report.FindProcess(kernel.process_id);
  return process == nullptr ? "" : std::string(process->host);
}

std::vector<std::string> LaunchCells(const CounterReport& report, const ProfiledKernel& kernel, bool with_ranges) {
  std::vector<std::string> cells = {fmt::format("{}", kernel.id), fmt::format("{}", kernel.process_id),
                                    ProcessName(report, kernel), HostName(report, kernel)};
  if (with_ranges) {
    cells.push_back(RangesText(kernel));
    cells.emplace_back();
  }
  for (std::string& cell :
       std::vector<std::string>{PrintedKernelName(kernel), fmt::format("{}", kernel.context),
                                fmt::format("{}", kernel.stream), ExtentText(kernel.block), ExtentText(kernel.recorded_grid),
                                fmt::format("{}", kernel.device), CapabilityText(ComputeCapability(report, kernel))})
    cells.push_back(std::move(cell));
  return cells;
}

}  // namespace

std::string ExtentText(const Extent& extent) { return fmt::format("({}, {}, {})", extent[0], extent[1], extent[2]); }

std::string CapabilityText(std::optional<int> capability) {
  return capability ? fmt::format("{}.{}", *capability / 10, *capability % 10) : "";
}

std::string PrintedKernelName(const ProfiledKernel& kernel) {
  const std::string_view name = kernel.full_name;
  std::string printed;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool starts_argument = i > 0 && (name[i - 1] == '<' || (i > 1 && name[i - 2] == ',' && name[i - 1] == ' '));
    if (name[i] == '(' && starts_argument) {
      const size_t close = name.find(')', i);
      // "(int)64": a cast stands before a number.
      if (close != std::string_view::npos && close + 1 < name.size() &&
          (std::isdigit(static_cast<unsigned char>(name[close + 1])) != 0 || name[close + 1] == '-')) {
        i = close;
        continue;
      }
    }
    printed += name[i];
  }
  return printed;
}

std::string PrintedMetric(const Metric* metric, const std::string& number) {
  if (metric == nullptr) return "";
  return IsAbsent(metric->value) && metric->instance_count == 0 ? "no data" : number;
}

RawPage MakeRawPage(const CounterReport& report) {
  RawPage page;
  const bool with_ranges = std::ranges::any_of(report.kernels(), [](const ProfiledKernel& kernel) {
    return std::ranges::any_of(kernel.ranges, [](const OpenRanges& open) { return !open.names.empty(); });
  });
  page.columns = {"ID", "Process ID", "Process Name", "Host Name"};
  if (with_ranges) page.columns.insert(page.columns.end(), {std::string(kPushPopColumn), std::string(kStartEndColumn)});
  page.columns.insert(page.columns.end(), {"Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"});
  page.units.resize(page.columns.size());
  for (const ProfiledKernel& kernel : report.kernels()) page.rows.push_back(LaunchCells(report, kernel, with_ranges));

  const UnitContext context = MakeUnitContext(report);
  for (const uint32_t name : PrintedNames(report)) {
    MetricScale scale(MetricUnit(report.MetricName(name), context));
    for (const ProfiledKernel& kernel : report.kernels()) {
      if (const Metric* metric = report.Find(kernel, name)) scale.Include(metric->value);
    }
    page.columns.emplace_back(report.MetricName(name));
    page.units.push_back(scale.unit());
    for (size_t i = 0; i < page.rows.size(); ++i) {
      const Metric* metric = report.Find(report.kernels()[i], name);
      page.rows[i].push_back(PrintedMetric(metric, metric == nullptr ? "" : scale.Print(metric->value)));
    }
  }
  return page;
}

}  // namespace warpsight
