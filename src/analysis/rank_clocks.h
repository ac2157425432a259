// RankClocks: whether the clocks of ranks agree, and by how much each is off.
//
// The ends of one collective on all ranks are simultaneous to within the skew of the last transfer, so the distance of the
// ends of common collectives is the distance of the clocks. Offset = its median; error = the wider of the distances from the
// median to the 5th and 95th percentile. Refused, never guessed, with too few common collectives or too wide a spread
// (thresholds rank_clock_least, rank_clock_error). Recordings with one clock base are checked like all others.
// Units: ns; offset > 0: the rank's clock is ahead of the first rank's. Thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"

namespace warpsight {

struct ClockOffset {
  int64_t collectives = 0;  // common ones
  Ns offset_ns = 0;
  Ns error_ns = 0;      // half width of the middle 90 %
  Ns mad_ns = 0;        // median absolute deviation
  std::string problem;  // why it is refused; empty = usable
  bool usable() const { return problem.empty(); }
};

// `differences`: end on this rank - end on the first, one a common collective.
ClockOffset EstimateOffset(std::vector<Ns> differences);

// Median absolute deviation from the median; 0 for fewer than two.
Ns MedianAbsoluteDeviation(std::vector<Ns> values);

}  // namespace warpsight
