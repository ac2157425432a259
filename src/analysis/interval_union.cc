#include "analysis/interval_union.h"

#include <algorithm>

#include "base/check.h"

namespace warpsight {
namespace {

// Exact for any two times, where a signed difference would overflow.
uint64_t Length(Ns start, Ns end) { return static_cast<uint64_t>(end) - static_cast<uint64_t>(start); }

}  // namespace

void IntervalUnion::Reserve(size_t intervals) {
  merged_.reserve(intervals);
  before_.reserve(intervals);
}

void IntervalUnion::Append(Interval interval) {
  if (interval.empty()) return;
  if (merged_.empty()) {
    merged_.push_back(interval);
    before_.push_back(0);
    return;
  }
  Interval& last = merged_.back();
  CHECK(interval.start >= last.start);
  if (interval.start <= last.end) {
    last.end = std::max(last.end, interval.end);
    return;
  }
  before_.push_back(before_.back() + Length(last.start, last.end));
  merged_.push_back(interval);
}

uint64_t IntervalUnion::MeasureBefore(Ns t) const {
  const auto after = std::lower_bound(merged_.begin(), merged_.end(), t,
                                      [](const Interval& interval, Ns time) { return interval.start < time; });
  if (after == merged_.begin()) return 0;
  const size_t index = static_cast<size_t>(after - merged_.begin()) - 1;
  return before_[index] + Length(merged_[index].start, std::min(merged_[index].end, t));
}

Ns IntervalUnion::Measure(Interval window) const {
  if (window.empty()) return 0;
  const uint64_t time = MeasureBefore(window.end) - MeasureBefore(window.start);
  return static_cast<Ns>(std::min(time, static_cast<uint64_t>(kMaxNs)));
}

}  // namespace warpsight
