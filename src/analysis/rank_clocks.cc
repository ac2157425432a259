#include "analysis/rank_clocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

Ns Median(std::vector<Ns>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Ns Distance(Ns a, Ns b) { return a > b ? SaturatingSubtract(a, b) : SaturatingSubtract(b, a); }

}  // namespace

Ns MedianAbsoluteDeviation(std::vector<Ns> values) {
  if (values.size() < 2) return 0;
  const Ns median = Median(values);
  for (Ns& value : values) value = Distance(value, median);
  return Median(values);
}

ClockOffset EstimateOffset(std::vector<Ns> differences) {
  ClockOffset offset;
  offset.collectives = static_cast<int64_t>(differences.size());
  if (offset.collectives < ThresholdCount("rank_clock_least")) {
    offset.problem = fmt::format("{} collectives in common, too few to align clocks on (at least {})",
                                 FormatCount(offset.collectives), FormatCount(ThresholdCount("rank_clock_least")));
  }
  if (differences.empty()) return offset;
  std::sort(differences.begin(), differences.end());
  const size_t last = differences.size() - 1;
  offset.offset_ns = differences[last / 2];
  offset.error_ns = std::max(Distance(differences[last - last / 20], offset.offset_ns),
                             Distance(differences[last / 20], offset.offset_ns));
  offset.mad_ns = MedianAbsoluteDeviation(differences);
  if (offset.usable() && offset.error_ns > ThresholdNs("rank_clock_error")) {
    offset.problem = fmt::format("the ends of common collectives lie up to {} from a constant distance (at most {})",
                                 FormatDuration(offset.error_ns), FormatDuration(ThresholdNs("rank_clock_error")));
  }
  return offset;
}

}  // namespace warpsight
