#include "server/api/counter_blocks.h"

#include <algorithm>
#include <limits>

namespace warpsight::server {
namespace {

constexpr std::pair kNothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void Join(std::pair<double, double>& limits, double least, double greatest) {
  limits.first = std::min(limits.first, least);
  limits.second = std::max(limits.second, greatest);
}

}  // namespace

CounterBlocks::CounterBlocks(const Trace& trace) : trace_(trace) {
  const uint32_t blocks = (trace.counter_samples().size() + kBlock - 1) / kBlock;
  least_.assign(blocks, kNothing.first);
  greatest_.assign(blocks, kNothing.second);
  for (const CounterSeries& series : trace.counters()) {
    for (uint32_t row = series.first; row < series.end; ++row) {
      const double value = trace.counter_samples().Double(series, row);
      least_[row / kBlock] = std::min(least_[row / kBlock], value);
      greatest_[row / kBlock] = std::max(greatest_[row / kBlock], value);
    }
  }
}

std::pair<double, double> CounterBlocks::LimitsOf(const CounterSeries& series, uint32_t begin, uint32_t end) const {
  std::pair<double, double> limits = kNothing;
  uint32_t row = begin;
  while (row < end) {
    if (row % kBlock == 0 && end - row >= kBlock) {
      Join(limits, least_[row / kBlock], greatest_[row / kBlock]);
      row += kBlock;
    } else {
      const double value = trace_.counter_samples().Double(series, row++);
      Join(limits, value, value);
    }
  }
  return limits;
}

std::pair<double, double> CounterBlocks::Limits(const CounterSeries& series) const {
  return LimitsOf(series, series.first, series.end);
}

std::vector<CounterPoint> CounterBlocks::Collect(const CounterSeries& series, const Viewport& view) const {
  const CounterSamples& samples = trace_.counter_samples();
  const Ns* const times = samples.time_ns.data();
  std::vector<CounterPoint> points;
  uint32_t row = static_cast<uint32_t>(std::lower_bound(times + series.first, times + series.end, view.start()) - times);
  if (row > series.first) {
    const double value = samples.Double(series, row - 1);
    points.push_back({times[row - 1], value, value, value});
  }
  while (row < series.end && times[row] < view.end()) {
    const Ns behind_pixel = view.PixelEnd(view.PixelOf(times[row]));
    const auto end = static_cast<uint32_t>(std::lower_bound(times + row, times + series.end, behind_pixel) - times);
    const auto [least, greatest] = LimitsOf(series, row, end);
    points.push_back({times[row], least, greatest, samples.Double(series, end - 1)});
    row = end;
  }
  return points;
}

}  // namespace warpsight::server
