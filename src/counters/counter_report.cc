#include "counters/counter_report.h"

#include <algorithm>
#include <cmath>

#include "counters/plausible_values.h"

namespace warpsight {

std::string_view CounterSession::tool_version() const {
  for (const auto& [key, value] : versions) {
    if (key == "Nsight Compute Target") return value;
  }
  return {};
}

CounterReport::CounterReport(CounterReportParts parts) : parts_(std::move(parts)) {
  SetAsideImplausible(parts_);
  std::vector<uint32_t> first(parts_.metric_names.size());  // a name that stands in the table twice is one metric
  for (uint32_t i = 0; i < parts_.metric_names.size(); ++i) {
    first[i] = name_ids_.emplace(parts_.metric_names[i], i).first->second;
  }
  places_.reserve(parts_.kernels.size());
  for (ProfiledKernel& kernel : parts_.kernels) {
    for (Metric& metric : kernel.metrics) metric.name = first[metric.name];
    places_.push_back(PlacesOf(kernel));
  }
  for (size_t i = 0; i < parts_.processes.size(); ++i) process_places_.emplace(parts_.processes[i].id, i);
  for (size_t i = 0; i < parts_.modules.size(); ++i) module_places_.emplace(parts_.modules[i].id, i);
}

std::vector<CounterReport::MetricPlace> CounterReport::PlacesOf(const ProfiledKernel& kernel) {
  std::vector<MetricPlace> places(kernel.metrics.size());
  for (uint32_t i = 0; i < places.size(); ++i) places[i] = {kernel.metrics[i].name, i};
  // Of equal names, the first stays in front.
  if (!std::ranges::is_sorted(places, {}, &MetricPlace::name)) std::ranges::stable_sort(places, {}, &MetricPlace::name);
  return places;
}

bool CounterReport::is_source_page() const {
  return !parts_.kernels.empty() && std::ranges::all_of(parts_.kernels, [](const ProfiledKernel& kernel) {
    return !kernel.instruction_texts.empty() && kernel.block[0] == 0;
  });
}

const Metric* CounterReport::Find(const ProfiledKernel& kernel, uint32_t name) const {
  const std::vector<MetricPlace>& places = places_[static_cast<size_t>(&kernel - parts_.kernels.data())];
  const auto found = std::ranges::lower_bound(places, name, {}, &MetricPlace::name);
  return found == places.end() || found->name != name ? nullptr : &kernel.metrics[found->place];
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
  const auto found = process_places_.find(id);
  return found == process_places_.end() ? nullptr : &parts_.processes[found->second];
}

const CodeModule* CounterReport::FindModule(uint64_t id) const {
  const auto found = module_places_.find(id);
  return found == module_places_.end() ? nullptr : &parts_.modules[found->second];
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
