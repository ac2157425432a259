#include "analysis/stats/sample_summary.h"

#include <algorithm>
#include <cmath>

#include "base/time.h"

namespace warpsight {

SampleSummary Summarise(std::vector<int64_t> samples) {
  SampleSummary summary;
  if (samples.empty()) return summary;
  std::sort(samples.begin(), samples.end());
  const size_t count = samples.size();
  summary.count = static_cast<int64_t>(count);
  summary.min = samples.front();
  summary.max = samples.back();
  long double exact_total = 0;
  for (const int64_t sample : samples) {
    summary.total = SaturatingAdd(summary.total, sample);
    exact_total += static_cast<long double>(sample);
  }
  const long double mean = exact_total / static_cast<long double>(count);
  summary.mean = static_cast<double>(mean);
  const auto low = static_cast<long double>(samples[(count - 1) / 2]);
  const auto high = static_cast<long double>(samples[count / 2]);
  summary.median = static_cast<double>((low + high) / 2);
  if (count < 2) return summary;
  long double squares = 0;
  for (const int64_t sample : samples) {
    const long double distance = static_cast<long double>(sample) - mean;
    squares += distance * distance;
  }
  summary.deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(count - 1)));
  return summary;
}

}  // namespace warpsight
