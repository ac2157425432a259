#include "analysis/diff/step_scatter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/rank_clocks.h"
#include "analysis/thresholds.h"
#include "base/time.h"

namespace warpsight {
namespace {

constexpr double kDeviationOfMad = 1.4826;
// A double this large is no int64 any more.
constexpr double kMostExact = 9.2e18;

int64_t RoundedWhole(double value) { return value >= kMostExact ? kMaxNs : static_cast<int64_t>(std::llround(value)); }

int64_t MedianOfSorted(const std::vector<int64_t>& values) {
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  const __int128 both = static_cast<__int128>(values[middle - 1]) + values[middle];
  return static_cast<int64_t>(both >= 0 ? both / 2 : (both - 1) / 2);
}

}  // namespace

int64_t RoundedMean(int64_t sum, int64_t count) {
  const __int128 twice = 2 * static_cast<__int128>(sum);
  const __int128 half = twice >= 0 ? count : -static_cast<__int128>(count);
  return static_cast<int64_t>((twice + half) / (2 * static_cast<__int128>(count)));
}

int64_t StepStatistics::mean() const { return RoundedMean(sum, std::max<int64_t>(steps, 1)); }
double StepStatistics::exact_mean() const {
  return static_cast<double>(sum) / static_cast<double>(std::max<int64_t>(steps, 1));
}

StepStatistics StatisticsOf(std::vector<int64_t> values) {
  StepStatistics statistics;
  statistics.steps = static_cast<int64_t>(values.size());
  if (values.empty()) return statistics;
  for (const int64_t value : values) statistics.sum = SaturatingAdd(statistics.sum, value);
  std::sort(values.begin(), values.end());
  statistics.median = MedianOfSorted(values);
  if (values.size() > 1)
    statistics.scatter = RoundedWhole(kDeviationOfMad * static_cast<double>(MedianAbsoluteDeviation(std::move(values))));
  return statistics;
}

StepStatistics StatisticsOfSome(StepValues values, int64_t steps) {
  std::sort(values.begin(), values.end());
  std::vector<int64_t> sums;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i].first != values[i - 1].first) sums.push_back(0);
    sums.back() = SaturatingAdd(sums.back(), values[i].second);
  }
  // With most steps at 0 the median and most distances from it are 0, whatever the others have.
  if (static_cast<int64_t>(sums.size()) * 2 < steps) {
    StepStatistics statistics{steps};
    for (const int64_t sum : sums) statistics.sum = SaturatingAdd(statistics.sum, sum);
    if (steps > 1) statistics.scatter = 0;
    return statistics;
  }
  sums.resize(static_cast<size_t>(steps), 0);
  return StatisticsOf(std::move(sums));
}

std::optional<int64_t> NoiseOf(const StepStatistics& a, const StepStatistics& b) {
  if (!a.scatter || !b.scatter) return std::nullopt;
  return RoundedWhole(ThresholdRatio("diff_noise") *
                      std::hypot(static_cast<double>(*a.scatter), static_cast<double>(*b.scatter)));
}

std::optional<bool> IsWithin(int64_t change, const std::optional<int64_t>& noise) {
  if (!noise) return std::nullopt;
  return change >= -*noise && change <= *noise;
}

int64_t ReconciledMeans::Next(int64_t sum) {
  const int64_t before = RoundedMean(sum_, steps_);
  sum_ = SaturatingAdd(sum_, sum);
  return SaturatingSubtract(RoundedMean(sum_, steps_), before);
}

}  // namespace warpsight
