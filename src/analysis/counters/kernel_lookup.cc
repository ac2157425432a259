#include "analysis/counters/kernel_lookup.h"

namespace warpsight {
namespace {

std::optional<double> InstanceNumber(const CounterReport& report, const ProfiledKernel& kernel, std::string_view name,
                                     std::string_view key) {
  const Metric* metric = report.Find(kernel, name);
  if (metric == nullptr || metric->instance_count == 0) return std::nullopt;
  for (uint32_t i = 0; i < metric->instance_count; ++i) {
    const MetricInstance& instance = kernel.instances[metric->first_instance + i];
    if (TextOf(instance.key) == key) return NumberOf(instance.value);
  }
  return 0;
}

}  // namespace

FormulaLookup KernelLookup(const CounterReport& report, const ProfiledKernel& kernel) {
  return [&report, &kernel](std::string_view name, std::string_view key) {
    return key.empty() ? report.Number(kernel, name) : InstanceNumber(report, kernel, name, key);
  };
}

}  // namespace warpsight
