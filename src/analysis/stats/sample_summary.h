// SampleSummary: count, sum, mean, median, extremes and standard deviation of a set of numbers, as the reports of `nsys
// stats` define them: the median of an even number is the mean of the middle two, the deviation is that of a sample (n - 1).
//
// Units: those of the samples. Errors: none; sums saturate. Threads: pure functions.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsight {

struct SampleSummary {
  int64_t count = 0;
  int64_t total = 0;
  double mean = 0;
  double median = 0;
  int64_t min = 0;
  int64_t max = 0;
  double deviation = 0;  // 0 for a single sample
};

// Zeros for no samples.
SampleSummary Summarise(std::vector<int64_t> samples);

}  // namespace warpsight
