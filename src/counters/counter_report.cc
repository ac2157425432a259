#include "counters/counter_report.h"

#include <algorithm>
#include <cmath>

namespace warpsight {

std::string_view CounterSession::tool_version() const {
  for (const auto& [key, value] : versions) {
    if (key == "Nsight Compute Target") return value;
  }
  return {};
}

CounterReport::CounterReport(CounterReportParts parts) : parts_(std::move(parts)) {
  std::vector<uint32_t> first(parts_.metric_names.size());  // a name that stands in the table twice is one metric
  for (uint32_t i = 0; i < parts_.metric_names.size(); ++i) {
    first[i] = name_ids_.emplace(parts_.metric_names[i], i).first->second;
  }
  places_.reserve(parts_.kernels.size());
  for (ProfiledKernel& kernel : parts_.kernels) {
    uint32_t names = 0;
    for (Metric& metric : kernel.metrics) {
      metric.name = first[metric.name];
      names = std::max(names, metric.name + 1);
    }
    std::vector<uint32_t>& places = places_.emplace_back(names);
    for (uint32_t i = 0; i < kernel.metrics.size(); ++i) {
      uint32_t& place = places[kernel.metrics[i].name];
      if (place == 0) place = i + 1;
    }
  }
}

bool CounterReport::is_source_page() const {
  return !parts_.kernels.empty() && std::ranges::all_of(parts_.kernels, [](const ProfiledKernel& kernel) {
    return !kernel.instruction_texts.empty() && kernel.block[0] == 0;
  });
}

const Metric* CounterReport::Find(const ProfiledKernel& kernel, uint32_t name) const {
  const std::vector<uint32_t>& places = places_[static_cast<size_t>(&kernel - parts_.kernels.data())];
  if (name >= places.size() || places[name] == 0) return nullptr;
  return &kernel.metrics[places[name] - 1];
}

const Metric* CounterReport::Find(const ProfiledKernel& kernel, std::string_view name) const {
  const auto found = name_ids_.find(name);
  return found == name_ids_.end() ? nullptr : Find(kernel, found->second);
}

const std::string* CounterReport::StatedUnit(std::string_view name) const {
  const auto found = name_ids_.find(name);
  return found == name_ids_.end() || found->second >= parts_.metric_units.size() ? nullptr
                                                                                 : &parts_.metric_units[found->second];
}

CounterValue CounterReport::Value(const ProfiledKernel& kernel, std::string_view name) const {
  const Metric* metric = Find(kernel, name);
  return metric == nullptr ? CounterValue() : metric->value;
}

std::optional<double> CounterReport::Number(const ProfiledKernel& kernel, std::string_view name) const {
  const std::optional<double> number = NumberOf(Value(kernel, name));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

const CounterProcess* CounterReport::FindProcess(uint64_t id) const {
  const auto found = std::ranges::find(parts_.processes, id, &CounterProcess::id);
  return found == parts_.processes.end() ? nullptr : &*found;
}

const CodeModule* CounterReport::FindModule(uint64_t id) const {
  const auto found = std::ranges::find(parts_.modules, id, &CodeModule::id);
  return found == parts_.modules.end() ? nullptr : &*found;
}

std::optional<int> ComputeCapability(const CounterReport& report, const ProfiledKernel& kernel) {
  const std::optional<double> major = report.Number(kernel, "device__attribute_compute_capability_major");
  const std::optional<double> minor = report.Number(kernel, "device__attribute_compute_capability_minor");
  if (major && minor && *major >= 0 && *major < 1000 && *minor >= 0 && *minor < 10)
    return static_cast<int>(*major) * 10 + static_cast<int>(*minor);
  const CodeModule* code = report.FindModule(kernel.module_id);
  if (code == nullptr || code->capability_major == 0 || code->capability_major > 1000 || code->capability_minor > 9)
    return std::nullopt;
  return static_cast<int>(code->capability_major * 10 + code->capability_minor);
}

}  // namespace warpsight
