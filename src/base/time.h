// Time in warpsight: integer nanoseconds from the moment of parsing, half-open intervals [start, end).
//
// No time ever passes through a double: an epoch in microseconds held as a double has a step of 0.25 us, and that alone
// makes kernels overlap that never did.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace warpsight {

using Ns = int64_t;

inline constexpr Ns kMinNs = std::numeric_limits<Ns>::min();
inline constexpr Ns kMaxNs = std::numeric_limits<Ns>::max();

// a + b, held at the ends of the range instead of wrapping (hostile files carry durations near 2^63).
constexpr Ns SaturatingAdd(Ns a, Ns b) {
  Ns sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return b > 0 ? kMaxNs : kMinNs;
  return sum;
}

// a - b, held at the ends of the range instead of wrapping.
constexpr Ns SaturatingSubtract(Ns a, Ns b) {
  Ns difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) return b < 0 ? kMaxNs : kMinNs;
  return difference;
}

// [start, end) in nanoseconds of the trace's clock.
struct Interval {
  Ns start = 0;
  Ns end = 0;

  constexpr bool empty() const { return end <= start; }
  constexpr Ns duration() const { return empty() ? 0 : SaturatingSubtract(end, start); }
  constexpr bool Contains(Ns t) const { return start <= t && t < end; }
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

constexpr Interval Intersect(Interval a, Interval b) { return {std::max(a.start, b.start), std::min(a.end, b.end)}; }

}  // namespace warpsight
