#include "counters/plausible_values.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {
namespace {

// Beyond every count of 64 bits, in any unit.
constexpr double kLargestValue = 1e20;
// What is a little more than the peak, or less than nothing by a tenth of a percent, is common: the counters of one ratio
// are of different passes. Nothing is ten thousand times a peak.
constexpr double kLeastPercent = -1;
constexpr double kLargestPercent = 1e6;
// No kernel runs for a century.
constexpr double kLongestKernelNs = 3.2e18;

struct PlausibleRange {
  double least = -kLargestValue;
  double most = kLargestValue;

  bool Holds(double value) const { return value >= least && value <= most; }
};

PlausibleRange RangeOf(std::string_view name) {
  if (name.find("pct_of_peak") != std::string_view::npos) return {kLeastPercent, kLargestPercent};
  if (name.starts_with("gpu__time_duration")) return {0, kLongestKernelNs};
  return {};
}

class Sieve {
 public:
  explicit Sieve(CounterReportParts& parts) : parts_(parts) {
    for (const std::string_view name : parts.metric_names) ranges_.push_back(RangeOf(name));
  }

  void Pass(ProfiledKernel& kernel) {
    for (Metric& metric : kernel.metrics) {
      Pass(metric.value, ranges_[metric.name], metric, kernel);
      for (uint32_t i = 0; i < metric.instance_count; ++i)
        Pass(kernel.instances[metric.first_instance + i].value, {}, metric, kernel);
    }
  }

 private:
  void Pass(CounterValue& value, const PlausibleRange& range, const Metric& metric, const ProfiledKernel& kernel) {
    const std::optional<double> number = NumberOf(value);
    if (!number || range.Holds(*number)) return;
    const std::string written = fmt::format("{}", *number);
    const std::string what = fmt::format("{} of kernel {} is {}", parts_.metric_names[metric.name], kernel.id, written);
    if (!std::isfinite(*number)) {
      parts_.log.Add("value_not_finite", ImportSeverity::kInfo, Effect::kNote,
                     "values that are no number or infinite are shown as recorded and used nowhere: " + what, -1);
      return;
    }
    parts_.log.Add("value_implausible", ImportSeverity::kWarning, Effect::kNote,
                   "values that no counter can have are shown as recorded and used nowhere: " + what, -1);
    value = std::string_view(parts_.made_texts.emplace_back(written));
  }

  CounterReportParts& parts_;
  std::vector<PlausibleRange> ranges_;  // by name
};

}  // namespace

void SetAsideImplausible(CounterReportParts& parts) {
  Sieve sieve(parts);
  for (ProfiledKernel& kernel : parts.kernels) sieve.Pass(kernel);
}

}  // namespace warpsight
