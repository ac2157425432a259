// IntervalUnion: the measure of a union of intervals, cut to any window in O(log n).
//
// Place in the flow: built once from the intervals of a device (sorted by start), then asked by every pass that needs busy
// time. Touching and overlapping intervals are merged; a prefix sum over the merged list answers a window with two binary
// searches. Units: ns, half open. Thread-compatible after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"

namespace warpsight {

class IntervalUnion {
 public:
  // Adds an interval; they must come sorted by start. Empty ones are ignored.
  void Append(Interval interval);
  void Reserve(size_t intervals);

  // Time of the union inside `window`; held at kMaxNs.
  Ns Measure(Interval window) const;
  // Disjoint, not touching, sorted.
  std::span<const Interval> merged() const { return merged_; }

 private:
  // Time of the union before `t`. Unsigned, since a union that spans the whole range of Ns is longer than kMaxNs.
  uint64_t MeasureBefore(Ns t) const;

  std::vector<Interval> merged_;
  std::vector<uint64_t> before_;  // time in merged_[0..i)
};

}  // namespace warpsight
