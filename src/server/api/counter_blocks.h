// CounterBlocks: least and greatest values of a counter's samples by blocks, so that a pixel costs time by its blocks.
//
// Place in the flow: samples of a series -> CounterBlocks -> points of a Viewport -> tile. A point stands for the samples of
// one pixel: time of the first, least, greatest and last value; the first point may be the last sample before the range,
// whose value still holds where it begins. Units: ns; values in the series' unit. Errors: none. Threads: immutable.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "server/api/viewport.h"
#include "trace/trace.h"

namespace warpsight::server {

struct CounterPoint {
  Ns time = 0;
  double min = 0;
  double max = 0;
  double last = 0;
};

class CounterBlocks {
 public:
  explicit CounterBlocks(const Trace& trace);

  std::vector<CounterPoint> Collect(const CounterSeries& series, const Viewport& view) const;
  // Least and greatest of all samples; the series has some.
  std::pair<double, double> Limits(const CounterSeries& series) const;
  size_t bytes() const { return (least_.capacity() + greatest_.capacity()) * sizeof(double); }

 private:
  static constexpr uint32_t kBlock = 64;
  // Of the samples [begin, end), which are not none.
  std::pair<double, double> LimitsOf(const CounterSeries& series, uint32_t begin, uint32_t end) const;

  const Trace& trace_;
  // By block of all samples; those that hold samples of two series are never used whole.
  std::vector<double> least_;
  std::vector<double> greatest_;
};

}  // namespace warpsight::server
