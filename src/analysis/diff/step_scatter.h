// StepScatter: how far a quantity of a recording varies from step to step, and whether a difference of two recordings is
// larger than that.
//
// scatter = 1.4826 x the median absolute deviation from the median: the standard deviation of a normal distribution, and
// not moved by a few slow steps. noise of a difference = diff_noise (data/thresholds.toml) x sqrt(scatter_a^2 +
// scatter_b^2). A difference of at most the noise is within the scatter. Not known with a single step on either side.
// Place in the flow: values by step -> this -> diff rows. Units: those of the values (ns, counts). Errors: none. Pure
// functions.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace warpsight {

struct StepStatistics {
  int64_t steps = 0;
  int64_t sum = 0;
  int64_t median = 0;                             // of an even number of steps the mean of the middle two, rounded down
  std::optional<int64_t> scatter = std::nullopt;  // absent with a single step

  // Rounded half away from zero.
  int64_t mean() const;
  double exact_mean() const;
};

// One value a step, at least one.
StepStatistics StatisticsOf(std::vector<int64_t> values);

// Values of the steps that have any, in any order; several of one step are added up.
using StepValues = std::vector<std::pair<uint32_t, int64_t>>;
// The statistics over `steps` steps: those without a value have 0. Costs what `values` has, not what `steps` is.
StepStatistics StatisticsOfSome(StepValues values, int64_t steps);

std::optional<int64_t> NoiseOf(const StepStatistics& a, const StepStatistics& b);
// Absent when the noise is.
std::optional<bool> IsWithin(int64_t change, const std::optional<int64_t>& noise);

// sum / count, rounded half away from zero.
int64_t RoundedMean(int64_t sum, int64_t count);

// Gives each part of a sum its time a step, rounded so that the parts add up to the rounded whole, each less than 1 off.
class ReconciledMeans {
 public:
  explicit ReconciledMeans(int64_t steps) : steps_(steps) {}
  int64_t Next(int64_t sum);

 private:
  int64_t steps_;
  int64_t sum_ = 0;
};

}  // namespace warpsight
